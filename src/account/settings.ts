/**
 * What is chosen for the account page, with every default written in.
 *
 * @module
 */
import type { Awaitable, User } from "../kernel/model.ts";
import type { AccountSection } from "./section.ts";

/** What was chosen. */
export interface AccountSettings {
  readonly name: boolean;
  readonly email: boolean;
  /** `null`: nobody deletes their account here. */
  readonly delete: { readonly graceDays: number } | null;
  /** What the application does in place of deleting, or before; see `AccountPageOptions.delete`. */
  readonly deleting: ((user: User) => Awaitable<"delete" | Response>) | null;
  readonly export: ((user: User) => Awaitable<Readonly<Record<string, unknown>>>) | null;
  readonly sections: readonly AccountSection[];
  /** Says in words where a request comes from. */
  readonly place: ((request: Request) => Awaitable<string | null>) | null;
}
