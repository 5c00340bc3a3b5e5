/**
 * The endpoint of the account page.
 *
 * @module
 */
import type { RedirectUrl } from "../http/redirect_url.ts";
import { BadRequest, TooManyAttempts } from "../kernel/errors.ts";
import type { AccountAct, AccountStep } from "../request/account_views.ts";
import type { RequestContext } from "../request/context.ts";
import { pageUrl, wantsPage } from "../request/links.ts";
import { json, type Outcome, redirectTo } from "../request/outcome.ts";
import type { PointInput } from "../request/points.ts";
import { proveMoreFirst, signInFirst } from "../request/prove_first.ts";
import { chooseRedirectUrl } from "../request/redirect.ts";
import { type Actor, findActor } from "../sign_in/actor.ts";
import type { AccountActRow, ActInput, ActProblem } from "./acts.ts";
import { markDone, readDone } from "./done_mark.ts";
import { type NamedAct, type RanAct, runAct } from "./run_act.ts";
import type { AccountSettings } from "./settings.ts";
import { show, type Shown } from "./show.ts";
import { ACCOUNT_ACTS, actNamed } from "./table.ts";
import { accountUrl } from "./urls.ts";

/** Opens the page, or what it asks for before an act. */
export async function openAccount(
  ctx: RequestContext,
  { query }: Pick<PointInput, "query">,
  settings: AccountSettings,
): Promise<Outcome> {
  const row = actNamed(query.get("act"));
  const callbackUrl = await urlAfter(ctx, query.get("callbackUrl"));
  const input = { fields: Object.fromEntries(query), settings, byApplication: false };
  if (row?.judged === null) {
    return await show(ctx, null, settings, { step: await row.open(ctx, null, input), callbackUrl });
  }
  // An act that needs no page of its own is shown where its button is.
  const act = row?.open ? row.judged : "seeAccount";
  const found = await findActor(ctx, { act, moment: "begun" });
  if (found.act !== "go-on") return firstOf(ctx, found.act, input.fields);
  const { actor } = found;
  const step = await row?.open?.(ctx, actor, input) ??
    { kind: "overview", done: await readDone(ctx.config, actor.user.id, query) };
  return await show(ctx, actor, settings, { step, callbackUrl });
}

/** Answers a form. */
export async function answerAccount(
  ctx: RequestContext,
  { fields, query }: Pick<PointInput, "fields" | "query">,
  settings: AccountSettings,
): Promise<Outcome> {
  const row = actNamed(fields.act);
  if (!row) {
    throw new BadRequest(`Cannot change the account: \`act\` is none of ${Object.keys(ACCOUNT_ACTS).join(", ")}`);
  }
  const asked: Asked = {
    act: { name: fields.act as AccountAct, row },
    input: { fields, settings, byApplication: false },
    callbackUrl: await urlAfter(ctx, fields.callbackUrl ?? query.get("callbackUrl")),
  };
  try {
    return await answerOf(ctx, asked, await runAct(ctx, asked.act, asked.input));
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    return await showTooMany(ctx, asked, error);
  }
}

interface Asked {
  readonly act: NamedAct;
  readonly input: ActInput;
  readonly callbackUrl: RedirectUrl;
}

async function answerOf(ctx: RequestContext, asked: Asked, ran: RanAct): Promise<Outcome> {
  const { input, act } = asked;
  switch (ran.kind) {
    case "sign-in":
    case "prove-more":
      return firstOf(ctx, ran.kind, act.row.open ? wayBackTo(act, input) : {});
    case "done":
      return await answerDone(ctx, asked, ran.step);
    case "problem":
      return await showProblem(ctx, asked, { ...ran, actor: ran.actor });
    case "file":
      return { kind: "file", name: ran.name, body: ran.body };
    case "response":
      return { kind: "response", response: ran.response };
    case "gone":
      return answerGone(ctx);
    default:
      return ran satisfies never;
  }
}

