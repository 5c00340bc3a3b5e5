/**
 * The password of a visitor: registering with one, and choosing another with the link of an email.
 *
 * @module
 */
import type { Mailbox } from "./mailbox.ts";
import type { Place } from "./second_factor.ts";

/** Somebody who chooses a password. */
export interface NewPassword {
  /** The address. */
  readonly email: string;
  /** What they type. */
  readonly password: string;
}

/** Somebody who registers. */
export interface NewMember extends NewPassword {
  /** The name. */
  readonly name?: string | undefined;
}

/** Where the emails are, and where the browser goes in the end. */
export interface Chosen {
  readonly mailbox: Mailbox;
  readonly callbackUrl?: string | undefined;
}

/** Registers, and opens the link of the email. */
export async function signUp(
  place: Place,
  { email, password, name }: NewMember,
  { mailbox, callbackUrl }: Chosen,
): Promise<void> {
  const sent = mailbox.all.length;
  await post(place, "signup", { email, password, name, callbackUrl });
  if (mailbox.all.length > sent) await place.tab.open(mailbox.link());
}

/** Asks for an email, opens its link, and chooses a password. */
export async function resetPassword(
  place: Place,
  { email, password }: NewPassword,
  { mailbox, callbackUrl }: Chosen,
): Promise<void> {
  const sent = mailbox.all.length;
  await post(place, "reset", { email, callbackUrl });
  if (mailbox.all.length === sent) return;
  const link = mailbox.link();
  await place.tab.open(link);
  const token = link.searchParams.get("token");
  // Whoever has no account is told so, and gets no token.
  if (token !== null) await post(place, "reset", { email, token, password, callbackUrl });
}

async function post(
  { tab, path }: Place,
  action: string,
  fields: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const form = new URLSearchParams({ csrfToken: await tab.csrf() });
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.set(name, value);
  }
  await tab.arrive(new URL(path(action), tab.origin), tab.origin, form);
}
