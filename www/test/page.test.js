// @ts-check

// The built page in a real browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { assemble } from "prompt-strata";
import { preview } from "vite";

/** @import { Browser, BrowserContextOptions, Page } from "playwright-core" */
/** @import { PreviewServer } from "vite" */

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** @type {PreviewServer} */
let server;
/** @type {Browser} */
let browser;
let address = "";

before(async () => {
  server = await preview({ root: ROOT, preview: { port: 0, strictPort: false }, logLevel: "error" });
  address = String(server.resolvedUrls?.local[0]);
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
});

after(async () => {
  await browser?.close();
  await server?.close();
});

/**
 * A test on a fresh page, which may neither fetch anything once it is loaded nor complain on the console.
 *
 * @param {string} name
 * @param {(page: Page) => Promise<void>} check
 * @param {BrowserContextOptions} [options]
 */
function onPage(name, check, options = {}) {
  test(name, async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    try {
      const page = await context.newPage();
      /** @type {string[]} */
      const complaints = [];
      /** @type {string[]} */
      const requests = [];
      page.setDefaultTimeout(10_000);
      page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      await page.goto(address);
      await page.locator(".piece").first().waitFor();
      page.on("request", (request) => {
        // What a person saves is handed over by the browser itself.
        if (!request.url().startsWith("blob:")) requests.push(request.url());
      });
      // Where a test loads the page again.
      page.on("load", () => requests.splice(0));
      await check(page);
      assert.deepEqual(requests, [], "nothing is fetched after the load");
      assert.deepEqual(complaints, [], "nothing is complained about");
    } finally {
      await context.close();
    }
  });
}

/** @param {Page} page @param {string} name */
function layer(page, name) {
  return page.locator("details.layer", { has: page.getByRole("heading", { name }) });
}

/** @param {Page} page @param {string} name */
async function openLayer(page, name) {
  const card = layer(page, name);
  if (!(await card.evaluate((element) => element instanceof HTMLDetailsElement && element.open))) {
    await card.locator("summary").click();
  }
  return card;
}

/** The text that the page shows as the prefix. @param {Page} page */
function prefixOf(page) {
  return page.locator("#prefix .piece").evaluateAll((pieces) => pieces.map((piece) => piece.textContent).join(""));
}

/** @param {Page} page */
async function savedJson(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save" }).click()]);
  assert.equal(download.suggestedFilename(), "prompt.json");
  return readFileSync(await download.path(), "utf8");
}

/**
 * Opens a file, until the page has said what became of it: it reads files while other things go on.
 *
 * @param {Page} page
 * @param {string} name
 * @param {string} text
 */
async function openFile(page, name, text) {
  await page
    .locator("input[type=file]")
    .setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  await page.locator(".message", { hasText: name }).waitFor();
}

/** @param {Page} page @param {string} code */
async function expectNotice(page, code) {
  await page.locator("#notices .notice", { hasText: code }).first().waitFor();
}

test("it works from a path of its own", async () => {
  const deep = await preview({ root: ROOT, base: "/a/b/", preview: { port: 0 }, logLevel: "error" });
  const page = await browser.newPage();
  try {
    await page.goto(String(deep.resolvedUrls?.local[0]));
    assert.match(page.url(), /\/a\/b\/$/);
    await page.locator(".piece").first().waitFor({ timeout: 10_000 });
  } finally {
    await page.close();
    await deep.close();
  }
});

