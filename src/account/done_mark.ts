/**
 * What was done just now, in the URL of the overview. Anybody can make a link that says so, and people would believe it: so a
 * mark stands beside it that only this service makes, for one user, one act and a minute.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { keyedUuid, sameText } from "../crypto/digest.ts";
import type { AccountAct } from "../request/account_views.ts";
import type { QueryParams } from "../request/links.ts";
import { actNamed } from "./table.ts";

/** Seconds after which something was not done just now. */
const JUST_NOW = 60;

type Marking = Pick<ResolvedConfig, "secrets" | "runtime">;

/** Gives the parameters that say what a user has done. */
export async function markDone({ secrets, runtime }: Marking, userId: string, done: AccountAct): Promise<QueryParams> {
  const time = Math.floor(runtime.now() / 1000);
  return { done, mark: `${time}.${await keyOf(secrets[0] ?? "", { userId, done, time })}` };
}

/** Reads what a user has done just now; `null` if there is nothing, or the parameters are not from here. */
export async function readDone(
  { secrets, runtime }: Marking,
  userId: string,
  query: URLSearchParams,
): Promise<AccountAct | null> {
  const done = query.get("done") as AccountAct;
  const [, seconds = "", key = ""] = /^(\d{1,12})\.([0-9a-f-]{36})$/.exec(query.get("mark") ?? "") ?? [];
  const time = Number(seconds);
  const age = runtime.now() / 1000 - time;
  if (!actNamed(done) || key === "" || age < 0 || age > JUST_NOW) return null;
  for (const secret of secrets) if (sameText(await keyOf(secret, { userId, done, time }), key)) return done;
  return null;
}

interface Done {
  readonly userId: string;
  readonly done: AccountAct;
  readonly time: number;
}

async function keyOf(secret: string, { userId, done, time }: Done): Promise<string> {
  return await keyedUuid(secret, "account done", userId, done, String(time));
}
