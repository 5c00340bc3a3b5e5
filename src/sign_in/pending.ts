/**
 * A sign-in that waits for another proof.
 *
 * What the first proof allows by itself is written; everything else is decided again after the second one, on what is then
 * true. The sign-in is a record, and the browser has its key in a cookie.
 *
 * @module
 */
import type { StoredRecord } from "../contract/adapter.ts";
import { openAtRest, sealAtRest } from "../crypto/at_rest.ts";
import { sha256Base64Url } from "../crypto/digest.ts";
import { randomText } from "../crypto/random.ts";
import { decodeMembers, encodeMembers } from "../kernel/dated_json.ts";
import { CallbackRouteError } from "../kernel/errors.ts";
import { PENDING_LIFETIME } from "../http/cookie_specs.ts";
import type { RequestContext } from "../request/context.ts";
import { hasEnded, type NamedSession } from "../session_stores/without_rows.ts";
import { recordsIn } from "../storage/stored_records.ts";
import type { SignInAttempt } from "./attempt.ts";

/** A sign-in whose first proof was given. */
export interface Pending {
  readonly attempt: SignInAttempt;
  /** Whether the first proof created the user. */
  readonly isNewUser: boolean;
  /** Where the browser goes in the end. */
  readonly redirectUrl: string;
  /** What may prove it. */
  readonly missing: readonly string[];
  /** The further proofs that were given so far, as RFC 8176 names them. */
  readonly methods: readonly string[];
}

/** A sign-in that waits, ready to be stored. */
export interface Held {
  readonly record: StoredRecord;
  /** Gives the browser its key, once the record is stored. */
  readonly open: () => void;
}

/** Makes the record of a sign-in that waits. @param userId Whose it is, if they are stored. */
export async function hold(ctx: RequestContext, pending: Pending, userId: string | null): Promise<Held> {
  const { config: { sealer, runtime }, cookies } = ctx;
  const key = randomText(runtime);
  const id = await sha256Base64Url(key);
  const sealed = await sealAtRest(sealer, { purpose: PURPOSE, owner: id }, toText(pending));
  const expires = new Date(runtime.now() + PENDING_LIFETIME * 1000);
  return {
    record: { kind: "pending", id, version: 0, userId, expires, data: { sealed } },
    open: () => {
      if (!cookies.closed) cookies.write("pending", key);
    },
  };
}

/** A sign-in that waits, as it was found. */
export interface FoundPending extends Pending {
  /** Id of its user, if they are stored. */
  readonly userId: string | null;
  /** The key of its record, and its version: it goes on once. */
  readonly key: { readonly kind: string; readonly id: string; readonly version: number };
}

/** Finds the sign-in of a browser that waits; `null` if there is none, or it has expired, has gone on, or was ended. */
export async function findPending({ config, cookies }: RequestContext): Promise<FoundPending | null> {
  const key = cookies.read("pending");
  const records = config.storage && recordsIn(config.storage);
  if (!key || !records) return null;
  const id = await sha256Base64Url(key);
  const record = await records.getRecord({ kind: "pending", id });
  // Storage may be another machine, with another clock.
  if (!record?.expires || record.expires.getTime() <= config.runtime.now()) return null;
  const { sealed } = record.data;
  const text = typeof sealed === "string"
    ? await openAtRest(config.sealer, { purpose: PURPOSE, owner: id }, sealed)
    : null;
  if (text === null) return null;
  const { userId = null } = record;
  const pending = decodeMembers(text) as unknown as Pending;
  const named = sessionOf(pending.attempt);
  if (named && await hasEnded(config.storage, named)) return null;
  return {
    ...pending,
    userId,
    key: { kind: record.kind, id, version: record.version },
  };
}

/** The session at the provider that the sign-in began with, if it has a name. */
function sessionOf(attempt: SignInAttempt): NamedSession | null {
  const sid = attempt.method === "oauth" ? attempt.providerSession?.sid : undefined;
  return sid === undefined ? null : { provider: attempt.account.provider, sid };
}

const PURPOSE = "pending sign-in";

function toText(pending: Pending): string {
  try {
    return encodeMembers({ ...pending });
  } catch (cause) {
    throw new CallbackRouteError(
      "Cannot let the sign-in wait for a second proof: JSON cannot hold its user or profile. Write a BigInt as text, and " +
        "leave out what refers back to itself",
      { cause, logCode: "callback-result" },
    );
  }
}

/**
 * Gives an attempt as it goes on after the second proof: the passkey that it made, or the counter that it has used, is
 * stored by now.
 */
export function resumable(attempt: SignInAttempt): SignInAttempt {
  if (attempt.method !== "webauthn") return attempt;
  const { proof } = attempt;
  const [credentialID, counter] = proof.act === "register"
    ? [proof.authenticator.credentialID, proof.authenticator.counter]
    : [proof.credentialID, proof.newCounter];
  return { ...attempt, proof: { act: "authenticate", credentialID, storedCounter: counter, newCounter: counter } };
}
