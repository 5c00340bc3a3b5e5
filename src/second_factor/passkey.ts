/**
 * A passkey as a second proof.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { ResolvedWebAuthnProvider } from "../config/resolved_provider.ts";
import { randomText } from "../crypto/random.ts";
import { type AdapterError, InvalidCheck, WebAuthnVerificationError } from "../kernel/errors.ts";
import type { AdapterAuthenticator } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import { requireStorage } from "../request/require_storage.ts";
import { passkeyMethods } from "../sign_in/methods.ts";
import { notePasskeyUse } from "../sign_in/passkey_use.ts";
import type { Storage } from "../storage/guard.ts";
import { authenticationOptions, verifyAssertion } from "../webauthn/ceremony.ts";
import { type Ceremony, redeemChallenge, storeChallenge } from "../webauthn/challenge.ts";
import { type Assertion, readAssertion } from "../webauthn/credential.ts";
import { matchesUserHandle, relyingPartyOf, toDescriptor } from "../webauthn/entities.ts";
import type { SecondFactorSettings } from "./settings.ts";

/** Whose passkey is asked for, and what may prove it, as RFC 8176 names it. */
export interface ToProve {
  readonly userId: string;
  readonly missing: readonly string[];
}

/** Challenges of a second proof are for nothing else, and others are not for it. */
const PURPOSE = "second-factor";

/** Finds the passkey provider of a site. `null` if there is none. */
export function passkeyProviderOf({ providers }: Pick<ResolvedConfig, "providers">): ResolvedWebAuthnProvider | null {
  for (const provider of providers.values()) if (provider.type === "webauthn") return verifying(provider);
  return null;
}

// Who only touches a key has proven no second factor by it: somebody else may have found it.
function verifying(provider: ResolvedWebAuthnProvider): ResolvedWebAuthnProvider {
  const { authentication } = provider;
  return {
    ...provider,
    authentication: { ...authentication, userVerification: "required", requireUserVerification: true },
  };
}

/** Lists the passkeys of a user that are second factors: none where the site does not take them as such. */
export async function passkeysOf(
  config: ResolvedConfig,
  userId: string,
  { methods }: Pick<SecondFactorSettings, "methods">,
): Promise<readonly AdapterAuthenticator[]> {
  const areFactors = methods.includes("passkey") && passkeyProviderOf(config) !== null;
  return areFactors ? await requireStorage({ config }).listAuthenticatorsByUserId(userId) : [];
}

/** Whether a passkey proves one of what is missing, as RFC 8176 names it. */
export function provesOneOf(
  { credentialDeviceType: deviceType }: AdapterAuthenticator,
  missing: readonly string[],
): boolean {
  return passkeyMethods({ deviceType, userVerified: true }).some((method) => missing.includes(method));
}

/**
 * Makes the options of a proof by one of the passkeys of a user that prove what is missing, and keeps its challenge in the
 * browser's cookie.
 */
export async function passkeyOptions(ctx: RequestContext, { userId, missing }: ToProve): Promise<object> {
  const provider = requirePasskeys(ctx);
  const challenge = randomText(ctx.config.runtime);
  const expected = { provider, party: relyingPartyOf(provider, ctx.url), challenge };
  const own = await requireStorage(ctx).listAuthenticatorsByUserId(userId);
  const fitting = own.filter((passkey) => provesOneOf(passkey, missing)).map(toDescriptor);
  const options = await authenticationOptions(expected, fitting);
  const ceremony: Ceremony = {
    provider: provider.id,
    purpose: PURPOSE,
    action: "authenticate",
    challenge,
    startedBy: userId,
    listedFor: null,
    user: null,
  };
  await storeChallenge(ctx, ceremony, provider.authentication.timeout);
  return options;
}

/**
 * Verifies the response of a passkey.
 *
 * @returns What was proven, as RFC 8176 names it.
 * @throws {InvalidCheck} if this browser did not ask for it, or it has expired or was used before.
 * @throws {WebAuthnVerificationError} if it is not valid, or of a passkey of somebody else.
 */
export async function provePasskey(ctx: RequestContext, userId: string, data: unknown): Promise<readonly string[]> {
  const provider = requirePasskeys(ctx);
  const { id } = provider;
  const { startedBy, challenge } = await redeemChallenge(ctx, {
    provider: id,
    purpose: PURPOSE,
    action: "authenticate",
  });
  if (startedBy !== userId) throw new InvalidCheck("Cannot prove it: the ceremony was started for another user");
  const storage = requireStorage(ctx);
  const assertion = readAssertion(data);
  const stored = await findOwn(storage, { provider: id, userId, assertion });
  const expected = { provider, party: relyingPartyOf(provider, ctx.url), challenge };
  const { counter, backedUp, userVerified } = await verifyAssertion(expected, assertion, stored);
  if (!await raiseCounter(storage, stored, counter)) {
    throw new WebAuthnVerificationError("Cannot prove it: the passkey was used elsewhere meanwhile");
  }
  const { credentialID, credentialDeviceType: deviceType } = stored;
  if (backedUp !== Boolean(stored.credentialBackedUp)) {
    await storage.updateAuthenticator?.({ credentialID, credentialBackedUp: backedUp });
  }
  // Only the page that shows it would miss it.
  await notePasskeyUse(ctx.config, stored).catch((error: AdapterError) => ctx.config.logger.error(error, ctx));
  return passkeyMethods({ deviceType, userVerified });
}

function requirePasskeys({ config }: RequestContext): ResolvedWebAuthnProvider {
  const provider = passkeyProviderOf(config);
  if (!provider) throw new InvalidCheck("Cannot prove it: the site has no provider of passkeys");
  return provider;
}

interface Sought {
  readonly provider: string;
  readonly userId: string;
  readonly assertion: Assertion;
}

async function findOwn(storage: Storage, { provider, userId, assertion }: Sought): Promise<AdapterAuthenticator> {
  const own = await storage.listAuthenticatorsByUserId(userId);
  const stored = own.find((each) => toDescriptor(each).id === assertion.id);
  const { userHandle } = assertion.response;
  const isNamed = !userHandle || !stored?.userHandle || matchesUserHandle(userHandle, stored.userHandle);
  // A passkey whose account was removed signs nobody in, either.
  const { providerAccountId } = stored ?? {};
  const owner = providerAccountId ? await storage.getUserByAccount({ provider, providerAccountId }) : null;
  if (!stored || !isNamed || stored.userId !== userId || owner?.id !== userId) {
    throw new WebAuthnVerificationError("Cannot prove it: the passkey is not one of this user");
  }
  return stored;
}

// A counter that somebody else has raised meanwhile shows that there are two of the key.
async function raiseCounter(storage: Storage, stored: AdapterAuthenticator, counter: number): Promise<boolean> {
  const { credentialID, userId, counter: before } = stored;
  if (counter === before) return true;
  if (storage.commit) {
    const expect = { authenticator: { credentialID, userId, counter: before } };
    return await storage.commit({ expect, updateCounter: { credentialID, counter } }) !== "conflict";
  }
  const found = await storage.getAuthenticator(credentialID);
  if (found?.counter !== before) return false;
  await storage.updateAuthenticatorCounter(credentialID, counter);
  return true;
}
