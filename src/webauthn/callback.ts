/**
 * The second half of a ceremony: the browser sends the response of the authenticator.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { requireStorage } from "../request/require_storage.ts";
import { InvalidCheck, WebAuthnVerificationError } from "../kernel/errors.ts";
import type { Fields } from "../http/body.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import type { AdapterAuthenticator, Authenticator } from "../kernel/model.ts";
import type { Outcome } from "../request/outcome.ts";
import type { ResolvedWebAuthnProvider } from "../config/resolved_provider.ts";
import type { WebAuthnAttempt } from "../sign_in/attempt.ts";
import { completeSignIn } from "../sign_in/complete.ts";
import { accountKeyOf } from "../sign_in/facts.ts";
import { passkeyInfoId } from "../sign_in/passkey_info.ts";
import { verifyAssertion, verifyAttestation } from "./ceremony.ts";
import { type Ceremony, redeemChallenge } from "./challenge.ts";
import { type Assertion, type Attestation, readAssertion, readAttestation } from "./credential.ts";
import { findCredential, matchesUserHandle, relyingPartyOf, userHandleOf } from "./entities.ts";

/** What {@linkcode finishCeremony} needs. */
export interface FinishInput {
  readonly provider: ResolvedWebAuthnProvider;
  /** The form: `action`, and the credential as JSON in `data`. */
  readonly fields: Fields;
  /** Where the browser goes after the sign-in. */
  readonly redirectUrl: RedirectUrl;
}

/**
 * Verifies the response of an authenticator and completes the sign-in.
 *
 * @throws {InvalidCheck} if this browser did not start the ceremony, or it has expired or was finished before.
 * @throws {WebAuthnVerificationError} if the response is not valid, or the passkey is unknown.
 */
export async function finishCeremony(ctx: RequestContext, input: FinishInput): Promise<Outcome> {
  const { provider, fields, redirectUrl } = input;
  const ceremony = await redeemChallenge(ctx, { provider: provider.id, action: fields.action });
  const finish = ceremony.action === "authenticate" ? authenticate : register;
  return await completeSignIn(ctx, await finish(ctx, input, ceremony), redirectUrl);
}

async function authenticate(
  ctx: RequestContext,
  { provider, fields }: FinishInput,
  ceremony: Ceremony,
): Promise<WebAuthnAttempt> {
  const storage = requireStorage(ctx);
  const assertion = readAssertion(fields.data);
  const stored = await findCredential(storage, assertion.id);
  if (!stored) throw unknownPasskey();
  const account = {
    provider: provider.id,
    providerAccountId: stored.providerAccountId,
    type: "webauthn" as const,
  };
  const user = await storage.getUserByAccount(accountKeyOf(account));
  if (!user || user.id !== stored.userId) {
    throw new WebAuthnVerificationError("Cannot sign in: the passkey is unknown");
  }
  assertSameUser(ceremony, assertion, stored);
  const expected = { provider, party: relyingPartyOf(provider, ctx.url), challenge: ceremony.challenge };
  const { counter: newCounter, backedUp, userVerified } = await verifyAssertion(expected, assertion, stored);
  const { credentialID, counter: storedCounter } = stored;
  if (backedUp !== Boolean(stored.credentialBackedUp)) {
    await storage.updateAuthenticator?.({ credentialID, credentialBackedUp: backedUp });
  }
  const proof = { act: "authenticate" as const, credentialID, storedCounter, newCounter };
  return { method: "webauthn", user, account, proof, userVerified, deviceType: stored.credentialDeviceType };
}

// The page tells the authenticator, which then stops offering it. This reveals nothing: only its owner knows the id.
function unknownPasskey(): WebAuthnVerificationError {
  const error = new WebAuthnVerificationError("Cannot sign in: the passkey is unknown");
  error.code = "unknown_passkey";
  return error;
}

// WebAuthn Level 3, section 7.2, step 6: the credential, its user handle and the user who was asked must belong together.
function assertSameUser(
  { startedBy, listedFor }: Ceremony,
  { response: { userHandle } }: Assertion,
  { userId, userHandle: known }: AdapterAuthenticator,
): void {
  const askedFor = startedBy ?? listedFor;
  const isAsked = askedFor === null ? userHandle !== undefined : askedFor === userId;
  const isNamed = !userHandle || !known || matchesUserHandle(userHandle, known);
  if (!isAsked || !isNamed) throw new WebAuthnVerificationError("Cannot sign in: the passkey belongs to another user");
}

async function register(
  ctx: RequestContext,
  { provider, fields }: FinishInput,
  { action, challenge, startedBy, user }: Ceremony,
): Promise<WebAuthnAttempt> {
  if (!user) throw new InvalidCheck("Cannot add passkey: the ceremony was started without a user");
  const isUpgrade = action === "upgrade";
  if (startedBy === null && (isUpgrade || provider.confirms || !provider.registersStrangers)) {
    throw new InvalidCheck("Cannot add passkey: sign in first");
  }
  const expected = { provider, party: relyingPartyOf(provider, ctx.url), challenge };
  const attestation = readAttestation(fields.data);
  const { made, userVerified, aaguid } = await verifyAttestation(expected, attestation, isUpgrade);
  if (!provider.listsByEmail) assertDiscoverable(attestation, made);
  const authenticator = { ...made, userHandle: await userHandleOf(user.id) };
  const account = { provider: provider.id, providerAccountId: made.providerAccountId, type: "webauthn" as const };
  const proof = {
    act: "register" as const,
    authenticator,
    label: { id: await passkeyInfoId(made.credentialID), aaguid },
    addToUserId: startedBy,
    maxCredentials: provider.maxCredentials,
  };
  return { method: "webauthn", user, account, proof, userVerified, deviceType: made.credentialDeviceType };
}

// Credentials that are synced among devices are discoverable; some browsers say nothing more about them.
function assertDiscoverable({ isDiscoverable }: Attestation, { credentialDeviceType }: Authenticator): void {
  if (isDiscoverable ?? credentialDeviceType === "multiDevice") return;
  throw new WebAuthnVerificationError(
    "Cannot add passkey: its authenticator does not store it, so it could never sign in; to allow such keys, set " +
      "`allowCredentialsByEmail` of the provider",
  );
}