onPage("typing in a layer changes the prefix at once, with the tint of its layer", async (page) => {
  const card = await openLayer(page, "Bot ada");
  const identity = card.getByLabel("Identity", { exact: true });
  await identity.fill("You are Bob");
  await identity.press("End");
  await identity.pressSequentially(", the tide.");
  const piece = page.locator("#prefix .piece", { hasText: "You are Bob, the tide." });
  assert.equal(await piece.getAttribute("data-tint"), "bot");
  const margin = await piece.locator(".body").evaluate((body) => getComputedStyle(body, "::before").content);
  assert.equal(margin, '"Bot"', "the layer is named in the margin, not by colour alone");
  const tint = await piece.locator(".body").evaluate((body) => getComputedStyle(body).backgroundColor);
  const host = page.locator('#prefix .piece[data-tint="host"] .body').first();
  assert.notEqual(tint, await host.evaluate((body) => getComputedStyle(body).backgroundColor));
  await piece.hover();
  assert.match(String(await page.locator("#inspector").textContent()), /Identity.*from Bot \(ada\).*workspace.*22 bytes/);
  assert.ok((await prefixOf(page)).startsWith("You are Bob, the tide.\n"));
});

onPage("untrusting the workspace drops its texts, and says why in both places", async (page) => {
  const card = await openLayer(page, "This workspace");
  await card.getByLabel("Yes, trusted").check();
  await card.getByLabel("Source").fill("mine");
  const bot = await openLayer(page, "Bot ada");
  await bot.getByRole("button", { name: /^Inherit instead: Identity/ }).click();
  assert.match(await prefixOf(page), /You are root/);

  await card.getByLabel("No, not trusted").check();
  assert.doesNotMatch(await prefixOf(page), /You are root/);
  assert.match(await prefixOf(page), /Never edit files under `vendor\/`/, "guardrails stay");
  await expectNotice(page, "untrusted-dropped");
  const field = card.locator(".field", { has: page.getByLabel("Identity", { exact: true }) });
  assert.match(String(await field.textContent()), /Not used: nobody vouches for this layer/);

  await page.locator("#options > summary").click();
  await page.getByLabel("nothing drop").check();
  assert.doesNotMatch(await prefixOf(page), /vendor/, "with the other option, guardrails go too");
});

onPage("a notice leads to its field, opening what hides it", async (page) => {
  await page.getByRole("button", { name: "This workspace (tidepool-reader) › Operating rules" }).click();
  const focused = page.locator("textarea:focus");
  assert.match(await focused.inputValue(), /Skip the test suite/);
  await page.getByRole("button", { name: "Fact “pinned message”" }).click();
  await page.locator(".fact :focus").waitFor();
});

onPage("inherit and empty on purpose look and act differently", async (page) => {
  const card = await openLayer(page, "Bot ada");
  assert.match(String(await card.textContent()), /Operating rulesinherits from Shared \(acme\)/);
  await card.getByRole("button", { name: /^Inherit instead: Identity/ }).click();
  assert.match(await prefixOf(page), /^You are the engineering assistant of Acme/);
  await card.getByRole("button", { name: /^Empty on purpose: Identity/ }).click();
  assert.match(await prefixOf(page), /^You run inside Quayside/);
  assert.ok(await card.locator(".field.emptied .badge").isVisible());
  await expectNotice(page, "blanked");
  await page.locator("textarea:focus").waitFor();
  await page.keyboard.type("Back.");
  assert.match(await prefixOf(page), /^Back\.\n/);
  assert.equal(await card.locator(".field.emptied").count(), 0);
});

onPage("opening an empty field to write changes nothing before something is written", async (page) => {
  const card = await openLayer(page, "Bot ada");
  const was = await prefixOf(page);
  await card.getByRole("button", { name: /^Write: Instructions/ }).click();
  await page.locator("textarea:focus").waitFor();
  assert.equal(await prefixOf(page), was);
  await page.keyboard.type("Be kind.");
  assert.match(await prefixOf(page), /Be kind\./);
});

