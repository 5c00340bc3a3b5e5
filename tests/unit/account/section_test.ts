import assert from "node:assert/strict";
import { test } from "node:test";
import { accountSection, html, isHtml } from "../../../src/account/section.ts";

test("values are escaped in texts and attributes", () => {
  const typed = `<script>alert('1')</script>"&`;
  const escaped = "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;";
  assert.equal(html`<p title="${typed}">${typed}</p>`.text, `<p title="${escaped}">${escaped}</p>`);
});

test("what the tag has made is put in as it is, and of a list each", () => {
  const items = ["<a>", html`<b>${"&"}</b>`].map((one) => html`<li>${one}</li>`);
  assert.equal(html`<ul>${items}</ul>`.text, "<ul><li>&lt;a&gt;</li><li><b>&amp;</b></li></ul>");
  assert.equal(html`<p>${["<", [">"]]}</p>`.text, "<p>&lt;&gt;</p>");
});

test("nothing is written where there is no value, and numbers as they are", () => {
  assert.equal(html`<p>${null}${undefined}${0}${false}</p>`.text, "<p>0false</p>");
});

test("an object that only looks like what the tag makes is no HTML", () => {
  assert.equal(isHtml({ text: "<script>" }), false);
  assert.equal(isHtml(JSON.parse('{"text":"<script>"}')), false);
  assert.equal(isHtml(html`<p></p>`), true);
  assert.equal(html`<p>${{ text: "<b>" }}</p>`.text, "<p>[object Object]</p>");
  assert.equal(html`<p>${{ toString: () => "<b>" }}</p>`.text, "<p>&lt;b&gt;</p>");
});

test("what the tag has made cannot be changed", () => {
  const made = html`<p></p>`;
  assert.throws(() => Object.assign(made, { text: "<script>" }), TypeError);
});

test("a section without a usable id is refused", () => {
  const render = () => html`<p></p>`;
  for (const id of ["", "A", "a b", "a".repeat(33), "ä"]) {
    assert.throws(() => accountSection({ id, title: "News", render }), /`id` must be/);
  }
  assert.equal(accountSection({ id: "news-1", title: "News", render }).id, "news-1");
});

test("a text that is given in brackets is no template", () => {
  const given = JSON.parse('["<script>alert(1)</script>"]') as TemplateStringsArray;
  assert.throws(() => html(given), /without brackets/);
  assert.throws(() => html("<b>" as unknown as TemplateStringsArray), /without brackets/);
  assert.throws(() => html(undefined as unknown as TemplateStringsArray), /without brackets/);
});
