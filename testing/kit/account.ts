/**
 * The account page of a visitor, as a script of the site uses it.
 *
 * @module
 */
import type { AccountAct, AccountView } from "../../src/request/account_views.ts";
import type { Fields } from "./browser.ts";
import type { Place } from "./second_factor.ts";

/** What the account page says. */
export interface AccountAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** The account as it is now; `null` if the answer shows none, such as to a visitor who is not signed in. */
  readonly account: AccountView | null;
  /** Why nothing was shown or done, such as `SessionRequired`; `null` if it was. */
  readonly error: string | null;
  /** What did not work, such as `last-way`; `null` if nothing did not. */
  readonly problem: string | null;
  /** The data of the account, after `export`. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** Reads it. */
export async function readAccount({ tab, path }: Place): Promise<AccountAnswer> {
  return await answerOf(await tab.get(path("account")));
}

/** Sends one of its forms. */
export async function changeAccount({ tab, path }: Place, act: AccountAct, fields: Fields): Promise<AccountAnswer> {
  const form = { csrfToken: await tab.csrf(), ...fields, act };
  return await answerOf(await tab.post(path("account"), form));
}

async function answerOf(response: Response): Promise<AccountAnswer> {
  const { status } = response;
  // An application may answer with a page of its own.
  const body = JSON.parse(await response.text().then((text) => text.startsWith("{") ? text : "{}"));
  return {
    status,
    account: body.view ? withDates(body.view) : null,
    error: body.error ?? null,
    problem: body.problem ?? null,
    data: body.exportedAt ? body : null,
  };
}

/** Members that are times. */
const TIMES = /At$|^(?:at|expires)$/;

function withDates(view: object): AccountView {
  return JSON.parse(
    JSON.stringify(view),
    (name, value) => typeof value === "string" && TIMES.test(name) ? new Date(value) : value,
  );
}
