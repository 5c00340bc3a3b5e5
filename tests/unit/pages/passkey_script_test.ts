import { test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { embedded, SCRIPTS } from "../../../scripts/embed_client.ts";
import { PASSKEY_SCRIPT } from "../../../src/pages/passkey_script.ts";
import { renderPage } from "../../../src/pages/render.ts";
import { look, only, passkeyMethod, signInPage } from "./_markup.ts";

const source = await readFile(new URL(`../../../${SCRIPTS.passkey.source}`, import.meta.url), "utf8");

test("the embedded script is the one that is written", () => {
  assert.equal(PASSKEY_SCRIPT, embedded(source), "run scripts/embed_client.ts");
});

test("a page holds the script byte for byte, and nothing of a visitor's in it", async () => {
  for (const text of ["</script>", "<!--", "ada@example.com"]) {
    const { html } = await renderPage(signInPage({ email: text, error: text, methods: [passkeyMethod()] }), look());
    assert.equal(only(html, "script").text, PASSKEY_SCRIPT);
    assert.equal(only(html, "script").attributes.get("type"), "module");
  }
});

test("the script takes less than 6.5 kB", () => {
  assert.ok(new TextEncoder().encode(PASSKEY_SCRIPT).length < 6500);
});

test("the script makes neither markup nor code of text, and loads nothing from elsewhere", () => {
  assert.doesNotMatch(
    PASSKEY_SCRIPT,
    /innerHTML|outerHTML|insertAdjacent|document\.write|eval|Function\(|srcdoc|import|https?:/,
  );
});

test("embedded() leaves out comments and indentation, and keeps the rest", () => {
  const text = '// a\n/** @type {X} */\nconst a = /** @type {Y} */ ("a // b");\n\n  // why\n  go("/*");\n';
  assert.equal(embedded(text), 'const a =  ("a // b");\ngo("/*");');
});

for (const piece of ["`", "${a}", "\\n", "</script>", "<!--"]) {
  test(`embedded() refuses what would end the script or its module: ${piece}`, () => {
    assert.throws(() => embedded(`go("${piece}");`), SyntaxError);
  });
}
