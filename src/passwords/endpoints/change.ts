/**
 * The password of somebody who is signed in: setting, changing and removing it.
 *
 * @module
 */
import type { ResolvedPasswordProvider } from "../../config/password_provider.ts";
import type { Expectation, Plan } from "../../contract/adapter.ts";
import type { RedirectUrl } from "../../http/redirect_url.ts";
import { AccessDenied, AdapterError } from "../../kernel/errors.ts";
import { once } from "../../kernel/load.ts";
import type { AdapterUser } from "../../kernel/model.ts";
import { passwordKey, recordOf, type StoredPassword } from "../stored.ts";
import type { RequestContext } from "../../request/context.ts";
import { tell } from "../../request/events.ts";
import { actionUrl, wantsPage } from "../../request/links.ts";
import { mailerOf } from "../../request/mailer.ts";
import { json, type Outcome, redirectTo } from "../../request/outcome.ts";
import type { PasswordDone } from "../../request/password_views.ts";
import { proveMoreFirst, signInFirst } from "../../request/prove_first.ts";
import { chooseRedirectUrl } from "../../request/redirect.ts";
import { requireStorage } from "../../request/require_storage.ts";
import { endOthersOf } from "../../session/end_of_user.ts";
import { storedKeyOf } from "../../session_stores/auth_session.ts";
import type { ActiveSession } from "../../session_stores/session_store.ts";
import { commitAbout } from "../../sign_in/commit_about.ts";
import { findSessionUser, mayDo, openSession } from "../../sign_in/current.ts";
import type { DangerousAct } from "../../sign_in/dangerous.ts";
import {
  findPassword,
  mayHavePassword,
  passwordStoreOf,
  removePassword,
  replaceInStore,
} from "../../sign_in/stored_password.ts";
import { canRemove, findWays, PASSWORD_WAY, type Way } from "../../sign_in/ways.ts";
import { choosePassword } from "./choice.ts";
import { judgeOwner } from "./limit.ts";
import { type EndpointInput, mayChoosePassword, passwordsOf } from "./own.ts";
import { done, type Problem, showNewPassword } from "./view.ts";

const notices = once(() => import("../../sign_in/notice.ts"));

/** Somebody who may change their password now. */
interface Owner {
  readonly user: AdapterUser;
  readonly active: ActiveSession;
  /** What has to be true still when something is written. */
  readonly expect: Pick<Expectation, "session">;
  readonly password: StoredPassword | null;
  /** Another way in, if there is one. */
  readonly otherWay: Way | null;
  readonly callbackUrl: RedirectUrl;
  /** What they have done just now, if the page that they come back to is this one. */
  readonly told?: PasswordDone | undefined;
}

type Found = { readonly owner: Owner } | { readonly outcome: Outcome };

/** Opens the page. */
export async function openPassword(ctx: RequestContext, input: EndpointInput): Promise<Outcome> {
  const provider = passwordsOf(ctx);
  const found = await findOwner(ctx, provider, { input, moment: "begun" });
  if ("outcome" in found) return found.outcome;
  const told = toldOf(ctx, found.owner, input.query.get("done"));
  return await show(ctx, provider, { ...found.owner, told });
}

/** Anybody can make a link that says that something was done. So what is stored has to agree. */
function toldOf(
  { config: { runtime } }: RequestContext,
  { password }: Pick<Owner, "password">,
  what: string | null,
): PasswordDone | undefined {
  if (what === "removed") return password ? undefined : what;
  if (what !== "saved" || !password) return undefined;
  // Of a table of the application, nobody knows when.
  const { setAt } = password;
  return setAt === null || runtime.now() / 1000 - setAt < JUST_NOW ? what : undefined;
}

/** Seconds after which something was not done just now. */
const JUST_NOW = 60;

/** Answers the form. */
export async function answerPassword(ctx: RequestContext, input: EndpointInput): Promise<Outcome> {
  const provider = passwordsOf(ctx);
  const { fields } = input;
  const removes = fields.act === "remove";
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const found = await findOwner(ctx, provider, { input, moment: "done" });
    if ("outcome" in found) return found.outcome;
    const outcome = removes
      ? await remove(ctx, provider, found.owner)
      : await change(ctx, provider, found.owner, fields);
    if (outcome) return outcome;
  }
  throw new AdapterError(`Cannot change the password: storage changed during each of ${MAX_TRIES} tries`);
}

/** How often something is decided that others change at the same time. */
const MAX_TRIES = 5;

interface Asked {
  readonly input: EndpointInput;
  readonly moment: "begun" | "done";
}