async function answerDone(
  ctx: RequestContext,
  { act, input: { settings }, callbackUrl }: Asked,
  step?: AccountStep,
): Promise<Outcome> {
  const isPage = wantsPage(ctx.request);
  if (isPage && !step && callbackUrl !== accountUrl(ctx)) return redirectTo(callbackUrl, 303);
  const shown: Shown = { step: step ?? { kind: "overview", done: act.name }, callbackUrl };
  // For the link of an email, nobody need be signed in.
  if (act.row.judged === null && (step || !isPage)) return await show(ctx, null, settings, shown);
  // As they are now.
  const found = await findActor(ctx, { act: "seeAccount", moment: "begun" });
  if (found.act !== "go-on") return firstOf(ctx, found.act, {});
  const { actor } = found;
  if (!isPage || step) return await show(ctx, actor, settings, shown);
  return redirectTo(accountUrl(ctx, await markDone(ctx.config, actor.user.id, act.name)), 303);
}

async function showProblem(
  ctx: RequestContext,
  { input: { settings }, callbackUrl }: Asked,
  { problem, step, retryAfter, said, actor }: ActProblem & { readonly actor: Actor | null },
): Promise<Outcome> {
  return await show(ctx, actor, settings, {
    step: step ?? { kind: "overview", done: null },
    callbackUrl,
    problem,
    retryAfter,
    said,
  });
}

async function showTooMany(ctx: RequestContext, asked: Asked, limited: TooManyAttempts): Promise<Outcome> {
  const { act: { row }, input } = asked;
  const found = row.judged === null ? null : await findActor(ctx, { act: "seeAccount", moment: "begun" });
  if (found && found.act !== "go-on") return firstOf(ctx, found.act, {});
  const actor = found?.actor ?? null;
  const step = await openAgain(ctx, { row, actor, input }) ?? { kind: "overview", done: null };
  const { retryAfter } = limited;
  const { settings } = input;
  return await show(ctx, actor, settings, {
    step,
    callbackUrl: asked.callbackUrl,
    problem: "too-many",
    retryAfter,
    limited,
  });
}

interface Again {
  readonly row: AccountActRow;
  readonly actor: Actor | null;
  readonly input: ActInput;
}

async function openAgain(ctx: RequestContext, { row, actor, input }: Again): Promise<AccountStep | null> {
  if (row.judged === null) return await row.open(ctx, null, input);
  return actor && await row.open?.(ctx, actor, input) || null;
}

function answerGone(ctx: RequestContext): Outcome {
  ctx.sessions.forget(ctx.cookies);
  const url = pageUrl(ctx, "signIn");
  const isBrowser = wantsPage(ctx.request) || ctx.request.headers.has("x-auth-return-redirect");
  return isBrowser ? redirectTo(url, 303) : json({ url });
}

// What a form has sent is not sent again, but the page that it was on is opened again.
function wayBackTo({ name }: NamedAct, { fields }: ActInput): Readonly<Record<string, unknown>> {
  const { id, token, callbackUrl } = fields;
  return { act: name, id, token, callbackUrl };
}

/** The parameters of the page that somebody comes back to. */
const KEPT = ["act", "id", "token", "callbackUrl"] as const;

function firstOf(
  ctx: RequestContext,
  what: "sign-in" | "prove-more",
  fields: Readonly<Record<string, unknown>>,
): Outcome {
  const kept = KEPT.flatMap((name) => typeof fields[name] === "string" ? [[name, fields[name]] as const] : []);
  const back = accountUrl(ctx, Object.fromEntries(kept));
  return what === "sign-in" ? signInFirst(ctx, back) : proveMoreFirst(ctx, back);
}

/** Chooses where the browser goes once something is done: by default back to the overview. */
async function urlAfter(ctx: RequestContext, wanted: unknown): Promise<RedirectUrl> {
  return await chooseRedirectUrl(ctx, wanted ?? accountUrl(ctx));
}