onPage("pinning shows drift, and whether the cache is missed", async (page) => {
  await page.getByRole("button", { name: "Pin this state" }).click();
  const verdict = page.locator("#pinned .verdict");
  assert.match(String(await verdict.textContent()), /the same, to the byte/);

  await page.locator("#runtime > summary").click();
  await page.getByRole("textbox", { name: "Clock" }).fill("It is noon.");
  assert.match(String(await verdict.textContent()), /the same, to the byte/);

  const card = await openLayer(page, "Bot ada");
  await card.getByLabel("Identity", { exact: true }).fill("You are Bob.");
  assert.match(String(await verdict.textContent()), /cache miss/);
  assert.match(String(await page.locator("#pinned .drift").textContent()), /^~ identity from bot \(\d+B → 12B\)$/);
  assert.equal(await page.locator(".drift-counts").textContent(), "0 added, 0 removed, 1 changed");

  await page.waitForFunction(() => localStorage.getItem("prompt-strata-console.document")?.includes("You are Bob."));
  await page.reload();
  assert.match(String(await verdict.textContent()), /cache miss/, "the pin survives a reload, and so does the text");
});

onPage("a broken file gets a sentence that helps, and the text stays", async (page) => {
  const card = await openLayer(page, "Bot ada");
  await card.getByLabel("Identity", { exact: true }).fill("Keep me.");
  const was = await prefixOf(page);
  await openFile(page, "team.json", '{"layers":[{"layer":"seed","content":{"gaurdrails":["x"]}}]}');
  const alert = page.locator(".message.problem");
  const said = String(await alert.textContent());
  for (const part of ["team.json", "gaurdrails", "guardrails or surfaceNotes", "layers[0].content.gaurdrails", "as it was"]) {
    assert.ok(said.includes(part), `${part} in ${said}`);
  }
  assert.equal(await prefixOf(page), was);
  await openFile(page, "half.json", '{"layers": [');
  assert.match(String(await alert.textContent()), /half\.json.*ends at line 1 column 13/);
  assert.equal(await card.getByLabel("Identity", { exact: true }).inputValue(), "Keep me.");

  await openFile(page, "good.json", '{"layers":[{"layer":"seed","content":{"identity":"Fine."}}]}');
  assert.equal(await prefixOf(page), "Fine.\n");
  assert.equal(await alert.count(), 0);
  await page.locator(".message").getByRole("button", { name: "Undo" }).click();
  assert.equal(await prefixOf(page), was);
});

onPage("a file can be dropped on the page, and JSON pasted", async (page) => {
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['{"layers":[{"layer":"seed","content":{"identity":"Dropped."}}]}'], "d.json"));
    for (const type of ["dragover", "drop"]) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
    }
  });
  await page.locator(".piece", { hasText: "Dropped." }).waitFor();
  await page.getByRole("button", { name: "JSON…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill('{"layers": 3}');
  await dialog.getByRole("button", { name: "Use this text" }).click();
  assert.match(String(await dialog.getByRole("alert").textContent()), /Expected a list.*layers/);
  await dialog.getByRole("textbox").fill('{"layers":[{"layer":"seed","content":{"identity":"Pasted."}}]}');
  await dialog.getByRole("button", { name: "Use this text" }).click();
  await dialog.waitFor({ state: "detached" });
  assert.equal(await prefixOf(page), "Pasted.\n");
});

onPage("the bytes shown are the bytes that assemble gives for the saved file", async (page) => {
  const card = await openLayer(page, "Bot ada");
  await card.getByLabel("Identity", { exact: true }).fill("  Ünïcode 😀 \n\n\n\tand\u00a0spaces \n");
  await card.getByRole("button", { name: /^As one text: Guardrails|^Edit as one text: Guardrails/ }).click();
  await card.getByLabel("Guardrails", { exact: true }).fill("# Head\n- one\n  more\n\nprose <b>\n* two");
  const json = await savedJson(page);
  const { prefix, tail, system, blocks } = assemble(json);
  assert.equal(await prefixOf(page), prefix);
  assert.equal(await page.locator(".text.tail").textContent(), tail);
  const all = await page.locator(".piece").evaluateAll((pieces) => pieces.map((piece) => piece.textContent).join(""));
  assert.equal(all, system);
  const sizes = await page.locator(".block-list li").allTextContents();
  blocks.forEach((block, index) => {
    const bytes = String(Buffer.byteLength(block.text)).replace(/\B(?=(\d{3})+$)/g, ",");
    assert.ok(sizes[index]?.includes(`${bytes} bytes`), `${block.label}: ${bytes} in ${sizes[index]}`);
  });
  await expectNotice(page, "markdown-in-strict");
});

