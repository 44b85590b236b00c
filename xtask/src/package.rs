pub fn build() -> anyhow::Result<()> {
    let b = crate::bindings::build()?;
    println!("{} {}", b.wasm.display(), b.glue.len());
    Ok(())
}
pub fn pack() -> anyhow::Result<()> {
    build()
}
