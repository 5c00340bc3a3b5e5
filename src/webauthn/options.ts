/**
 * The first half of a ceremony: the browser gets its options.
 *
 * @module
 */
import { comparableEmail } from "../kernel/address.ts";
import { withoutChallenge } from "../kernel/challenge_view.ts";
import type { RequestContext } from "../request/context.ts";
import { requireStorage } from "../request/require_storage.ts";
import { randomText, randomUuid } from "../crypto/random.ts";
import { pageUrl } from "../request/links.ts";
import { warnOfPasskeys } from "../request/origin_advice.ts";
import type { AdapterUser, User } from "../kernel/model.ts";
import { shownPicture } from "../kernel/pictures.ts";
import { json, type Outcome } from "../request/outcome.ts";
import type { ResolvedWebAuthnProvider } from "../config/resolved_provider.ts";
import { mayGuess } from "../request/points.ts";
import { AccessDenied } from "../kernel/errors.ts";
import type { GetUserInfo } from "../contract/webauthn_options.ts";
import { findSessionUser, mayDo, openSession } from "../sign_in/current.ts";
import { chooseRedirectUrl } from "../request/redirect.ts";
import type { Storage } from "../storage/guard.ts";
import { authenticationOptions, registrationOptions } from "./ceremony.ts";
import { type Ceremony, type CredentialUser, storeChallenge } from "./challenge.ts";
import { decideOptions, type OptionsDecision, type OptionsFacts } from "./decide.ts";
import {
  type Descriptor,
  encodeUserHandle,
  listDescriptors,
  relyingPartyOf,
  toDescriptor,
  userHandleOf,
} from "./entities.ts";

/**
 * Finds the address that a form is about which asks to register. Its provider has the answer, if it asks for more than an
 * address.
 *
 * @returns The address as it was typed, or `null` if there is none.
 */
export async function addressOf(ctx: RequestContext, input: StartInput): Promise<string | null> {
  return (await readNewUser(ctx, requireStorage(ctx), input))?.email ?? null;
}

/** What {@linkcode startCeremony} needs. */
export interface StartInput {
  readonly provider: ResolvedWebAuthnProvider;
  /** `action`, `callbackUrl`, and the fields of the form. */
  readonly query: URLSearchParams;
}

/**
 * Starts a ceremony: answers with the options for the browser, and keeps the challenge in its cookie. The answer is the
 * same whether a user has the address or not. To add a passkey after an old sign-in, the user has to sign in again. With
 * the action `list`, no ceremony is started, and the passkeys of the signed-in user are listed.
 */
export async function startCeremony(ctx: RequestContext, input: StartInput): Promise<Outcome> {
  const { provider, query } = input;
  warnOfPasskeys(ctx, provider);
  const storage = requireStorage(ctx);
  const current = await findSignedIn(ctx, storage);
  const action = query.get("action");
  const isStranger = action === "register" && !current;
  // If the address has to be proven first, the answer is always the same, so nothing is looked up.
  const newUser = isStranger && !provider.confirms ? await findNewUser(ctx, storage, input) : null;
  const descriptors = current ? await listDescriptors(storage, current.user.id) : [];
  const decision = decideOptions({
    action,
    session: current?.session ?? "none",
    hasNewUser: newUser !== null,
    registersStrangers: provider.registersStrangers,
    confirms: provider.confirms,
    hasMaxCredentials: descriptors.length >= provider.maxCredentials,
    upgrades: provider.upgrades,
  });
  if (decision.act === "refuse") return await refuse(ctx, input, decision.error);
  if (decision.act === "list") return json({ accepted: current ? await listAccepted(ctx, input, current.user) : [] });
  if (isStranger && decision.act === "register") await mayRegister(ctx, input);
  const listed = decision.act === "authenticate" && !current ? await findListed(ctx, storage, input) : null;
  const ceremony: Ceremony = {
    provider: provider.id,
    action: decision.act,
    challenge: randomText(ctx.config.runtime),
    startedBy: current?.user.id ?? null,
    listedFor: listed?.userId ?? null,
    user: decision.act === "authenticate" ? null : newUser ?? (current && toCredentialUser(current.user)),
  };
  const options = await makeOptions(ctx, { provider, ceremony, descriptors: listed?.descriptors ?? descriptors });
  await storeChallenge(ctx, ceremony, timeoutOf(provider, ceremony));
  return json({ action: decision.act, options });
}

async function mayRegister(ctx: RequestContext, { provider, query }: StartInput): Promise<void> {
  const subject = query.get("email");
  const fields = Object.fromEntries(query);
  const allowed = await mayGuess(ctx, { kind: "registration", provider: provider.id, subject, fields });
  if (!allowed) throw new AccessDenied("Cannot register: a feature refuses");
}