onPage("pasted HTML is shown as text", async (page) => {
  const card = await openLayer(page, "Bot ada");
  const html = '<img src="x" onerror="window.broken = true"><script>window.broken = true</script>';
  await card.getByLabel("Identity", { exact: true }).fill(html);
  await card.getByLabel("Source").fill(html);
  assert.ok((await prefixOf(page)).startsWith(html));
  assert.equal(await page.locator("#app img, #app script").count(), 0);
  assert.equal(await page.evaluate(() => "broken" in window), false);
});

onPage("an input that cannot be assembled keeps the last result, and says where it hurts", async (page) => {
  const was = await prefixOf(page);
  await page.locator("#facts > summary").click();
  await page.getByRole("button", { name: "+ Add a fact" }).click();
  assert.equal(await page.locator("#result .problem").count(), 0, "an untouched row is no mistake");
  await page.getByLabel("Fact 5: what holds").fill("pro");
  assert.match(String(await page.locator("#result .problem").textContent()), /blank at facts\[4\]\.key/);
  assert.equal(await prefixOf(page), was);
  await page.locator("#result .problem").getByRole("button").click();
  await page.locator('input:focus[aria-label="Fact 5: what is stated"]').waitFor();
  await page.keyboard.type("plan");
  assert.equal(await page.locator("#result .problem").count(), 0);
  assert.match(await prefixOf(page), /- plan: pro\n/);
});

onPage("layers are added where they belong, changed, moved and removed", async (page) => {
  await page.getByLabel("Add a layer").selectOption("shared");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.locator("input:focus").waitFor();
  await page.keyboard.type("team");
  const titles = () => page.locator("details.layer h3").allTextContents();
  assert.deepEqual((await titles()).slice(0, 4).map((title) => title.trim()), [
    "Shipped default quayside", "Shared acme", "Shared team", "This workspace tidepool-reader",
  ]);
  await page.getByRole("button", { name: "Move up: Shared (team)" }).click();
  assert.match(String((await titles())[1]), /team/);
  await layer(page, "Shared team").getByLabel("Layer", { exact: true }).selectOption("chat");
  assert.match(String((await titles()).at(-2)), /Chat team/);
  await page.getByRole("button", { name: "Remove this layer: Chat (team)" }).click();
  assert.equal((await titles()).length, 7);
  await page.keyboard.press("Control+z");
  assert.equal((await titles()).length, 8);
});

onPage("a list is written item by item with the keyboard", async (page) => {
  const card = await openLayer(page, "Bot ada");
  await card.getByLabel("Guardrails 1", { exact: true }).press("Enter");
  await page.locator('textarea:focus[aria-label="Guardrails 2"]').waitFor();
  await page.keyboard.type("Never guess.");
  assert.match(await prefixOf(page), /- Never guess\.\n/);
  assert.equal(
    await page.locator("#prefix .piece", { hasText: "Never guess." }).getAttribute("data-tint"),
    "bot",
  );
});

onPage("undo and redo go back and forth, with the caret where the text changed", async (page) => {
  const card = await openLayer(page, "Bot ada");
  const identity = card.getByLabel("Identity", { exact: true });
  const was = await identity.inputValue();
  await identity.fill("Changed.");
  await identity.press("Control+z");
  assert.equal(await identity.inputValue(), was);
  await page.keyboard.press("Control+Shift+z");
  assert.equal(await identity.inputValue(), "Changed.");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await identity.inputValue(), was);
});

