/**
 * What each endpoint does, except reading the session. Loaded when somebody first asks for anything else.
 *
 * A flow works out where the visitor goes afterwards, then calls the folder that does the work.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import type { Fields } from "../http/body.ts";
import { EmailSignInError, TooManyAttempts } from "../kernel/errors.ts";
import { once } from "../kernel/load.ts";
import { pageUrl } from "../request/links.ts";
import { json, notFound, type Outcome, redirectTo } from "../request/outcome.ts";
import { type PointRoute, pointsOf } from "../request/points.ts";
import type {
  ResolvedCredentialsProvider,
  ResolvedEmailProvider,
  ResolvedOAuthProvider,
  ResolvedProvider,
  ResolvedWebAuthnProvider,
} from "../config/resolved_provider.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { credentials, email, logout, oauth, passwords, webauthn } from "./late_modules.ts";
import { signOutAt } from "./sign_out.ts";
import { readSession } from "../session/read.ts";
import { issueCsrfToken, listProviders } from "../views/data.ts";
import { rememberingFailure } from "../views/failure.ts";
import { openErrorPage, openSignInPage, openSignOutPage, openVerifyRequestPage } from "../views/pages.ts";
import { chooseRedirectUrl, rememberRedirectUrl } from "../request/redirect.ts";

const limited = once(() => import("../views/limited.ts"));

const resuming = once(() => import("../sign_in/resume.ts"));

/** A provider of any type, or none: what a path can name. */
export type AnyProvider = ResolvedProvider | null;

/** What a flow gets in addition to the context. */
export interface FlowInput<Provider extends AnyProvider = AnyProvider> {
  /** The provider that the path names. */
  readonly provider: Provider;
  /** The parameters that the route reads. */
  readonly query: URLSearchParams;
  /** The fields of the form; empty for a GET. */
  readonly fields: Fields;
}

/** What an endpoint does. */
export type Flow<Provider extends AnyProvider = AnyProvider> = (
  ctx: RequestContext,
  input: FlowInput<Provider>,
) => Outcome | Promise<Outcome>;

interface FlowsByProvider {
  readonly any: Readonly<Record<string, Flow>>;
  readonly oauth: Readonly<Record<string, Flow<ResolvedOAuthProvider>>>;
  readonly email: Readonly<Record<string, Flow<ResolvedEmailProvider>>>;
  readonly credentials: Readonly<Record<string, Flow<ResolvedCredentialsProvider>>>;
  readonly webauthn: Readonly<Record<string, Flow<ResolvedWebAuthnProvider>>>;
}

/** The flows by the type of provider that they need, and by the name that the table of endpoints has for them. */
export const FLOWS = {
  any: {
    csrfToken: (ctx) => issueCsrfToken(ctx),
    providers: (ctx) => listProviders(ctx),
    async sessionUpdate(ctx, { fields }) {
      return json(await readSession(ctx, { renew: true, patch: { data: fields.data } }));
    },
    signInPage: (ctx, { query, provider }) => openSignInPage(ctx, query, provider),
    signOutPage: (ctx, { query }) => openSignOutPage(ctx, query),
    errorPage: (ctx, { query }) => openErrorPage(ctx, query),
    openChallenge: (ctx, input) => answerByFeature(ctx, input, "GET challenge"),
    answerChallenge: (ctx, input) => answerByFeature(ctx, input, "POST challenge"),
    openFactors: (ctx, input) => answerByFeature(ctx, input, "GET factors"),
    answerFactors: (ctx, input) => answerByFeature(ctx, input, "POST factors"),
    openAccount: (ctx, input) => answerByFeature(ctx, input, "GET account"),
    answerAccount: (ctx, input) => answerByFeature(ctx, input, "POST account"),
    openSignUp: async (ctx, input) => await (await passwords()).openSignUp(ctx, input),
    answerSignUp: async (ctx, input) => await (await passwords()).answerSignUp(ctx, input),
    openReset: async (ctx, input) => await (await passwords()).openReset(ctx, input),
    answerReset: async (ctx, input) => await (await passwords()).answerReset(ctx, input),
    openPassword: async (ctx, input) => await (await passwords()).openPassword(ctx, input),
    answerPassword: async (ctx, input) => await (await passwords()).answerPassword(ctx, input),
    verifyRequestPage: (ctx, { query }) => openVerifyRequestPage(ctx, query),

    async backToSignInPage(ctx, input) {
      await chooseAndRememberUrl(ctx, input);
      return redirectTo(pageUrl(ctx, "signIn"));
    },
    async signOut(ctx, input) {
      return await signOutAt(ctx, await chooseUrl(ctx, input));
    },
  },
  oauth: {
    async start(ctx, input) {
      const redirectUrl = await chooseAndRememberUrl(ctx, input);
      const { startOAuth } = await oauth();
      const { provider, query: params } = input;
      return await rememberingFailure(ctx, input, () => startOAuth(ctx, { provider, redirectUrl, params }));
    },
    async callback(ctx, input) {
      const { finishOAuth } = await oauth();
      const { provider, query: params } = input;
      return await rememberingFailure(ctx, input, () => finishOAuth(ctx, { provider, params }));
    },
    async formPost(ctx, { provider, fields }) {
      return (await oauth()).relayFormPost(ctx, { provider, fields });
    },
    async logout(ctx, input) {
      const { answerLogout } = await logout();
      return await answeringLimits(ctx, input, () => answerLogout(ctx, input));
    },
  },
  email: {
    async start(ctx, input) {
      const redirectUrl = await chooseAndRememberUrl(ctx, input);
      const { startEmail } = await email();
      const { provider, fields } = input;
      return await attempt(ctx, input, () => startEmail(ctx, { provider, fields, redirectUrl }));
    },
    async callback(ctx, input) {
      const { provider, query } = input;
      const redirectUrl = await chooseRedirectUrl(ctx, query.get("callbackUrl") ?? undefined);
      const { openLink } = await email();
      return await answeringLimits(ctx, input, () => openLink(ctx, { provider, query, redirectUrl }));
    },
    async confirmation(ctx, input) {
      const redirectUrl = await chooseUrl(ctx, input);
      const { provider, query } = input;
      const { confirmLink } = await email();
      return await answeringLimits(ctx, input, () => confirmLink(ctx, { provider, query, redirectUrl }));
    },
  },
  credentials: {
    async callback(ctx, input) {
      const redirectUrl = await chooseUrl(ctx, input);
      const { signInWithCredentials } = await credentials();
      const { provider, fields } = input;
      return await attempt(ctx, input, () => signInWithCredentials(ctx, { provider, fields, redirectUrl }));
    },
  },
  webauthn: {
    async start(ctx, input) {
      const redirectUrl = await chooseAndRememberUrl(ctx, input);
      const address = await registeringAddress(ctx, input);
      if (address === null) return redirectTo(pageUrl(ctx, "signIn"));
      const provider = emailProviderOf(ctx, input.provider);
      const fields = { ...input.fields, email: address };
      const { startEmail } = await email();
      const registers = input.provider.id;
      return await attempt(
        ctx,
        { provider, fields, query: input.query },
        () => startEmail(ctx, { provider, fields, redirectUrl, registers }),
      );
    },
    async options(ctx, input) {
      const { provider, query } = input;
      const { startCeremony } = await webauthn();
      return await answeringLimits(ctx, input, () => startCeremony(ctx, { provider, query }));
    },
    async callback(ctx, input) {
      const redirectUrl = await chooseUrl(ctx, input);
      const { finishCeremony } = await webauthn();
      return await finishCeremony(ctx, { provider: input.provider, fields: input.fields, redirectUrl });
    },
  },
} satisfies FlowsByProvider;

