/**
 * Sections of the application on the account page.
 *
 * @module
 */
import { InvalidConfig } from "../kernel/errors.ts";
import type { Awaitable, User } from "../kernel/model.ts";

/** HTML that {@linkcode html} has made. */
export interface Html {
  /** Its text. */
  readonly text: string;
}

const made = new WeakSet<object>();

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Makes HTML of a template. Values are escaped, unless they are HTML that it has made itself; of a list, each. Write attributes
 * with quotation marks.
 *
 * @example Usage
 * ```ts
 * import { html } from "@x/auth/account";
 * import assert from "node:assert/strict";
 *
 * assert.equal(html`<p>${"<b>"}</p>`.text, "<p>&lt;b&gt;</p>");
 * ```
 *
 * @throws {TypeError} if it is called with brackets.
 */
export function html(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  // Called as a function, it would take texts of strangers for a template. JSON has no list with such a member.
  if (!Array.isArray(parts?.raw)) {
    throw new TypeError("Cannot make HTML: write `html` before a template, without brackets");
  }
  const text = parts.map((part, index) => part + (index < values.length ? textOf(values[index]) : "")).join("");
  const result = Object.freeze({ text });
  made.add(result);
  return result;
}

/** Whether {@linkcode html} has made a value. */
export function isHtml(value: unknown): value is Html {
  return typeof value === "object" && value !== null && made.has(value);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join("");
  if (isHtml(value)) return value.text;
  return String(value ?? "").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** A section of your own on the account page. */
export interface AccountSection {
  /** Its id: 1 to 32 small letters, digits and hyphens. A page has each once. */
  readonly id: string;
  /** Its heading, or what gives it in a language, such as `de`. */
  readonly title: string | ((language: string) => string);
  /**
   * Draws it. With `submit`, the page puts what it draws into one form, which sends along what every form has to send. So it
   * draws the fields and the button (`<button type="submit" class="button">`), and no form of its own. The classes `field`
   * (with a `label` and an `input`), `hint` and `button` look like those of the page. Styles and scripts do not work in it.
   */
  readonly render: (user: User) => Awaitable<Html>;
  /** Takes what its form has sent. A text that it gives is shown as a mistake. @default it has no form */
  readonly submit?: ((user: User, fields: Readonly<Record<string, string>>) => Awaitable<string | void>) | undefined;
}

/**
 * Makes a section of your own.
 *
 * @throws {InvalidConfig} if its id cannot be one.
 */
export function accountSection(section: AccountSection): AccountSection {
  if (!/^[a-z0-9-]{1,32}$/.test(section.id)) {
    throw new InvalidConfig("Cannot use `accountSection`: `id` must be 1 to 32 small letters, digits and hyphens");
  }
  return Object.freeze({ ...section });
}
