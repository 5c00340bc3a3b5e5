/**
 * The sessions of somebody, with the browser, the system and the place that each began in.
 *
 * What was seen is kept in a record beside the session, and expires with it. Storage without records knows nothing of it.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { AdapterSession, StoredRecord } from "../contract/adapter.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { CallbackRouteError } from "../kernel/errors.ts";
import type { AccountSession } from "../request/account_views.ts";
import type { RequestContext } from "../request/context.ts";
import type { Entered } from "../request/points.ts";
import { knowsSessions, liveRowsOf, sessionOf } from "../session/user_sessions.ts";
import { rowKeyOf } from "../session_stores/auth_session.ts";
import { authenticationOf } from "../session_stores/authentication.ts";
import { sessionIdOf } from "../session_stores/session_id.ts";
import type { Actor } from "../sign_in/actor.ts";
import { type Records, recordsIn } from "../storage/stored_records.ts";
import { deviceOf } from "./device.ts";
import type { AccountSettings } from "./settings.ts";

/** The kind of the records. */
const SEEN = "seen";

type Seen = Pick<AccountSession, "browser" | "system" | "place">;

const UNSEEN: Seen = { browser: null, system: null, place: null };

/** The longest place, in characters. */
const LONGEST_PLACE = 128;

/** Keeps what a session began in. The one that takes its place began where it did. */
export async function noteEntered(
  ctx: RequestContext,
  { user, session }: Entered,
  settings: Pick<AccountSettings, "place">,
): Promise<void> {
  const records = recordsOf(ctx.config);
  if (!session || !records || !user.id) return;
  const former = session.replaces === undefined ? null : await take(records, session.replaces);
  const seen = former ?? { ...deviceOf(ctx.request.headers.get("user-agent")), place: await placeOf(ctx, settings) };
  const { key, expires } = session;
  await records.putRecord({
    kind: SEEN,
    id: await idOf(key),
    userId: user.id,
    version: 0,
    expires,
    data: { ...seen },
  });
}

async function take(records: Records, sessionKey: string): Promise<Seen | null> {
  const key = { kind: SEEN, id: await idOf(sessionKey) };
  const found = await records.getRecord(key);
  if (found) await records.removeRecord(key);
  return found && seenIn(found);
}

// Nobody gets a session with what is stored here.
async function idOf(key: string): Promise<string> {
  return await sha256Base64Url(key);
}

function recordsOf({ storage }: Pick<ResolvedConfig, "storage">): Records | null {
  return storage && recordsIn(storage);
}

/** The share of the time of an answer that a sign-in waits for the place. */
const PATIENCE = 1 / 4;

async function placeOf(ctx: RequestContext, { place }: Pick<AccountSettings, "place">): Promise<string | null> {
  if (!place) return null;
  const { runtime, timeouts } = ctx.config;
  try {
    const said: unknown = await withDeadline(runtime, timeouts.total * PATIENCE, "`place`", () => place(ctx.request));
    return typeof said === "string" ? oneLine(said) : null;
  } catch (cause) {
    const message = "Cannot say where a sign-in comes from: `place` of `accountPage` failed";
    ctx.config.logger.error(new CallbackRouteError(message, { cause, logCode: "callback-threw" }), ctx);
    return null;
  }
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim().slice(0, LONGEST_PLACE).toWellFormed();
}

function seenIn({ data }: StoredRecord): Seen {
  const text = (name: keyof Seen) => typeof data[name] === "string" && data[name] !== "" ? data[name] : null;
  return { browser: text("browser"), system: text("system"), place: text("place") };
}

/** Lists the sessions of somebody: only the one that asks, where storage knows no others. */
export async function sessionsOf(ctx: RequestContext, actor: Actor): Promise<readonly AccountSession[]> {
  const { config } = ctx;
  if (!knowsSessions(config)) return [await onlyCurrent(ctx, actor)];
  const [rows, seen] = await Promise.all([liveRowsOf(config, actor.user.id), listSeen(config, actor.user.id)]);
  const currentKey = rowKeyOf(actor.active);
  const own = await onlyCurrent(ctx, actor);
  const listed = await Promise.all(rows.map(async (row): Promise<AccountSession> => {
    const isCurrent = row.sessionToken === currentKey;
    const { id, expires, signedInAt, provider } = await sessionOf(config, row);
    return {
      id,
      isCurrent,
      // A row need not say it where the cookie beside it does.
      signedInAt: signedInAt ?? (isCurrent ? own.signedInAt : null),
      expires,
      provider: nameOf(config, provider) ?? (isCurrent ? own.provider : null),
      ...await seenOf(ctx, row, seen) ?? (isCurrent ? pick(own) : UNSEEN),
    };
  }));
  // A sealed session of an earlier version has no row yet.
  return listed.some(({ isCurrent }) => isCurrent) ? listed : [own, ...listed];
}

function pick({ browser, system, place }: Seen): Seen {
  return { browser, system, place };
}

async function listSeen(config: ResolvedConfig, userId: string): Promise<ReadonlyMap<string, StoredRecord>> {
  const found = await recordsOf(config)?.listRecords({ kind: SEEN, userId }) ?? [];
  return new Map(found.map((record) => [record.id, record]));
}

// A session that is used lasts longer than it did when it began.
async function seenOf(
  { config }: RequestContext,
  { sessionToken, expires }: AdapterSession,
  seen: ReadonlyMap<string, StoredRecord>,
): Promise<Seen | null> {
  const record = seen.get(await idOf(sessionToken));
  if (!record) return null;
  const isShorter = record.expires && record.expires < expires;
  if (isShorter) await recordsOf(config)?.putRecord({ ...record, expires });
  return seenIn(record);
}

async function onlyCurrent({ config, incoming }: RequestContext, { user, active }: Actor): Promise<AccountSession> {
  const { time, provider } = authenticationOf(active);
  const sessionToken = rowKeyOf(active);
  return {
    id: sessionToken === null ? "current" : await sessionIdOf(config.secrets[0], { userId: user.id, sessionToken }),
    isCurrent: true,
    signedInAt: time === undefined ? null : new Date(time * 1000),
    expires: expiryOf(config, active),
    provider: nameOf(config, provider),
    ...deviceOf(incoming.headers.get("user-agent")),
    place: null,
  };
}

function expiryOf({ runtime, session }: ResolvedConfig, active: Actor["active"]): Date {
  if (active.strategy === "database") return active.session.expires;
  const { exp } = active.claims;
  return new Date(typeof exp === "number" ? exp * 1000 : runtime.now() + session.maxAge * 1000);
}

function nameOf({ providers }: ResolvedConfig, id: string | undefined): string | null {
  return id === undefined ? null : providers.get(id)?.name ?? id;
}
