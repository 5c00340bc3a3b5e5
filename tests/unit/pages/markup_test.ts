import { test } from "node:test";
import assert from "node:assert/strict";
import { asMarkup, attributes, type Content, markup } from "../../../src/pages/markup.ts";
import { HOSTILE } from "./_hostile.ts";
import { readMarkup } from "./_markup.ts";

function elementsOf(html: { toString(): string }) {
  return readMarkup(`<!DOCTYPE html>${html}`);
}

test("markup() escapes what ends a text or an attribute, and nothing else", () => {
  assert.equal(
    String(markup`<p class="${`"&<>'`}">${`"&<>'`}</p>`),
    `<p class="&quot;&amp;&lt;>'">&quot;&amp;&lt;>'</p>`,
  );
  assert.equal(String(markup`<p>${"&amp;"}</p>`), "<p>&amp;amp;</p>");
});

test("markup() gives back hostile text as it was, as text and in an attribute", () => {
  for (const text of HOSTILE) {
    const [element, ...others] = elementsOf(
      markup`<p class="a ${text}"${attributes({ title: text })}>${text}${[text]}</p>`,
    );
    assert.deepEqual([element?.tag, others], ["p", []]);
    assert.equal(element?.text, text + text);
    assert.deepEqual(Object.fromEntries(element?.attributes ?? []), { class: `a ${text}`, title: text });
  }
});

test("markup() takes markup as it is, and lists of it, and writes nothing for what is not there", () => {
  const line = markup`<b>${"&"}</b>`;
  assert.equal(
    String(markup`<p>${line}${["<", [line]]}${null}${undefined}${false}${""}${[]}</p>`),
    "<p><b>&amp;</b>&lt;<b>&amp;</b></p>",
  );
});

test("markup() leaves out line breaks of the template, and none of a value", () => {
  assert.equal(
    String(markup`
      <p>
        ${"a\n  b"} ${"c"}
      </p>
    `),
    "<p>a\n  b c</p>",
  );
});

/** What looks like markup to somebody who reads its members. */
const LOOKALIKES: readonly unknown[] = [
  { html: "<script>", toString: () => "<script>" },
  { __html: "<script>" },
  JSON.parse(`{"#html":"<script>"}`),
  Object("<script>"),
  () => "<script>",
  Symbol("<script>"),
  1,
  true,
  new Map([["html", "<script>"]]),
];

test("markup() takes nothing for markup that was not made by it", () => {
  for (const value of LOOKALIKES) {
    assert.throws(() => markup`<p>${value as string}</p>`, TypeError);
    assert.throws(() => markup`<p class="${value as string}"></p>`, TypeError);
    assert.throws(() => markup`<p${value as string}></p>`, TypeError);
    assert.throws(() => markup`<p>${[[value as string]]}</p>`, TypeError);
  }
});

test("markup() lets no text stand where it could become a tag, an attribute or a comment", () => {
  const writers: readonly ((text: Content) => unknown)[] = [
    (text) => markup`<${text}></p>`,
    (text) => markup`<p ${text}></p>`,
    (text) => markup`<p ${text}="x"></p>`,
    (text) => markup`<p class=${text}></p>`,
    (text) => markup`<p class='${text}'></p>`,
    (text) => markup`<p></${text}>`,
    (text) => markup`<!-- ${text} -->`,
    (text) => markup`<p class="a" ${text} id="b"></p>`,
  ];
  for (const write of writers) {
    for (const value of ["x", "", markup`<b></b>`, ["x"], asMarkup("x")]) assert.throws(() => write(value), TypeError);
  }
});

test("markup() lets markup and lists stand between tags only, and attributes behind a name only", () => {
  assert.throws(() => markup`<p class="${markup`<b></b>`}"></p>`, TypeError);
  assert.throws(() => markup`<p class="${["x"]}"></p>`, TypeError);
  assert.throws(() => markup`<p class="${attributes({ id: "x" })}"></p>`, TypeError);
  assert.throws(() => markup`<p>${attributes({ id: "x" })}</p>`, TypeError);
});

test("markup() refuses a template that ends within a tag", () => {
  assert.throws(() => markup`<p`, TypeError);
  assert.throws(() => markup`<p class="`, TypeError);
});

test("attributes() writes words, and leaves out what is not there", () => {
  const given = { id: "a", hidden: true, disabled: false, for: undefined, value: "" };
  assert.equal(String(attributes(given)), ' id="a" hidden value');
});

test("attributes() refuses values that are neither a text nor yes or no", () => {
  for (const value of LOOKALIKES.filter((each) => each !== true)) {
    assert.throws(() => attributes({ id: value as string }), TypeError);
  }
});

test("attributes() refuses names that are not plain", () => {
  for (const name of [...HOSTILE, "", "A", "a b", "a=b", "a/", "a>", 'a"', "1", "a\n", "ä"]) {
    assert.throws(() => attributes({ [name]: "x" }), TypeError);
    assert.throws(() => attributes({ [name]: undefined }), TypeError);
  }
});
