/**
 * Kinds of pages: two pages of one kind differ in their entries alone.
 *
 * A visitor chooses between a few kinds, but cannot invent one; all else in them comes from the configuration.
 *
 * @module
 */
import { BoundedMap } from "../kernel/bounded_map.ts";
import { schemeOf } from "./brand.ts";
import { inputAttributes, labelOf } from "./fields.tsx";
import { pageError, signInError } from "./texts.ts";
import type { Look } from "./document.tsx";
import type { Theme } from "../kernel/model.ts";
import type { Page, SignInMethod } from "../request/outcome.ts";

/** Names the kind of a page. Everything that changes the document or its policy is in it, entries excepted. */
export function kindOf(page: Page, { theme, formAction, https }: Look): string {
  return JSON.stringify([page.name, numberOf(theme, describeTheme), formAction, https, ...traitsOf(page)]);
}

function traitsOf(page: Page): readonly (string | number | boolean | null)[] {
  switch (page.name) {
    case "signin": {
      const error = page.error === null ? null : signInError(page.error);
      return [page.csrfToken === null, page.email === null, error, numberOf(page.methods, describeMethods)];
    }
    case "signout":
    case "confirm-email":
      return [page.csrfToken === null];
    case "error":
      return [pageError(page.error).heading];
    case "verify-request":
      return [];
    default:
      return page satisfies never;
  }
}

function describeTheme(theme: Theme): string {
  return JSON.stringify([schemeOf(theme), ...[theme.brandColor, theme.buttonText, theme.logo].map(text)]);
}

function describeMethods(methods: readonly SignInMethod[]): string {
  return JSON.stringify(methods.map((method) => {
    const { id, name, type, style: { bg, bgDark, logo, logoDark, text: ink, textDark: inkDark } } = method;
    const looks = [bg, bgDark, logo, logoDark, ink, inkDark].map(text);
    return [
      id,
      name,
      type,
      ...looks,
      fieldsOf(method),
      method.type === "webauthn" && [method.autofill, method.registers],
    ];
  }));
}

function fieldsOf(method: SignInMethod): readonly unknown[] | null {
  if (method.type !== "credentials" && method.type !== "webauthn") return null;
  return Object.entries(method.fields).map(([key, field]) => [
    ...[key, labelOf(key, field)],
    Object.entries(inputAttributes(key, field, null)),
  ]);
}

// A configuration that was not checked may hold anything here; pages show none of it.
function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Descriptions are long, and a number is all that a kind needs of them. A number forgotten is never given again. */
const numbers = new BoundedMap<string, number>(256);
let last = 0;

const seen = new WeakMap<object, number>();

function numberOf<T extends object>(thing: T, describe: (thing: T) => string): number {
  const before = seen.get(thing);
  if (before !== undefined) return before;
  const description = describe(thing);
  const number = numbers.get(description) ?? ++last;
  numbers.set(description, number);
  // What is not frozen may be something else the next time. Frozen lists are frozen all the way down.
  if (Object.isFrozen(thing)) seen.set(thing, number);
  return number;
}
