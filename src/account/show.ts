/**
 * The account page as data, and the same for scripts.
 *
 * @module
 */
import { ensureCsrfToken } from "../http/csrf.ts";
import type { Field } from "../http/headers.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import type { TooManyAttempts } from "../kernel/errors.ts";
import { ACCOUNT_PROBLEMS } from "../request/account_problems.ts";
import type { AccountPage, AccountProblem, AccountStep, AccountView } from "../request/account_views.ts";
import type { RequestContext } from "../request/context.ts";
import { keepLanguage } from "../request/language.ts";
import { limitFields } from "../request/limited.ts";
import { homeUrl, pageUrl, wantsPage } from "../request/links.ts";
import type { Outcome } from "../request/outcome.ts";
import { knowsSessions } from "../session/user_sessions.ts";
import type { Actor } from "../sign_in/actor.ts";
import type { Said } from "./acts.ts";
import { viewOf } from "./overview.ts";
import { drawSections } from "./own_sections.ts";
import type { AccountSettings } from "./settings.ts";
import { accountUrl } from "./urls.ts";

/** What is shown of the page. */
export interface Shown {
  readonly step: AccountStep;
  readonly callbackUrl: RedirectUrl;
  readonly problem?: AccountProblem | undefined;
  readonly retryAfter?: number | undefined;
  readonly said?: Said | undefined;
  /** There were too many attempts. */
  readonly limited?: TooManyAttempts | undefined;
}

/** Shows the page. `actor` is `null` where a link of an email is opened: then nothing of the account is shown. */
export async function show(
  ctx: RequestContext,
  actor: Actor | null,
  settings: AccountSettings,
  { step, callbackUrl, problem, retryAfter, said, limited }: Shown,
): Promise<Outcome> {
  const own: Own = {
    callbackUrl,
    view: actor && await viewOf(ctx, actor, settings),
    step,
    sections: actor && step.kind === "overview" ? await drawSections(ctx, actor.user, settings, said) : [],
    problem: problem ?? null,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(!knowsSessions(ctx.config) && { sessionsStay: true as const }),
    signOutUrl: pageUrl(ctx, "signOut"),
  };
  const status = problem ? ACCOUNT_PROBLEMS[problem].status : 200;
  const headers = limited
    ? limitFields(limited)
    : retryAfter === undefined
    ? []
    : [["retry-after", String(retryAfter)] as const];
  return wantsPage(ctx.request)
    ? await asPage(ctx, own, { status, headers })
    : { kind: "json", body: { ...saidOf({ problem, limited }), ...own }, status, headers };
}

/** What scripts read of what did not work. */
function saidOf({ problem, limited }: Pick<Shown, "problem" | "limited">): object {
  const { ways, challenge } = limited ?? {};
  return {
    ...(problem && { error: ACCOUNT_PROBLEMS[problem].error }),
    ...(ways && { ways }),
    ...(challenge && { challenge }),
  };
}

type Own = Omit<AccountPage, "name" | "csrfToken" | "action" | "siteUrl" | "styles">;

interface Head {
  readonly status: number;
  readonly headers: readonly Field[];
}

async function asPage(ctx: RequestContext, own: Own, { status, headers }: Head): Promise<Outcome> {
  const { config, cookies } = ctx;
  keepLanguage(ctx);
  const csrfToken = config.skipCSRFCheck ? null : await ensureCsrfToken(cookies, config.secrets, config.runtime);
  const page: AccountPage = {
    name: "account",
    csrfToken,
    action: accountUrl(ctx),
    siteUrl: homeUrl(ctx),
    styles: stylesOf(config, own.view),
    ...own,
  };
  return { kind: "page", page, status, headers };
}

function stylesOf(
  { providers }: RequestContext["config"],
  view: AccountView | null,
): NonNullable<AccountPage["styles"]> {
  const shown = [...view?.ways ?? [], ...view?.addable ?? []];
  return Object.fromEntries(shown.flatMap(({ provider }) => {
    const found = providers.get(provider);
    return found ? [[provider, found.style]] : [];
  }));
}
