/**
 * People who change their address, and read the emails about it.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { OutgoingMail } from "@x/auth";
import { type AccountJson, type AccountSite, read } from "./account_site.ts";
import type { Visitor } from "./visitors.ts";

export const NEW = "ada@new.example";

/** The link of the newest email to an address, or of one before. */
export function linkTo({ mails }: Pick<AccountSite, "mails">, address: string, before = 0): URL {
  const mail = mails.filter((mail) => mail.to === address && /https?:/.test(mail.text ?? "")).at(-1 - before);
  return new URL(/https?:\S+/.exec(mail?.text ?? "")?.[0] ?? assert.fail(`no link was sent to ${address}`));
}

/** The subjects of the emails to an address. */
export function subjectsTo({ mails }: { readonly mails: readonly OutgoingMail[] }, address: string): string[] {
  return mails.filter(({ to }) => to === address).map(({ subject }) => subject);
}

/** Sends a form as a script does. Of an error page, it gives the error. */
export async function send(visitor: Visitor, fields: Readonly<Record<string, string>>): Promise<AccountJson> {
  const response = await visitor.post("/auth/account", fields);
  const location = response.headers.get("location");
  if (location === null) return await read(response);
  const error = new URL(location, "http://localhost:3000").searchParams.get("error");
  return { ...(error && { error }) } as AccountJson;
}

/** Presses the button of the page behind a link. */
export async function press(visitor: Visitor, { searchParams }: URL, act?: string): Promise<AccountJson> {
  const fields = { act: act ?? searchParams.get("act") ?? "", token: searchParams.get("token") ?? "" };
  return await send(visitor, fields);
}

/** Asks for another address, and proves it. Gives the link to the former address. */
export async function proveNew(site: AccountSite, visitor: Visitor, former: string, to = NEW): Promise<URL> {
  await visitor.post("/auth/account", { act: "changeEmail", to });
  await press(visitor, linkTo(site, to));
  return linkTo(site, former);
}
