/**
 * The end of a ceremony.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { InvalidCheck, WebAuthnVerificationError } from "../kernel/errors.ts";
import type { Fields } from "../http/body.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import type { AdapterAuthenticator } from "../kernel/model.ts";
import type { Outcome } from "../request/outcome.ts";
import type { ResolvedWebAuthnProvider } from "../config/resolved_provider.ts";
import type { WebAuthnAttempt } from "../sign_in/attempt.ts";
import { completeSignIn } from "../sign_in/complete.ts";
import { verifyAssertion, verifyAttestation } from "./ceremony.ts";
import { type Ceremony, redeemChallenge } from "./challenge.ts";
import { type Assertion, readAssertion, readAttestation } from "./credential.ts";
import { matchesUserHandle, userHandleOf } from "./user_handle.ts";
import { relyingPartyOf } from "./relying_party.ts";
import { findCredential, storageOf } from "./stored.ts";

/** What the end of a ceremony needs. */
export interface FinishInput {
  readonly provider: ResolvedWebAuthnProvider;
  /** What was done in `action`, and the credential as JSON in `data`. */
  readonly fields: Fields;
  /** Where the visitor goes when the sign-in is complete. */
  readonly redirectUrl: RedirectUrl;
}

/**
 * Verifies what an authenticator answered and completes the sign-in.
 *
 * @throws {InvalidCheck} if the ceremony was not begun by this browser, has expired, or was finished before.
 * @throws {WebAuthnVerificationError} if the answer does not hold, or the passkey is nobody's.
 */
export async function finishCeremony(ctx: RequestContext, input: FinishInput): Promise<Outcome> {
  const { provider, fields, redirectUrl: target } = input;
  const ceremony = await redeemChallenge(ctx, { provider: provider.id, action: fields.action });
  const finish = ceremony.action === "register" ? register : authenticate;
  return await completeSignIn(ctx, await finish(ctx, input, ceremony), target);
}

async function authenticate(
  ctx: RequestContext,
  { provider, fields }: FinishInput,
  ceremony: Ceremony,
): Promise<WebAuthnAttempt> {
  const storage = storageOf(ctx.config);
  const assertion = readAssertion(fields.data);
  const stored = await findCredential(storage, assertion.id);
  const account = {
    provider: provider.id,
    providerAccountId: stored?.providerAccountId ?? "",
    type: "webauthn" as const,
  };
  const user = stored && await storage.getUserByAccount(account);
  if (!user || user.id !== stored.userId) {
    throw new WebAuthnVerificationError("Cannot sign in: the passkey is nobody's");
  }
  assertSameUser(ceremony, assertion, stored);
  const setting = { provider, party: relyingPartyOf(provider, ctx.url), challenge: ceremony.challenge };
  const { counter: to, backedUp } = await verifyAssertion(setting, assertion, stored);
  const { credentialID, counter: from } = stored;
  if (backedUp !== Boolean(stored.credentialBackedUp)) {
    await storage.updateAuthenticator?.({ credentialID, credentialBackedUp: backedUp });
  }
  return {
    method: "webauthn",
    user,
    account,
    proof: { act: "authenticate", credentialID, storedCounter: from, newCounter: to },
  };
}

// WebAuthn Level 3, section 7.2, step 6: the credential, its handle, and who was asked must be of the same user.
function assertSameUser(
  { startedBy }: Ceremony,
  { response: { userHandle } }: Assertion,
  { userId, userHandle: known }: AdapterAuthenticator,
): void {
  const isAsked = startedBy === null ? userHandle !== undefined : startedBy === userId;
  const isNamed = !userHandle || !known || matchesUserHandle(userHandle, known);
  if (!isAsked || !isNamed) throw new WebAuthnVerificationError("Cannot sign in: the passkey is of another user");
}

async function register(
  ctx: RequestContext,
  { provider, fields }: FinishInput,
  { challenge, startedBy, user }: Ceremony,
): Promise<WebAuthnAttempt> {
  if (!user) throw new InvalidCheck("Cannot add passkey: the ceremony was begun for nobody");
  if (startedBy === null && !provider.registersStrangers) {
    throw new InvalidCheck("Cannot add passkey: whoever makes one must be signed in");
  }
  const setting = { provider, party: relyingPartyOf(provider, ctx.url), challenge };
  const made = await verifyAttestation(setting, readAttestation(fields.data));
  const authenticator = { ...made, userHandle: await userHandleOf(user.id) };
  const account = { provider: provider.id, providerAccountId: made.providerAccountId, type: "webauthn" as const };
  const proof = {
    act: "register" as const,
    authenticator,
    addToUserId: startedBy,
    maxCredentials: provider.maxCredentials,
  };
  return { method: "webauthn", user, account, proof };
}
