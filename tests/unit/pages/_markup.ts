/** Reads the markup of a page strictly: whatever a browser would have to repair or guess is an error. */
import assert from "node:assert/strict";
import type { Look, RenderedPage } from "../../../src/pages/render.ts";
import type { Page, SignInMethod } from "../../../src/request/outcome.ts";
import type { CredentialField, ProviderStyle } from "../../../src/contract/provider.ts";

export interface Element {
  readonly tag: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Its own text and that of all within. */
  text: string;
  readonly path: readonly Element[];
}

const VOID = new Set(["img", "input", "meta", "hr", "source"]);
/** Elements whose text is not markup; entities count in a title only. */
const RAW = new Set(["style", "title", "script"]);
const TAG = /<(\/?)([a-z][a-z0-9]*)((?: [a-zA-Z-]+(?:="[^"]*")?)*)(\/?)>/y;
const ATTRIBUTE = / ([a-zA-Z-]+)(?:="([^"]*)")?/g;

export function readMarkup(html: string): readonly Element[] {
  const doctype = "<!DOCTYPE html>";
  assert.ok(html.startsWith(doctype));
  const all: Element[] = [];
  let open: Element[] = [];
  let at = doctype.length;
  while (at < html.length) {
    const inside = open.at(-1);
    const raw = inside && RAW.has(inside.tag);
    const end = raw ? endOfRaw(html, inside.tag, at) : html.indexOf("<", at);
    assert.notEqual(end, -1, "text outside of the document");
    const text = html.slice(at, end);
    for (const element of open) element.text += raw && element.tag !== "title" ? text : decode(text);
    TAG.lastIndex = end;
    const match = TAG.exec(html);
    assert.ok(match, `not a plain tag: ${html.slice(end, end + 60)}`);
    const [whole, closing, tag = "", attributes = ""] = match;
    at = end + whole.length;
    if (closing) {
      assert.equal(tag, inside?.tag, "tags close in order");
      open = open.slice(0, -1);
      continue;
    }
    const element: Element = { tag, attributes: readAttributes(attributes), text: "", path: open };
    all.push(element);
    if (!VOID.has(tag)) open = [...open, element];
  }
  assert.deepEqual(open, [], "every element is closed");
  return all;
}

/** Finds where a browser ends a raw text: in any case. */
function endOfRaw(html: string, tag: string, at: number): number {
  const found = html.slice(at).search(new RegExp(`</${tag}`, "i"));
  return found === -1 ? -1 : at + found;
}

function readAttributes(source: string): ReadonlyMap<string, string> {
  const read = new Map<string, string>();
  for (const [, name = "", value = ""] of source.matchAll(ATTRIBUTE)) {
    assert.ok(!read.has(name), `attribute given twice: ${name}`);
    read.set(name, decode(value));
  }
  return read;
}

function decode(text: string): string {
  assert.ok(!text.includes("<"));
  return text.replaceAll(/&([a-z]+|#\d+);/g, (whole, name) => {
    const known: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
    assert.ok(Object.hasOwn(known, name), `unexpected entity ${whole}`);
    return known[name] ?? "";
  });
}

export function all(html: string, tag: string): readonly Element[] {
  return readMarkup(html).filter((element) => element.tag === tag);
}

export function only(html: string, tag: string): Element {
  const [first, ...others] = all(html, tag);
  assert.ok(first && others.length === 0, `exactly one <${tag}>`);
  return first;
}

export function byClass(html: string, name: string): readonly Element[] {
  return readMarkup(html).filter(({ attributes }) => attributes.get("class")?.split(" ").includes(name));
}

/** The inputs of each form, as `name -> value`. */
export function forms(html: string): readonly { action: string | undefined; inputs: Record<string, string> }[] {
  const elements = readMarkup(html);
  const inputs = elements.filter(({ tag }) => tag === "input");
  return elements.filter(({ tag }) => tag === "form").map((form) => ({
    action: form.attributes.get("action"),
    inputs: Object.fromEntries(
      inputs.filter(({ path }) => path.includes(form))
        .map(({ attributes }) => [attributes.get("name") ?? "", attributes.get("value") ?? ""]),
    ),
  }));
}

export function directive({ csp }: Pick<RenderedPage, "csp">, name: string): readonly string[] | undefined {
  const found = csp.split("; ").map((part) => part.split(" ")).filter(([first]) => first === name);
  assert.ok(found.length < 2, `${name} stands once`);
  return found[0]?.slice(1);
}

export function look(over: Partial<Look> = {}): Look {
  const visitor = { request: new Request("https://app.test/auth"), url: new URL("https://app.test/auth") };
  return { theme: {}, formAction: [], https: true, visitor, ...over };
}

export function signInPage(over: Partial<Extract<Page, { name: "signin" }>> = {}): Page {
  return {
    name: "signin",
    csrfToken: "token",
    callbackUrl: "https://app.test/next",
    error: null,
    email: null,
    methods: [],
    ...over,
  };
}

export function oauthMethod(id = "github", style: ProviderStyle = {}, name = "GitHub"): SignInMethod {
  return { type: "oauth", id, name, action: `https://app.test/auth/signin/${id}`, style };
}

export function emailMethod(id = "email", style: ProviderStyle = {}, name = "Email"): SignInMethod {
  return { ...oauthMethod(id, style, name), type: "email" } as SignInMethod;
}

export function passkeyMethod(
  fields: Readonly<Record<string, CredentialField>> = { email: { label: "Email", required: true } },
  id = "passkey",
  style: ProviderStyle = {},
): SignInMethod {
  return {
    ...{ type: "webauthn", id, name: "Passkey", style, fields, autofill: true, registers: true, listsByEmail: false },
    action: `https://app.test/auth/callback/${id}`,
    optionsUrl: `https://app.test/auth/webauthn-options/${id}`,
    confirmUrl: null,
  };
}

/** The page behind a link in a mail, with a text at every place that has one. */
export function confirmPage(text: string): Page {
  return { name: "confirm-email", csrfToken: text, action: text, callbackUrl: text, email: text, siteUrl: text };
}

export function credentialsMethod(
  fields: Readonly<Record<string, CredentialField>>,
  id = "credentials",
  style: ProviderStyle = {},
): SignInMethod {
  return {
    type: "credentials",
    id,
    name: "Credentials",
    action: `https://app.test/auth/callback/${id}`,
    style,
    fields,
  };
}
