/**
 * `auth.require()`: a session that was begun as a page or an act needs it, and the answer where it was not.
 *
 * @module
 */
import type { SessionAuth } from "../contract/config.ts";
import type { Field } from "../http/headers.ts";
import { isVisit, loadsPage } from "../http/origin.ts";
import type { LazyRequest } from "../http/request_like.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { InvalidConfig, StepUpRequired } from "../kernel/errors.ts";
import type { Session } from "../kernel/model.ts";
import {
  readRequirement,
  type Requirement,
  REQUIREMENT_NAMES,
  requirementProblem,
  type SessionRequirement,
  type StepUpPart,
} from "../kernel/requirement.ts";
import type { RequestContext } from "../request/context.ts";
import { actionUrl, pageUrl } from "../request/links.ts";
import { type Outcome, redirectTo, refused } from "../request/outcome.ts";
import { MAX_REDIRECT_URL_LENGTH } from "../request/redirect.ts";
import { readSession } from "../session/read.ts";
import { methodsMissingIn, missingIn } from "../session_stores/authentication.ts";
import { isWaiting } from "../session_stores/waiting.ts";
import type { Engine } from "./engine.ts";
import { plainResponse, responseOf } from "./respond.ts";

/** What `auth.require` asks of the session of a request, and where people go afterwards. */
export interface RequireOptions extends SessionRequirement {
  /**
   * Where people go once they have proven more. A URL of another site counts only if `callbacks.redirect` allows it.
   *
   * @default the page that was asked for; after a form or a request of a script, the page that sent it
   */
  readonly redirectTo?: string | undefined;
}

/**
 * Gives the session of a request if it meets what is asked. Storage is asked in any case, so that a session that was ended
 * counts no more. It is not renewed.
 *
 * @throws {StepUpRequired} if it does not, or nobody is signed in.
 * @throws {InvalidConfig} if an option is wrong.
 * @throws {AuthError} if it cannot be determined who is signed in: `SessionTokenError` while storage fails.
 */
export async function requireFor(
  engine: Pick<Engine, "runForRequest">,
  visit: Request | LazyRequest,
  options: RequireOptions = {},
): Promise<Session> {
  const requirement = requirementOf(options);
  const { redirectTo } = options;
  const { value } = await engine.runForRequest(visit, async (ctx) => {
    let auth: SessionAuth | null = null;
    const session = await readSession(ctx, { renew: false, judge: (found) => auth = found });
    const missing = missingOf(ctx, session && auth, requirement);
    if (session && missing.length === 0) return session;
    return await refusal(ctx, { auth: session && auth, missing, requirement, redirectTo });
  });
  // Thrown here, because it is no failure: the log does not have it.
  if (value instanceof StepUpRequired) throw value;
  return value;
}

/**
 * Refuses a request whose person has signed out while it was answered: it still has the cookie of a session that storage
 * may not know.
 *
 * @throws {StepUpRequired} in any case, unless an option is wrong.
 */
export async function refuseSignedOut(
  engine: Pick<Engine, "runForRequest">,
  visit: Request | LazyRequest,
  options: RequireOptions = {},
): Promise<never> {
  const requirement = requirementOf(options);
  const { redirectTo } = options;
  const { value } = await engine.runForRequest(visit, (ctx) => {
    return refusal(ctx, { auth: null, missing: missingOf(ctx, null, requirement), requirement, redirectTo });
  });
  throw value;
}

const NAMES: readonly string[] = [...REQUIREMENT_NAMES, "redirectTo"];

// A misspelt name would ask for nothing.
function requirementOf(options: RequireOptions): Requirement {
  if (typeof options !== "object" || options === null) {
    throw new InvalidConfig(`Cannot check the session: ${NO_OBJECT}`);
  }
  const unknown = Object.keys(options).find((name) => !NAMES.includes(name));
  const problem = unknown === undefined
    ? requirementProblem(options)
    : `${JSON.stringify(unknown)} is not one of ${NAMES.join(", ")}`;
  if (problem !== null) throw new InvalidConfig(`Cannot check the session: of the options of \`require\`, ${problem}`);
  return readRequirement(options);
}

const NO_OBJECT = "the options of `require` must be an object, such as `{ level: 2 }`";

/** Gives what is missing where somebody may be signed in. */
export function missingOf(
  { config: { runtime } }: Pick<RequestContext, "config">,
  auth: SessionAuth | null,
  requirement: Requirement,
): readonly StepUpPart[] {
  return auth ? missingIn(auth, requirement, runtime.now()) : ["session"];
}

/** What was asked of a session, and what is missing. */
export interface StepUp {
  /** What the session says of its sign-in. `null` if nobody is signed in. */
  readonly auth: SessionAuth | null;
  readonly missing: readonly StepUpPart[];
  readonly requirement: Requirement;
  readonly redirectTo?: string | undefined;
}