async function findOwner(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { input: { query, fields }, moment }: Asked,
): Promise<Found> {
  const { config } = ctx;
  const storage = requireStorage(ctx);
  const here = actionUrl(ctx, "password");
  const callbackUrl = await chooseRedirectUrl(ctx, fields.callbackUrl ?? query.get("callbackUrl") ?? here);
  const back = callbackUrl === here ? here : actionUrl(ctx, "password", { callbackUrl });
  const active = await openSession(ctx);
  const user = active && await findSessionUser(config, storage, active);
  if (!active || !user) return { outcome: signInFirst(ctx, back) };
  const password = await findPassword(config, user.id);
  const act = actOf(password, fields);
  const judged = await mayDo(config, { act, moment, active, user });
  if (judged === "too-low") return { outcome: proveMoreFirst(ctx, back) };
  if (judged !== "allowed") return { outcome: signInFirst(ctx, back) };
  // A password is for an address, so the address comes first.
  if (!mayHavePassword(user)) return { outcome: proveAddressFirst(ctx, user) };
  if (!mayChoosePassword(provider, user, password)) {
    throw new AccessDenied(
      "Cannot set a password: `signUp` of `password()` is false, and the user has none for their address",
    );
  }
  const sessionToken = storedKeyOf(config.session, active);
  return {
    owner: {
      user,
      active,
      expect: sessionToken === null ? {} : { session: { sessionToken, userId: user.id } },
      password,
      otherWay: password && canRemove(await findWays(config, user), [PASSWORD_WAY]),
      callbackUrl,
    },
  };
}

function actOf(password: StoredPassword | null, { act }: EndpointInput["fields"]): DangerousAct {
  if (act === "remove") return "removePassword";
  return password ? "changePassword" : "setPassword";
}

function proveAddressFirst(ctx: RequestContext, { email }: AdapterUser): Outcome {
  const url = actionUrl(ctx, "reset", { email });
  return wantsPage(ctx.request) ? redirectTo(url, 303) : json({ error: "AccessDenied", url }, 403);
}

async function show(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { user: { email }, password, otherWay, callbackUrl, told }: Owner,
  failed?: Problem,
): Promise<Outcome> {
  return await showNewPassword(ctx, provider, {
    callbackUrl,
    failed,
    purpose: password ? "change" : "set",
    email,
    token: null,
    canRemove: otherWay !== null,
    ...(told && { done: told }),
  });
}

/** @returns `null` if something has changed meanwhile: decide again. */
async function change(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  owner: Owner,
  fields: EndpointInput["fields"],
): Promise<Outcome | null> {
  const { user, password, callbackUrl } = owner;
  const { id: userId, email } = user;
  const limited = await judgeOwner(ctx, provider, { email, fields });
  if (limited) return await show(ctx, provider, owner, limited);
  const chosen = await choosePassword(ctx, provider, { text: fields.password, words: [email, user.name ?? ""] });
  if ("problem" in chosen) return await show(ctx, provider, owner, chosen);
  const version = password?.version ?? 0;
  const record = recordOf({ userId, email, hash: chosen.hash, version }, ctx.config.runtime);
  const store = passwordStoreOf(ctx.config);
  if (!await write(ctx, owner, store ? {} : { records: { put: [record] } })) return null;
  const replaced = { userId, hash: chosen.hash, former: password?.hash ?? null };
  if (store && !await replaceInStore(store, replaced)) return null;
  // Whoever has the former password may be in.
  await endOthers(ctx, provider, { owner, act: password ? "changePassword" : "setPassword" });
  return goOn(ctx, callbackUrl, "saved");
}

/** Goes where somebody came from. If that is this page, it says what was done. */
function goOn(ctx: RequestContext, callbackUrl: RedirectUrl, what: PasswordDone): Outcome {
  const isHere = callbackUrl === actionUrl(ctx, "password") && wantsPage(ctx.request);
  return done(ctx, isHere ? actionUrl(ctx, "password", { done: what }) : callbackUrl);
}

/** @returns `null` if something has changed meanwhile: decide again. */
async function remove(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  owner: Owner,
): Promise<Outcome | null> {
  const { user, password, otherWay, callbackUrl } = owner;
  if (!password) return done(ctx, callbackUrl);
  if (!otherWay) throw new AccessDenied("Cannot remove the password: the user has no other way in");
  const store = passwordStoreOf(ctx.config);
  const records = store ? {} : { records: { remove: [passwordKey(user.id)] } };
  if (!await write(ctx, owner, { ...records, expect: otherWay.expect })) return null;
  if (store) await removePassword(ctx.config, user.id);
  await endOthers(ctx, provider, { owner, act: "removePassword" });
  return goOn(ctx, callbackUrl, "removed");
}

async function write(
  { config }: RequestContext,
  { user, password, expect }: Owner,
  { expect: also, ...plan }: Pick<Plan, "expect" | "records">,
): Promise<boolean> {
  const records = plan.records ? [{ ...passwordKey(user.id), version: password?.version ?? 0 }] : [];
  const whole = { ...expect, ...also, ...(records.length > 0 && { records }) };
  return await commitAbout(config, user, { ...plan, expect: whole }) === "done";
}

// Its owner is told in any case: it is done.
async function endOthers(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { owner, act }: { readonly owner: Owner; readonly act: DangerousAct },
): Promise<void> {
  try {
    await endOthersOf(ctx, owner);
  } finally {
    await tellOwner(ctx, provider, { act, user: owner.user });
  }
}

async function tellOwner(
  ctx: RequestContext,
  { id: provider }: ResolvedPasswordProvider,
  what: { readonly act: DangerousAct; readonly user: AdapterUser },
): Promise<void> {
  const event = () => ({ userId: what.user.id, by: "owner" as const });
  const type = what.act === "removePassword" ? "passwordRemoved" : "passwordSet";
  await tell(ctx.config, { type, event, message: null }, ctx);
  const mailer = mailerOf(ctx.config);
  if (mailer) await (await notices()).notify(ctx, mailer, { ...what, provider });
}