// What `signalAllAcceptedCredentials()` takes, for each handle that authenticators know the user by.
async function listAccepted(ctx: RequestContext, { provider }: StartInput, { id }: AdapterUser): Promise<object[]> {
  const stored = await requireStorage(ctx).listAuthenticatorsByUserId(id);
  const handles = new Set([await userHandleOf(id), ...stored.flatMap(({ userHandle }) => userHandle || [])]);
  const { id: rpId } = relyingPartyOf(provider, ctx.url);
  const allAcceptedCredentialIds = stored.map((each) => toDescriptor(each).id);
  return [...handles].map((handle) => ({ rpId, userId: encodeUserHandle(handle), allAcceptedCredentialIds }));
}

interface SignedIn {
  readonly user: AdapterUser;
  readonly session: Exclude<OptionsFacts["session"], "none">;
}

async function findSignedIn(ctx: RequestContext, storage: Storage): Promise<SignedIn | null> {
  const active = await openSession(ctx);
  const user = active && await findSessionUser(ctx.config, storage, active);
  if (!user) return null;
  const judgement = await mayDo(ctx.config, { act: "addPasskey", moment: "begun", active, user });
  return { user, session: judgement === "allowed" ? "recent" : "old" };
}

// The id is chosen now, because the user handle is derived from it.
async function findNewUser(ctx: RequestContext, storage: Storage, input: StartInput): Promise<CredentialUser | null> {
  const user = await readNewUser(ctx, storage, input);
  const email = comparableEmail(user?.email ?? "");
  if (!user || email === null) return null;
  const { name } = user;
  const image = shownPicture(user.image);
  return { id: randomUuid(ctx.config.runtime), email, ...(name && { name }), ...(image && { image }) };
}

async function readNewUser(ctx: RequestContext, storage: Storage, input: StartInput): Promise<User | null> {
  if (!input.provider.getUserInfo) return { email: input.query.get("email") };
  const found = await askWho(ctx, storage, input);
  // A visitor who types an address must not see what is stored about its user.
  return found?.exists ? { email: found.user.email } : found?.user ?? null;
}

async function askWho(
  { request, url }: RequestContext,
  storage: Storage,
  { provider, query }: StartInput,
): Promise<Awaited<ReturnType<GetUserInfo>>> {
  const { method, headers } = request;
  const about = { method, url, headers, query: withoutChallenge(Object.fromEntries(query)) };
  return await provider.getUserInfo?.({ provider, adapter: storage }, about) ?? null;
}

interface Listed {
  readonly userId: string;
  readonly descriptors: readonly Descriptor[];
}

// Without any credentials there is no list, so any discoverable credential may be used.
async function findListed(ctx: RequestContext, storage: Storage, input: StartInput): Promise<Listed | null> {
  if (!input.provider.listsByEmail) return null;
  const user = await findAddressed(ctx, storage, input);
  const descriptors = user?.id ? await listDescriptors(storage, user.id) : [];
  return user?.id && descriptors.length > 0 ? { userId: user.id, descriptors } : null;
}

async function findAddressed(ctx: RequestContext, storage: Storage, input: StartInput): Promise<User | null> {
  if (input.provider.getUserInfo) {
    const found = await askWho(ctx, storage, input);
    return found?.exists ? found.user : null;
  }
  const email = comparableEmail(input.query.get("email") ?? "");
  return email === null ? null : await storage.getUserByEmail(email);
}

function toCredentialUser({ id, email, name }: AdapterUser): CredentialUser {
  return { id, email: email || id, ...(name && { name }) };
}

interface OptionsSource {
  readonly provider: ResolvedWebAuthnProvider;
  readonly ceremony: Ceremony;
  /** The credentials of the signed-in user. */
  readonly descriptors: readonly Descriptor[];
}

async function makeOptions(ctx: RequestContext, { provider, ceremony, descriptors }: OptionsSource): Promise<object> {
  const { challenge, startedBy, user } = ceremony;
  const expected = { provider, party: relyingPartyOf(provider, ctx.url), challenge };
  if (!user) return await authenticationOptions(expected, descriptors);
  // A new user sees only the address: a name from the application would reveal that it knows the address.
  const displayName = startedBy === null ? user.email : user.name ?? user.email;
  const handle = await userHandleOf(user.id);
  return await registrationOptions(expected, { handle, name: user.email, displayName, excluded: descriptors });
}

function timeoutOf({ authentication, registration }: ResolvedWebAuthnProvider, { action }: Ceremony): number {
  return (action === "authenticate" ? authentication : registration).timeout;
}

type Refusal = Extract<OptionsDecision, { act: "refuse" }>["error"];

async function refuse(ctx: RequestContext, { query }: StartInput, error: Refusal): Promise<Outcome> {
  if (error !== "SessionRequired" && error !== "EmailRequired") return json({ error }, 400);
  const callbackUrl = await chooseRedirectUrl(ctx, query.get("callbackUrl") ?? undefined);
  // The sign-in page has no text for EmailRequired: it has the form that sends the email.
  const shown = error === "SessionRequired" ? { error } : {};
  return json({ error, url: pageUrl(ctx, "signIn", { ...shown, callbackUrl }) }, 403);
}
