pub fn run(_: &[String]) -> anyhow::Result<()> {
    Ok(())
}
