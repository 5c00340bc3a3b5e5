/**
 * Sections of the application on the account page.
 *
 * @module
 */
import type { Awaitable, User } from "../kernel/model.ts";

/** Text of HTML that {@linkcode html} has made. */
export interface Html {
  readonly text: string;
}

/** A section of your own on the account page. */
export interface AccountSection {
  /** Its id, in the path to it: letters, digits and hyphens. */
  readonly id: string;
  /** Its heading. */
  readonly title: string | ((language: string) => string);
  /** Draws it. Its forms post to the page: a hidden field `section` with its id is added. */
  readonly render: (user: User) => Awaitable<Html>;
  /** Answers a form of it. A text that it gives is shown as a mistake. */
  readonly submit?: ((user: User, fields: Readonly<Record<string, string>>) => Awaitable<string | void>) | undefined;
}
