/**
 * The beginning of a ceremony.
 *
 * @module
 */
import { comparableEmail } from "../kernel/address.ts";
import type { RequestContext } from "../request/context.ts";
import { randomText, randomUuid } from "../crypto/random.ts";
import { pageUrl } from "../request/links.ts";
import type { AdapterUser, User } from "../kernel/model.ts";
import { json, type Outcome } from "../request/outcome.ts";
import type { ResolvedWebAuthnProvider } from "../config/resolved_provider.ts";
import { findSessionUser, openSession } from "../sign_in/current.ts";
import { mayAddAccount } from "../sign_in/verification.ts";
import { chooseRedirectUrl } from "../sign_in/redirect.ts";
import type { Storage } from "../config/storage.ts";
import { signedInAtOf } from "../stores/session_store.ts";
import { authenticationOptions, type Descriptor, registrationOptions, type UserEntity } from "./ceremony.ts";
import { type Ceremony, type CredentialUser, storeChallenge } from "./challenge.ts";
import { decideOptions, type OptionsDecision, type OptionsFacts } from "./decide.ts";
import { userHandleOf } from "./user_handle.ts";
import { relyingPartyOf } from "./relying_party.ts";
import { listDescriptors, storageOf } from "./stored.ts";

/** What asking for a ceremony needs. */
export interface StartInput {
  readonly provider: ResolvedWebAuthnProvider;
  /** What is asked for, and the fields of the form. */
  readonly query: URLSearchParams;
}

/**
 * Offers a ceremony: what the browser is asked, and the challenge in its cookie. The answer is the same whether somebody
 * has the address or not. Who has been signed in for long is told where to sign in again.
 */
export async function startCeremony(ctx: RequestContext, input: StartInput): Promise<Outcome> {
  const storage = storageOf(ctx.config);
  const current = await findSignedIn(ctx, storage);
  const action = input.query.get("action");
  const newcomer = action === "register" && !current ? await findNewUser(ctx, storage, input) : null;
  const session = current?.session ?? "none";
  const known = current ? await listDescriptors(storage, current.user.id) : [];
  const { registersStrangers: isOpen, maxCredentials } = input.provider;
  const isFull = known.length >= maxCredentials;
  const decision = decideOptions({
    action,
    session,
    hasNewUser: newcomer !== null,
    registersStrangers: isOpen,
    hasMaxCredentials: isFull,
  });
  if (decision.act === "refuse") return await refuse(ctx, input, decision.error);
  const startedBy = current?.user.id ?? null;
  const challenge = randomText(ctx.config.runtime);
  const user = decision.act === "register" ? newcomer ?? (current && knownAs(current.user)) : null;
  const ceremony: Ceremony = { provider: input.provider.id, action: decision.act, challenge, startedBy, user };
  const options = await makeOptions(ctx, { provider: input.provider, ceremony, known });
  await storeChallenge(ctx, ceremony, timeoutOf(input.provider, ceremony));
  return json({ action: decision.act, options });
}

interface SignedIn {
  readonly user: AdapterUser;
  readonly session: Exclude<OptionsFacts["session"], "none">;
}

/** Seconds after a sign-in in which a passkey may be added without another. */
const RECENT_SIGN_IN = 10 * 60;

async function findSignedIn(ctx: RequestContext, storage: Storage): Promise<SignedIn | null> {
  const active = await openSession(ctx);
  const user = active && await findSessionUser(storage, active);
  if (!user) return null;
  const now = ctx.config.runtime.now() / 1000;
  // Who signed in before the address was proven may be somebody else than who proved it.
  const isRecent = mayAddAccount(active, user) && now - (signedInAtOf(active) ?? now) <= RECENT_SIGN_IN;
  return { user, session: isRecent ? "recent" : "old" };
}

// The id is chosen now, because the authenticator is told a name for it.
async function findNewUser(ctx: RequestContext, storage: Storage, input: StartInput): Promise<CredentialUser | null> {
  const user = await readNewUser(ctx, storage, input);
  const email = comparableEmail(user?.email ?? "");
  if (!user || email === null) return null;
  const { name, image } = user;
  return { id: randomUuid(ctx.config.runtime), email, ...(name && { name }), ...(image && { image }) };
}

async function readNewUser(
  { request, url }: RequestContext,
  storage: Storage,
  { provider, query }: StartInput,
): Promise<User | null> {
  if (!provider.getUserInfo) return { email: query.get("email") };
  const { method, headers } = request;
  const about = { method, url, headers, query: Object.fromEntries(query) };
  const found = await provider.getUserInfo({ provider, adapter: storage }, about);
  // What is stored of somebody is not for whoever types their address.
  return found?.exists ? { email: found.user.email } : found?.user ?? null;
}

function knownAs({ id, email, name }: AdapterUser): CredentialUser {
  return { id, email: email || id, ...(name && { name }) };
}

interface Offer {
  readonly provider: ResolvedWebAuthnProvider;
  readonly ceremony: Ceremony;
  /** The credentials of whoever is signed in. */
  readonly known: readonly Descriptor[];
}

async function makeOptions(ctx: RequestContext, { provider, ceremony, known }: Offer): Promise<object> {
  const { challenge, startedBy, user } = ceremony;
  const setting = { provider, party: relyingPartyOf(provider, ctx.url), challenge };
  if (!user) return await authenticationOptions(setting, known);
  // The address of a newcomer is all that is shown: what the application knows could tell that somebody has it.
  const displayName = startedBy === null ? user.email : user.name ?? user.email;
  const owner: UserEntity = { handle: await userHandleOf(user.id), name: user.email, displayName, excluded: known };
  return await registrationOptions(setting, owner);
}

function timeoutOf({ authentication, registration }: ResolvedWebAuthnProvider, { action }: Ceremony): number {
  return (action === "authenticate" ? authentication : registration).timeout;
}

type Refusal = Extract<OptionsDecision, { act: "refuse" }>["error"];

async function refuse(ctx: RequestContext, { query }: StartInput, error: Refusal): Promise<Outcome> {
  if (error !== "SessionRequired") return json({ error }, 400);
  const callbackUrl = await chooseRedirectUrl(ctx, query.get("callbackUrl") ?? undefined);
  return json({ error, url: pageUrl(ctx, "signIn", { error, callbackUrl }) }, 403);
}
