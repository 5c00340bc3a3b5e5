/**
 * Tells what has changed about the second factors of a user: the features, and the user by mail.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import { fromBase64Url, toBase64Url, utf8 } from "../crypto/encoding.ts";
import type { AdapterUser } from "../kernel/model.ts";
import { once } from "../kernel/load.ts";
import type { RequestContext } from "../request/context.ts";
import { type EventSubject, tell } from "../request/events.ts";
import type { FactorRemover, FactorType } from "../request/happened.ts";
import { mailerOf } from "../request/mailer.ts";
import { requireStorage } from "../request/require_storage.ts";
import { type AddressProof, hashToken, issueProof } from "../sign_in/address_proof.ts";
import type { DangerousAct } from "../sign_in/dangerous.ts";
import type { Added } from "../sign_in/notice.ts";
import { listUrl } from "./owner.ts";

const notices = once(() => import("../sign_in/notice.ts"));

/** Seconds in which what was added can be undone by mail. */
const UNDO_LIFETIME = 24 * 60 * 60;

/** What has changed. */
export interface Changed {
  readonly act: DangerousAct;
  readonly user: AdapterUser;
  /** Ids of the factors that a link removes again. @default none */
  readonly undo?: readonly string[];
}

/** Tells features that factors count from now on, and their owner with a link that undoes it. */
export async function tellAdded(ctx: RequestContext, changed: Changed, types: readonly FactorType[]): Promise<void> {
  const { id: userId } = changed.user;
  for (const factor of types) {
    await tell(ctx.config, { type: "factorAdded", event: () => ({ userId, factor }), message: null }, ctx);
  }
  const { undo } = changed;
  const makeUndo = undo && (async () => {
    return {
      url: listUrl(ctx, { act: "undo", token: await makeToken(ctx, { userId, ids: undo }) }),
      lasting: UNDO_LIFETIME,
    };
  });
  await mail(ctx, { ...changed, makeUndo });
}

/** Factors that were removed. */
export interface Removed extends Changed {
  readonly types: readonly FactorType[];
  readonly by: FactorRemover;
  /** Stands for no request, where the application does it. */
  readonly subject?: EventSubject | undefined;
}

/** Tells features that factors were removed, and their owner. */
export async function tellRemoved(
  ctx: RequestContext | Pick<RequestContext, "config">,
  { types, by, subject, ...changed }: Removed,
): Promise<void> {
  const { id: userId } = changed.user;
  const about = "request" in ctx ? ctx : subject;
  for (const factor of types) {
    await tell(ctx.config, { type: "factorRemoved", event: () => ({ userId, factor, by }), message: null }, about);
  }
  await mail("request" in ctx ? ctx : { config: ctx.config }, changed);
}

/** Tells features that a recovery code was used up, and its owner. @param user `null` if they are not stored. */
export async function tellRecoveryUsed(ctx: RequestContext, userId: string, user: AdapterUser | null): Promise<void> {
  await tell(ctx.config, { type: "recoveryCodeUsed", event: () => ({ userId }), message: null }, ctx);
  if (user) await mail(ctx, { act: "useRecoveryCode", user });
}

async function mail(
  ctx: RequestContext | { readonly config: ResolvedConfig },
  { act, user, makeUndo }: Changed & Pick<Added, "makeUndo">,
): Promise<void> {
  const mailer = mailerOf(ctx.config);
  if (mailer) await (await notices()).notify(ctx, mailer, { act, user, provider: "", makeUndo });
}

/** What the link of an email undoes. */
export interface Undoing {
  readonly userId: string;
  /** Ids of the factors that it removes. */
  readonly ids: readonly string[];
}

async function makeToken(ctx: RequestContext, undoing: Undoing): Promise<string> {
  const { config } = ctx;
  const expires = new Date(config.runtime.now() + UNDO_LIFETIME * 1000);
  const subject = await subjectOf(undoing);
  const { token } = await issueProof(config, requireStorage(ctx), { purpose: "factor-undo", subject, expires });
  return [toBase64Url(utf8(undoing.userId)), ...undoing.ids, token].join(".");
}

// Databases limit how long the identifier of a token is.
async function subjectOf({ userId, ids }: Undoing): Promise<string> {
  return await sha256Base64Url(JSON.stringify([userId, ids]));
}

const TOKEN = /^([\w-]{1,2800})\.([\w.-]{1,1000})\.([0-9a-f]{64})$/;

/** Reads the token of a link. `null` if it cannot be one. Nothing says yet that it was ever sent. */
export async function readUndo(
  { secrets }: Pick<ResolvedConfig, "secrets">,
  token: unknown,
): Promise<Undoing & { readonly proof: AddressProof } | null> {
  const [, user = "", ids = "", secret = ""] = (typeof token === "string" && TOKEN.exec(token)) || [];
  const userId = user && textOf(user);
  if (!userId) return null;
  const undoing = { userId, ids: ids.split(".") };
  const subject = await subjectOf(undoing);
  return { ...undoing, proof: { purpose: "factor-undo", subject, hashes: await hashToken(secrets, secret) } };
}

function textOf(encoded: string): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(fromBase64Url(encoded));
  } catch {
    return null;
  }
}
