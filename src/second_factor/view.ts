/**
 * The page of second factors, as data.
 *
 * @module
 */
import { ensureCsrfToken } from "../http/csrf.ts";
import type { TooManyAttempts } from "../kernel/errors.ts";
import type { RequestContext } from "../request/context.ts";
import type { FactorEntry, FactorsPage, FactorsStep } from "../request/factor_views.ts";
import { limitFields } from "../request/limited.ts";
import { actionUrl, homeUrl, wantsPage } from "../request/links.ts";
import { keepLanguage } from "../request/language.ts";
import { json, type Outcome, page, redirectTo } from "../request/outcome.ts";
import type { AdapterAuthenticator } from "../kernel/model.ts";
import { knowsSessions } from "../session/user_sessions.ts";
import { countedCodes, type Factor, type TotpFactor } from "./factors.ts";
import { listUrl, type Owner } from "./owner.ts";
import { passkeyProviderOf } from "./passkey.ts";
import type { SecondFactorSettings } from "./settings.ts";

/** What is shown beside the list. */
export interface Shown {
  readonly step?: FactorsStep;
  readonly problem?: FactorsPage["problem"];
  readonly retryAfter?: number | undefined;
}

/** Shows somebody their factors. */
export async function showFactors(
  ctx: RequestContext,
  owner: Owner,
  settings: SecondFactorSettings,
  shown: Shown = {},
): Promise<Outcome> {
  return await answer(ctx, viewOf(ctx, owner, settings, shown));
}

/** Shows a page to somebody whose factors are none of the page's business. */
export async function showAlone(ctx: RequestContext, step: FactorsStep): Promise<Outcome> {
  return await answer(ctx, {
    callbackUrl: homeUrl(ctx),
    purpose: "manage",
    isOn: false,
    factors: [],
    recoveryCodes: null,
    add: [],
    passkeyUrl: null,
    step,
    problem: null,
  });
}

/** Shows that there were too many attempts. */
export async function showTooMany(
  ctx: RequestContext,
  owner: Owner,
  settings: SecondFactorSettings,
  { error, step }: { readonly error: TooManyAttempts; readonly step: FactorsStep },
): Promise<Outcome> {
  const { retryAfter, ways, type } = error;
  const headers = limitFields(error);
  if (!wantsPage(ctx.request)) return { kind: "json", body: { error: type, retryAfter, ways }, status: 429, headers };
  const outcome = await showFactors(ctx, owner, settings, { step, problem: "too-many", retryAfter });
  return outcome.kind === "page" ? { ...outcome, status: 429, headers } : outcome;
}

/** Sends a browser on once something is done. A script gets the list. */
export async function showDone(ctx: RequestContext, owner: Owner, settings: SecondFactorSettings): Promise<Outcome> {
  return wantsPage(ctx.request) ? redirectTo(owner.redirectUrl, 303) : await showFactors(ctx, owner, settings);
}

type View = Omit<FactorsPage, "name" | "csrfToken" | "action" | "siteUrl" | "sessionsStay">;

async function answer(ctx: RequestContext, own: View): Promise<Outcome> {
  const view = { ...own, ...(!knowsSessions(ctx.config) && { sessionsStay: true as const }) };
  if (!wantsPage(ctx.request)) {
    const wrong = view.problem === "wrong" && { error: "CredentialsSignin" };
    return json({ ...wrong, ...view }, view.problem === "wrong" ? 401 : view.problem ? 400 : 200);
  }
  const { config, cookies } = ctx;
  keepLanguage(ctx);
  return page({
    name: "factors",
    csrfToken: config.skipCSRFCheck ? null : await ensureCsrfToken(cookies, config.secrets, config.runtime),
    action: listUrl(ctx),
    siteUrl: homeUrl(ctx),
    ...view,
  });
}

function viewOf(
  ctx: RequestContext,
  owner: Owner,
  settings: SecondFactorSettings,
  { step = { kind: "list" }, problem = null, retryAfter }: Shown,
): View {
  const { active, redirectUrl, isOn } = owner;
  const passkeyUrl = passkeyUrlFor(ctx, owner, settings);
  const isWaitedFor = !isOn && redirectUrl !== listUrl(ctx);
  return {
    callbackUrl: redirectUrl,
    purpose: active === null || isWaitedFor ? "required" : "manage",
    isOn,
    factors: [...entriesOf(owner), ...owner.passkeys.map(passkeyEntry)],
    recoveryCodes: recoveryCodesLeft(owner),
    add: [
      ...settings.methods.includes("totp") ? ["totp" as const] : [],
      ...passkeyUrl === null ? [] : ["passkey" as const],
    ],
    passkeyUrl,
    step,
    problem,
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

// Only somebody who is signed in can add a passkey to themselves.
function passkeyUrlFor(ctx: RequestContext, { active, redirectUrl }: Owner, { methods }: SecondFactorSettings) {
  const provider = passkeyProviderOf(ctx.config);
  if (!active || !provider || !methods.includes("passkey")) return null;
  const back = listUrl(ctx, redirectUrl === listUrl(ctx) ? {} : { callbackUrl: redirectUrl });
  return actionUrl(ctx, `signin/${provider.id}`, { callbackUrl: back });
}

/** How many recovery codes are left; `null` if there are none. */
export function recoveryCodesLeft({ factors }: Pick<Owner, "factors">): number | null {
  const set = countedCodes(factors);
  return set && Object.keys(set.hashes).length;
}

/** The applications that count, and those that will once there are recovery codes. */
export function appsOf({ factors, browser, isOn }: Pick<Owner, "factors" | "browser" | "isOn">): readonly TotpFactor[] {
  return factors.filter((factor): factor is TotpFactor => {
    // What counted before and was left behind when it was all switched off may be another person's.
    return factor.type === "totp" && (factor.isConfirmed ? isOn : hasWorkedIn(factor, browser));
  });
}

/** Whether an application has shown a right code in a browser, and does not count yet. */
export function hasWorkedIn({ draft }: Factor, browser: string): boolean {
  return draft?.hasWorked === true && draft.boundTo === browser;
}

function entriesOf(owner: Owner): FactorEntry[] {
  return appsOf(owner).map(appEntry);
}

/** Gives an application as its owner sees it. */
export function appEntry({ id, name, createdAt, usedAt }: TotpFactor): FactorEntry {
  return { id, type: "totp", name, createdAt: dateOf(createdAt), usedAt: dateOf(usedAt) };
}

/** Gives a passkey as its owner sees it. */
export function passkeyEntry({ credentialID }: AdapterAuthenticator): FactorEntry {
  return { id: credentialID, type: "passkey", name: null, createdAt: null, usedAt: null };
}

/** Gives a time of a factor, which is 0 or `null` if it is unknown. */
export function dateOf(seconds: number | null): Date | null {
  return seconds ? new Date(seconds * 1000) : null;
}
