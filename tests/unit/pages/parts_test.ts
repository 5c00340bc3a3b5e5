import { test } from "node:test";
import assert from "node:assert/strict";
import { type ComponentChildren, h } from "preact";
import { renderToString } from "preact-render-to-string";
import { filled, LinkButton, PostForm, SiteLink } from "../../../src/pages/parts.tsx";
import { TEXTS } from "../../../src/texts/en.ts";
import { HOSTILE } from "./_hostile.ts";
import { readMarkup } from "./_markup.ts";

function elementsOf(content: ComponentChildren) {
  return readMarkup(`<!DOCTYPE html>${renderToString(h("main", null, content))}`).slice(1);
}

test("pages escape what ends a text or an attribute, and nothing else", () => {
  assert.equal(
    renderToString(h("p", { class: `"&<>'` }, `"&<>'`)),
    `<p class="&quot;&amp;&lt;>'">&quot;&amp;&lt;>'</p>`,
  );
  assert.equal(renderToString(h("p", null, "&amp;")), "<p>&amp;amp;</p>");
});

test("filled() gives back hostile texts and values as they were, and makes an element of values only", () => {
  for (const text of HOSTILE) {
    const [main, bdi, ...others] = readMarkup(
      `<!DOCTYPE html>${renderToString(h("main", null, filled(`${text}|{name}|`, { name: text }, text)))}`,
    );
    assert.deepEqual([main?.text, bdi?.tag, bdi?.text, others], [`${text}|${text}|`, "bdi", text, []]);
    assert.equal(bdi?.attributes.get("class"), text);
  }
});

test("forms and links lead to web addresses only, whatever address they are given", () => {
  const words = { texts: TEXTS, tag: "en", dir: "ltr", name: "x" } as const;
  const state = { csrfToken: null, callbackUrl: "x" };
  for (
    const url of ["javascript:alert(1)", " javascript:alert(1)", "JaVa\nScRiPt:x", "data:text/html,x", "vbscript:x"]
  ) {
    const [form, , button, , link] = elementsOf([
      h(PostForm, { kind: "plain", action: url, state, children: null }),
      h(LinkButton, { url, text: "x" }),
      h(SiteLink, { url, words }),
    ]);
    assert.equal(form?.attributes.get("action"), "/");
    assert.deepEqual([button, link].map((each) => each?.attributes.get("href")), ["/", "/"]);
  }
});

/** What looks like an element to somebody who reads its members. A configuration may come from JSON. */
const LOOKALIKES: readonly unknown[] = [
  { html: "<script>", toString: () => "<script>" },
  { __html: "<script>" },
  JSON.parse('{"type":"script","props":{"children":"alert(1)"},"key":null,"ref":null,"__v":1,"constructor":null}'),
  JSON.parse('{"type":"p","props":{"dangerouslySetInnerHTML":{"__html":"<script>"}}}'),
  Object("<script>"),
];

test("pages take nothing for an element that they did not make", () => {
  for (const value of LOOKALIKES) {
    assert.deepEqual(elementsOf([value as string, filled("{name}", { name: value as string })]).map(({ tag }) => tag), [
      "bdi",
    ]);
  }
});