/** Runs an attempt to sign in. If there were too many, or it fails, the sign-in page knows what was tried. */
async function attempt(ctx: RequestContext, input: FlowInput<ResolvedProvider>, run: () => Promise<Outcome>) {
  return await answeringLimits(ctx, input, () => rememberingFailure(ctx, input, run));
}

/** Answers what was tried too often: it is no failure, so it is not logged as one. */
async function answeringLimits(
  ctx: RequestContext,
  { provider, fields, query }: FlowInput<ResolvedProvider>,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    const tried = { provider, fields, callbackUrl: fields.callbackUrl ?? query.get("callbackUrl") };
    return await (await limited()).answerLimited(ctx, error, tried);
  }
}

async function answerByFeature(
  ctx: RequestContext,
  { query, fields }: FlowInput,
  route: PointRoute,
): Promise<Outcome> {
  const resume = async (methods: readonly string[]) => await (await resuming()).resumeSignIn(ctx, methods);
  for (const { routes } of await pointsOf(ctx.config)) {
    const answer = routes?.[route];
    if (answer) return await answer(ctx, { query, fields, resume });
  }
  return notFound();
}

/** The address that a stranger has to prove before they register; `null` for a form that does not ask to register. */
async function registeringAddress(
  ctx: RequestContext,
  { provider, fields }: FlowInput<ResolvedWebAuthnProvider>,
): Promise<string | null> {
  if (!provider.confirms || !provider.registersStrangers) return null;
  // As a request for options has them.
  const { csrfToken: _, data: __, ...given } = fields;
  const typed = Object.entries({ ...given, action: "register" }).filter(([, value]) => typeof value === "string");
  return await (await webauthn()).addressOf(ctx, { provider, query: new URLSearchParams(typed as [string, string][]) });
}

function emailProviderOf({ config }: RequestContext, { id }: ResolvedWebAuthnProvider): ResolvedEmailProvider {
  for (const provider of config.providers.values()) if (provider.type === "email") return provider;
  throw new EmailSignInError(
    `Cannot register: \`confirm\` of provider "${id}" needs a provider of type \`email\`, and none works`,
  );
}

/** Chooses where the visitor goes: the `callbackUrl` of the form, or else of the query. */
async function chooseUrl(ctx: RequestContext, { fields, query }: FlowInput): Promise<RedirectUrl> {
  return await chooseRedirectUrl(ctx, fields.callbackUrl ?? query.get("callbackUrl") ?? undefined);
}

async function chooseAndRememberUrl(ctx: RequestContext, input: FlowInput): Promise<RedirectUrl> {
  const url = await chooseUrl(ctx, input);
  rememberRedirectUrl(ctx, url);
  return url;
}