/** Makes the error that a caller gets whose person has to prove more. It is no failure, so throw it where nobody logs it. */
export async function refusal(ctx: RequestContext, stepUp: StepUp): Promise<StepUpRequired> {
  const url = stepUpUrl(ctx, stepUp);
  const { config } = ctx;
  const plain = await plainResponse({ outcome: outcomeOf(ctx, stepUp, url), config, cookies: [], url: ctx.url });
  return new StepUpRequired(`Cannot go on: ${describe(stepUp)}`, {
    url,
    missing: stepUp.missing,
    response: () => responseOf(plain),
  });
}

/** What is answered to a request whose session does not do. */
export function answerStepUp(ctx: RequestContext, stepUp: StepUp): Outcome {
  return outcomeOf(ctx, stepUp, stepUpUrl(ctx, stepUp));
}

function outcomeOf(ctx: RequestContext, stepUp: StepUp, url: RedirectUrl): Outcome {
  const { request } = ctx;
  if (loadsPage(request)) return redirectTo(url);
  // With 303 the browser asks for the page, and does not send the form there.
  if (isFormOfPage(request) && !stepUp.missing.includes("session")) return redirectTo(url, 303);
  if (stepUp.missing.includes("session")) return refused(401, "Sign in first");
  const body = { message: describe(stepUp), error: INSUFFICIENT, missing: stepUp.missing, url };
  return { kind: "json", status: 401, body, headers: [challengeOf(stepUp)] };
}

const INSUFFICIENT = "insufficient_user_authentication";

/** The texts are fixed, so that nothing in them needs an escape. */
const DESCRIPTIONS: Readonly<Record<StepUpPart, string>> = {
  session: "Nobody is signed in",
  level: "A second factor is needed",
  methods: "Another way of signing in is needed",
  age: "A more recent sign-in is needed",
};

function describe({ missing: [first = "session"] }: StepUp): string {
  return DESCRIPTIONS[first];
}

/** @see {@link https://www.rfc-editor.org/rfc/rfc9470#section-3 | RFC 9470, section 3} */
function challengeOf(stepUp: StepUp): Field {
  const { requirement: { level, maxAge } } = stepUp;
  const params = [
    `error="${INSUFFICIENT}"`,
    `error_description="${describe(stepUp)}"`,
    ...(level > 1 ? [`acr_values="${level}"`] : []),
    ...(maxAge === null ? [] : [`max_age="${maxAge}"`]),
  ];
  return ["www-authenticate", `Bearer ${params.join(", ")}`];
}

/** Gives the page that helps: of the second factor if that is what is missing and the service has one, or of the sign-in. */
function stepUpUrl(ctx: RequestContext, { auth, missing, requirement, redirectTo }: StepUp): RedirectUrl {
  const callbackUrl = wayBack(ctx, redirectTo);
  const isMore = missing.includes("level") || missing.includes("methods");
  // A session that may not go on without a second proof is none.
  if (isWaiting(ctx.cookies)) return actionUrl(ctx, "challenge", { callbackUrl });
  if (isMore && ctx.config.features.some(({ id }) => id === "second-factor")) {
    // Without them, people would prove it in another way, and be asked again.
    const methods = auth ? methodsMissingIn(auth, requirement.methods).join(" ") : "";
    return actionUrl(ctx, "challenge", { callbackUrl, methods: methods || null });
  }
  return pageUrl(ctx, "signIn", { callbackUrl, error: missing.includes("session") ? null : "SessionRequired" });
}

// What is too long for the cookies of a sign-in is left out, so the visitor comes back to the home page.
function wayBack(ctx: RequestContext, wanted: string | undefined): string | null {
  const href = wanted === undefined ? askedFor(ctx) : URL.parse(wanted, ctx.url.origin)?.href ?? null;
  return href !== null && href.length <= MAX_REDIRECT_URL_LENGTH ? href : null;
}

// A form is shown again, and a script has no page of its own: both belong to the page that sent them.
function askedFor({ request, url }: RequestContext): string | null {
  if (isVisit(request)) return loadsPage(request) ? url.href : pageOf(request, url);
  return pageOf(request, url) ?? (isFormOfPage(request) ? url.href : null);
}

function pageOf({ headers }: Request, { origin }: URL): string | null {
  const page = URL.parse(headers.get("referer") ?? "");
  return page?.origin === origin ? page.href : null;
}

// Browsers name the mode for hosts that they trust. To others they tell forms from scripts by what they accept.
function isFormOfPage({ method, headers }: Request): boolean {
  const mode = headers.get("sec-fetch-mode");
  return method === "POST" &&
    (mode === "navigate" || (mode === null && /\btext\/html\b/i.test(headers.get("accept") ?? "")));
}