onPage("all of it works with the keyboard alone", async (page) => {
  await page.keyboard.press("Tab");
  assert.equal(await page.locator(":focus").textContent(), "Skip to the layers");
  await page.keyboard.press("Tab");
  assert.equal(await page.locator(":focus").textContent(), "Skip to what the model reads");
  await page.keyboard.press("Enter");
  await page.locator("#result:focus").waitFor();
  // Into the text: one stop for all of it, arrows from piece to piece, Enter to where it is written.
  for (let stop = 0; stop < 40; stop += 1) {
    await page.keyboard.press("Tab");
    if (await page.locator(".piece:focus").count()) break;
  }
  await page.locator(".piece:focus").waitFor();
  await page.keyboard.press("ArrowDown");
  assert.match(String(await page.locator("#inspector").textContent()), /Capability contract.*The host’s own text/);
  const outline = await page.locator(".piece:focus .body").evaluate((body) => getComputedStyle(body).outlineStyle);
  assert.equal(outline, "solid", "the focus is visible");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  assert.match(await page.locator("textarea:focus").inputValue(), /^You are Ada/);
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" And you type.");
  assert.match(await prefixOf(page), /And you type\.\n/);
  const status = page.locator("#notice-count");
  assert.equal(await status.getAttribute("role"), "status");
});

onPage("the text survives a reload, and starting over is one step back", async (page) => {
  const card = await openLayer(page, "Bot ada");
  await card.getByLabel("Identity", { exact: true }).fill("Remember me.");
  await page.waitForFunction(() => localStorage.getItem("prompt-strata-console.document")?.includes("Remember me."));
  await page.reload();
  await page.locator(".piece", { hasText: "Remember me." }).waitFor();
  await page.getByRole("button", { name: "with nothing" }).click();
  assert.match(String(await page.locator("#prefix").textContent()), /Nothing yet/);
  await page.getByRole("button", { name: "with the example" }).click();
  assert.match(await prefixOf(page), /^You are Ada/);
  await page.getByRole("button", { name: "Undo" }).first().click();
  assert.match(String(await page.locator("#prefix").textContent()), /Nothing yet/);
});

onPage("a text that this version of the page refuses stays, with its error", async (page) => {
  const newer = { layers: [{ layer: "seed", content: { identity: "You are from tomorrow.", mood: "calm" } }] };
  await page.evaluate((text) => {
    localStorage.setItem("prompt-strata-console.document", text);
    localStorage.setItem("prompt-strata-console.pinned", "{");
  }, JSON.stringify(newer));
  await page.reload();
  const kept = page.locator("#kept");
  assert.match(String(await kept.textContent()), /^Your last text is kept, but this version .*`mood` at layers\[0\]\.content\.mood/);
  // What is written meanwhile takes its place nowhere.
  const card = await openLayer(page, "Bot ada");
  await card.getByLabel("Identity", { exact: true }).fill("Meanwhile.");
  await page.waitForFunction(() => localStorage.getItem("prompt-strata-console.document")?.includes("Meanwhile."));
  await page.reload();
  await page.locator(".piece", { hasText: "Meanwhile." }).waitFor();

  await kept.getByRole("button", { name: "Look at it" }).click();
  const text = page.locator("dialog textarea");
  assert.equal(await text.inputValue(), JSON.stringify(newer));
  await page.getByRole("button", { name: "Use this text" }).click();
  assert.match(String(await page.locator("dialog .problem").textContent()), /Unknown field `mood`/);
  await text.fill(JSON.stringify(newer).replace(',"mood":"calm"', ""));
  await page.getByRole("button", { name: "Use this text" }).click();
  assert.equal(await prefixOf(page), "You are from tomorrow.\n");

  assert.match(String(await kept.textContent()), /^The text you pinned is kept, but/);
  await kept.getByRole("button", { name: "Discard" }).click();
  await kept.waitFor({ state: "detached" });
  await page.reload();
  await page.locator(".piece").first().waitFor();
  assert.equal(await kept.count(), 0);
});

