/**
 * Everything that somebody may see of their account.
 *
 * @module
 */
import { passwordProviderOf } from "../config/password_provider.ts";
import type { ResolvedOAuthProvider, ResolvedWebAuthnProvider } from "../config/resolved_provider.ts";
import type { AdapterAccount } from "../kernel/model.ts";
import type { AccountPasskey, AccountView, AccountWay, PasskeySignals } from "../request/account_views.ts";
import type { RequestContext } from "../request/context.ts";
import { actionUrl } from "../request/links.ts";
import { mailerOf } from "../request/mailer.ts";
import { pointsOf } from "../request/points.ts";
import { authenticationOf } from "../session_stores/authentication.ts";
import type { Actor } from "../sign_in/actor.ts";
import { accountWay, canRemove, findOwned, type Owned, type Way, waysOf } from "../sign_in/ways.ts";
import { encodeUserHandle, relyingPartyOf, userHandleOf } from "../webauthn/entities.ts";
import { deletionOf, mayLeave } from "./deletion.ts";
import { waitingEmailOf } from "./email_waiting.ts";
import { formIdOf } from "./ids.ts";
import { infoOf, passkeyShown } from "./passkeys.ts";
import { sessionsOf } from "./seen.ts";
import type { AccountSettings } from "./settings.ts";
import { accountUrl } from "./urls.ts";

/** Gives the account of somebody as they see it. Nothing of it lets anybody in. */
export async function viewOf(ctx: RequestContext, actor: Actor, settings: AccountSettings): Promise<AccountView> {
  const { config } = ctx;
  const { user } = actor;
  const owned = await findOwned(config, user);
  const ways = waysOf(config, owned);
  const [shownWays, passkeys, secondFactor, sessions, waitingEmail, deletedAt] = await Promise.all([
    accountsIn(ctx, owned, ways),
    passkeysIn(ctx, owned, ways),
    secondFactorOf(ctx, user.id),
    sessionsOf(ctx, actor),
    waitingEmailOf(config, user),
    deletionOf(config, user.id),
  ]);
  const provider = passkeyProviderIn(ctx);
  const { id, name = null, email = null, image = null } = user;
  return {
    user: { id, name, email, image, isEmailProven: owned.isProven },
    mayRename: settings.name,
    mayChangeEmail: settings.email && mailerOf(config) !== null,
    waitingEmail,
    ways: shownWays,
    addable: addableIn(ctx, owned),
    passkeys,
    passkeyUrl: provider && actionUrl(ctx, `signin/${provider.id}`, { callbackUrl: accountUrl(ctx) }),
    passkeySignals: provider && await signalsOf(ctx, actor, { provider, passkeys: owned.passkeys }),
    password: passwordIn(ctx, owned),
    secondFactor,
    sessions,
    mayExport: true,
    mayDelete: mayLeave(config, settings),
    deletedAt,
  };
}

/** Accounts at providers, with what the application keeps. Those of passkeys and of the password are shown as such. */
async function accountsIn(
  { config }: RequestContext,
  { accounts }: Owned,
  ways: readonly Way[],
): Promise<readonly AccountWay[] | null> {
  if (accounts === null) return null;
  const ofPasswords = passwordProviderOf(config)?.id;
  const shown = accounts.filter(({ type, provider }) => type !== "webauthn" && provider !== ofPasswords);
  return await Promise.all(shown.map((account) => accountShown(config, account, ways)));
}

/** Gives an account as its owner sees it. */
export async function accountShown(
  config: RequestContext["config"],
  account: AdapterAccount,
  ways: readonly Way[],
): Promise<AccountWay> {
  const { provider } = account;
  const { key } = accountWay(account);
  const found = ways.find((way) => way.key === key);
  const isKept = account.type === "credentials" || found?.kind === "credentials" ||
    !config.storage?.has("unlinkAccount");
  const isLast = canRemove(ways, [accountWay(account)]) === null;
  return {
    id: await formIdOf(config, account),
    provider,
    name: config.providers.get(provider)?.name ?? provider,
    works: found !== undefined,
    removal: isKept ? "kept" : isLast ? "last" : "allowed",
  };
}

async function passkeysIn(
  { config }: RequestContext,
  { user, passkeys }: Owned,
  ways: readonly Way[],
): Promise<readonly AccountPasskey[] | null> {
  if (![...config.providers.values()].some(({ type }) => type === "webauthn")) return null;
  const infos = await infoOf(config, user.id, passkeys);
  return await Promise.all(passkeys.map((passkey) => {
    return passkeyShown(config, passkey, { ways, info: infos.get(passkey.credentialID) });
  }));
}

/** Ways to sign in after which a browser may make a passkey by itself: it may have filled in what was typed. */
const TYPED: readonly string[] = ["pwd", "mail"];

async function signalsOf(
  ctx: RequestContext,
  { user, active }: Actor,
  { provider, passkeys }: { readonly provider: ResolvedWebAuthnProvider; readonly passkeys: Owned["passkeys"] },
): Promise<PasskeySignals> {
  const { id, upgrades } = provider;
  // Who has a passkey has chosen, and may have removed another one just now.
  const mayUpgrade = upgrades && passkeys.length === 0 &&
    authenticationOf(active).methods.some((method) => TYPED.includes(method));
  return {
    rpId: relyingPartyOf(provider, ctx.url).id,
    userHandle: encodeUserHandle(await userHandleOf(user.id)),
    optionsUrl: actionUrl(ctx, `webauthn-options/${id}`),
    ...(mayUpgrade && { upgradeUrl: actionUrl(ctx, `callback/${id}`) }),
  };
}

function addableIn(ctx: RequestContext, { accounts }: Owned): AccountView["addable"] {
  const has = new Set((accounts ?? []).map(({ provider }) => provider));
  const providers = [...ctx.config.providers.values()].filter((provider): provider is ResolvedOAuthProvider => {
    return (provider.type === "oauth" || provider.type === "oidc") && !has.has(provider.id);
  });
  return providers.map(({ id, name }) => ({ provider: id, name, url: actionUrl(ctx, `signin/${id}`) }));
}

function passkeyProviderIn({ config }: RequestContext): ResolvedWebAuthnProvider | null {
  for (const provider of config.providers.values()) if (provider.type === "webauthn") return provider;
  return null;
}

function passwordIn(ctx: RequestContext, { password }: Owned): AccountView["password"] {
  if (!passwordProviderOf(ctx.config)) return null;
  return {
    isSet: password !== null,
    setAt: password?.setAt ? new Date(password.setAt * 1000) : null,
    url: actionUrl(ctx, "password", { callbackUrl: accountUrl(ctx) }),
  };
}

async function secondFactorOf(ctx: RequestContext, userId: string): Promise<AccountView["secondFactor"]> {
  for (const { factors } of await pointsOf(ctx.config)) {
    if (!factors) continue;
    const codes = await factors.recoveryCodes(ctx.config, userId);
    const url = actionUrl(ctx, "factors", { callbackUrl: accountUrl(ctx) });
    return { isOn: codes !== null, recoveryCodes: codes && codes.left, url };
  }
  return null;
}
