/**
 * The link of an email that undoes what was added to an account.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import { textFromBase64Url, toBase64Url, utf8 } from "../crypto/encoding.ts";
import type { UndoLink } from "../mail/notice.ts";
import type { RequestContext } from "../request/context.ts";
import { requireStorage } from "../request/require_storage.ts";
import { type AddressProof, hashToken, issueProof } from "../sign_in/address_proof.ts";
import { listUrl } from "./owner.ts";

/** Seconds in which what was added can be undone by mail. */
const LIFETIME = 24 * 60 * 60;

/** What the link of an email undoes. */
export interface Undoing {
  readonly userId: string;
  /** Ids of the factors that it removes. */
  readonly ids: readonly string[];
}

/** Makes a link. It works once. */
export async function makeUndoLink(ctx: RequestContext, undoing: Undoing): Promise<UndoLink> {
  const { config } = ctx;
  const expires = new Date(config.runtime.now() + LIFETIME * 1000);
  const subject = await subjectOf(undoing);
  const { token: secret } = await issueProof(config, requireStorage(ctx), { purpose: "factor-undo", subject, expires });
  const token = [toBase64Url(utf8(undoing.userId)), ...undoing.ids, secret].join(".");
  return { url: listUrl(ctx, { act: "undo", token }), lasting: LIFETIME };
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
  const userId = user && textFromBase64Url(user);
  if (!userId) return null;
  const undoing = { userId, ids: ids.split(".") };
  const subject = await subjectOf(undoing);
  return { ...undoing, proof: { purpose: "factor-undo", subject, hashes: await hashToken(secrets, secret) } };
}