onPage(
  "on a phone the panels stack and nothing scrolls sideways",
  async (page) => {
    for (const part of ["runtime", "facts", "options"]) await page.locator(`#${part} > summary`).click();
    await openLayer(page, "This workspace");
    await page.getByRole("button", { name: "Pin this state" }).click();
    await openFile(page, `${"long".repeat(30)}.json`, '{"layers":[{"layer":"seed","content":{"gaurdrails":["x"]}}]}');
    const width = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.equal(width[0], width[1]);
    const [editor, result] = await Promise.all(["#editor", "#result"].map((id) => page.locator(id).boundingBox()));
    assert.ok(editor && result && result.y >= editor.y + editor.height - 1);
  },
  { viewport: { width: 360, height: 740 } },
);

for (const scheme of /** @type {const} */ (["light", "dark"])) {
  for (const width of [1440, 360]) {
    onPage(
      `axe finds nothing, ${scheme}, ${width} px`,
      async (page) => {
        await page.getByRole("button", { name: "Pin this state" }).click();
        for (const part of ["runtime", "facts", "options"]) await page.locator(`#${part} > summary`).click();
        const card = await openLayer(page, "This workspace");
        await card.getByRole("button", { name: /^Empty on purpose: Identity/ }).click();
        await openFile(page, "x.json", "{");
        await page.locator('#prefix .piece[data-tint="seed"]').first().hover();
        await page.getByRole("button", { name: "Shipped default" }).click();
        await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
        await page.evaluate(AXE);
        const violations = await page.evaluate(async () => {
          // @ts-expect-error -- put there by the line above.
          const results = await globalThis.axe.run(document, { resultTypes: ["violations"] });
          return results.violations.map((/** @type {any} */ one) => [
            one.impact,
            one.id,
            one.nodes.slice(0, 3).map((/** @type {any} */ node) => `${node.html.slice(0, 160)} ${node.failureSummary}`),
          ]);
        });
        assert.deepEqual(violations, []);
      },
      { colorScheme: scheme, viewport: { width, height: 900 } },
    );
  }
}

onPage("the switch overrides the system's colours", async (page) => {
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await paper();
  await page.getByLabel("Appearance").selectOption("dark");
  assert.notEqual(await paper(), light);
}, { colorScheme: "light" });

onPage("with 40 KB of layers a keystroke stays well under a frame", async (page) => {
  const items = Array.from({ length: 300 }, (_, index) => `Rule ${index}: ${"never do this in any case at all. ".repeat(4)}`);
  const layers = ["seed", "shared", "bot"].map((name, index) => ({
    layer: name,
    content: { identity: `You are ${name}.`, guardrails: items.slice(index * 100, index * 100 + 100) },
  }));
  await openFile(page, "large.json", JSON.stringify({ layers }));
  await page.locator(".piece", { hasText: "Rule 299" }).waitFor();
  const card = await openLayer(page, "Bot");
  await card.getByLabel("Identity", { exact: true }).focus();
  // Time of the page's own thread, so that other work on this machine does not count.
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const spent = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const parts = ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"];
    return metrics.reduce((sum, { name, value }) => (parts.includes(name) ? sum + value * 1000 : sum), 0);
  };
  /** @param {number} turns */
  const type = (turns) =>
    page.evaluate(async (count) => {
      const area = /** @type {HTMLTextAreaElement} */ (document.activeElement);
      for (let turn = 0; turn < count; turn += 1) {
        area.value += "x";
        area.dispatchEvent(new InputEvent("input", { bubbles: true }));
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      }
    }, turns);
  await type(20);
  const start = await spent();
  await type(40);
  const each = ((await spent()) - start) / 40;
  console.log(`# a keystroke takes ${each.toFixed(1)} ms, style and layout included`);
  assert.match(await prefixOf(page), /x{60}/);
  assert.ok(each < 16.7, `${each} ms`);
});
