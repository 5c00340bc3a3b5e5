/**
 * Choosing a new password with the link of an email.
 *
 * @module
 */
import type { ResolvedPasswordProvider } from "../../config/password_provider.ts";
import { sha256Base64Url } from "../../crypto/digest.ts";
import type { RedirectUrl } from "../../http/redirect_url.ts";
import { Verification } from "../../kernel/errors.ts";
import type { AdapterUser } from "../../kernel/model.ts";
import type { StoredPassword } from "../stored.ts";
import type { RequestContext } from "../../request/context.ts";
import { actionUrl, pageUrl, wantsPage } from "../../request/links.ts";
import type { Outcome } from "../../request/outcome.ts";
import { chooseRedirectUrl, rememberRedirectUrl } from "../../request/redirect.ts";
import { requireStorage } from "../../request/require_storage.ts";
import { type AddressProof, assertWorks } from "../../sign_in/address_proof.ts";
import { completeSignIn } from "../../sign_in/complete.ts";
import { findPassword, revisionFor } from "../../sign_in/stored_password.ts";
import { choosePassword } from "./choice.ts";
import { judgeMail, judgeStranger } from "./limit.ts";
import {
  attemptOf,
  issueAndSend,
  type Link,
  pretendToIssue,
  proofOf,
  readEmail,
  readLink,
  strangerOf,
} from "./link.ts";
import { pretendToSend, sendLetter } from "./mails.ts";
import { type EndpointInput, mayChoosePassword, passwordsOf } from "./own.ts";
import { type Problem, sent, showNewPassword, showReset } from "./view.ts";

/** Seconds in which the link works. */
const LASTING = 30 * 60;

/** Opens the page that asks for the address, or the link of an email. */
export async function openReset(ctx: RequestContext, { query }: EndpointInput): Promise<Outcome> {
  const provider = passwordsOf(ctx);
  const callbackUrl = await chooseRedirectUrl(ctx, query.get("callbackUrl") ?? undefined);
  if (!query.has("token")) {
    rememberRedirectUrl(ctx, callbackUrl);
    return await showReset(ctx, { callbackUrl, email: readEmail(query.get("email")) });
  }
  const link = readLink(query.get("token"), query.get("email"));
  return await orAskAgain(ctx, { email: link.email, callbackUrl }, async () => {
    await findReset(ctx, provider, link);
    return await showChoice(ctx, provider, { link, callbackUrl });
  });
}

/** Answers both forms: the one that asks for an email, and the one of its link. */
export async function answerReset(ctx: RequestContext, { fields, query }: EndpointInput): Promise<Outcome> {
  const provider = passwordsOf(ctx);
  const callbackUrl = await chooseRedirectUrl(ctx, fields.callbackUrl ?? query.get("callbackUrl") ?? undefined);
  if (fields.token !== undefined) {
    const link = readLink(fields.token, fields.email);
    return await orAskAgain(ctx, { email: link.email, callbackUrl }, async () => {
      return await answerChoice(ctx, provider, { link, fields, callbackUrl });
    });
  }
  const failed = await ask(ctx, provider, { email: readEmail(fields.email), fields, callbackUrl });
  if (failed === null) return sent(ctx, provider);
  return await showReset(ctx, { callbackUrl, email: typeof fields.email === "string" ? fields.email : null, failed });
}

interface Asked {
  readonly email: string | null;
  readonly fields: EndpointInput["fields"];
  readonly callbackUrl: RedirectUrl;
}

/** Sends an email in any case: what it says differs. */
async function ask(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { email, fields, callbackUrl }: Asked,
): Promise<Problem | null> {
  if (email === null) return { problem: "email" };
  const mailing = await judgeMail(ctx, provider, { email, fields });
  if ("problem" in mailing) return mailing;
  const { user, password, revision } = await findState(ctx, email);
  const about = { ...await aboutOf(provider, email, revision), lasting: LASTING };
  const kept = { shownAs: email };
  if (mailing.act === "pretend") {
    await pretendToSend(ctx);
    await pretendToIssue(ctx, about, kept);
    return null;
  }
  const mayChoose = user !== null && mayChoosePassword(provider, user, password);
  try {
    await issueAndSend(ctx, { ...about, ...kept }, async (token) => {
      if (mayChoose) {
        const url = actionUrl(ctx, "reset", { callbackUrl, token, email });
        return await sendLetter(ctx, { to: email, what: "mailReset", url, lasting: LASTING });
      }
      const signUp = provider.passwords.signUp === true && user === null;
      const also = signUp
        ? { url: actionUrl(ctx, "signup", { callbackUrl, email }), text: "signUp" as const }
        : undefined;
      await sendLetter(ctx, { to: email, what: "mailNoAccount", url: pageUrl(ctx, "signIn", { callbackUrl }), also });
    });
  } catch (error) {
    await mailing.failed();
    throw error;
  }
  return null;
}

interface State {
  readonly user: AdapterUser | null;
  readonly password: StoredPassword | null;
  readonly revision: string;
}

// Looks a password up in any case, so that it takes as long.
async function findState(ctx: RequestContext, email: string): Promise<State> {
  const user = await requireStorage(ctx).getUserByEmail(email);
  const password = await findPassword(ctx.config, (user ?? strangerOf(ctx, email)).id);
  return user ? { user, password, revision: revisionFor(password, user) } : { user, password: null, revision: "" };
}

/**
 * What a link is about: an address, and the password that it replaces. Once there is another password, every link that was
 * sent before is void. Databases limit how long the identifier of a token is.
 */
async function aboutOf({ id: provider }: ResolvedPasswordProvider, email: string, revision: string) {
  const subject = await sha256Base64Url(JSON.stringify([email, revision]));
  return { purpose: "reset", subject, provider } as const;
}

interface FoundReset {
  readonly proof: AddressProof;
  readonly revision: string;
  /** Who has the link, if it is known to work: what the answer says must not depend on anybody else. */
  readonly owner: Pick<State, "user" | "password"> | null;
}

/** @throws {Verification} if the link was used before, has expired or was never sent. */
async function findReset(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { email, token }: Link,
): Promise<FoundReset> {
  const { revision, ...found } = await findState(ctx, email);
  const proof = await proofOf(ctx, await aboutOf(provider, email, revision), token);
  const owner = await assertWorks(ctx, requireStorage(ctx), proof) ? found : null;
  if (owner && !owner.user) throw new Verification("Cannot use link: its user was removed");
  return { proof, revision, owner };
}

// Links that are too old are what people need help with most, so the page to ask for another one says so. Scripts read the
// error.
async function orAskAgain(
  ctx: RequestContext,
  shown: Pick<Asked, "email" | "callbackUrl">,
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Verification) || !wantsPage(ctx.request)) throw error;
    ctx.config.logger.error(error, ctx);
    return await showReset(ctx, { ...shown, failed: { problem: "expired" } });
  }
}

interface Choosing {
  readonly link: Link;
  readonly callbackUrl: RedirectUrl;
  readonly failed?: Problem | undefined;
}

async function showChoice(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { link: { email, token }, ...shown }: Choosing,
): Promise<Outcome> {
  return await showNewPassword(ctx, provider, { ...shown, purpose: "reset", email, token, canRemove: false });
}

/** Stores the password, ends all sessions and signs in. Second factors stay, and are asked for. */
async function answerChoice(
  ctx: RequestContext,
  provider: ResolvedPasswordProvider,
  { link, fields, callbackUrl }: Pick<Asked, "fields" | "callbackUrl"> & Pick<Choosing, "link">,
): Promise<Outcome> {
  const { proof, revision, owner } = await findReset(ctx, provider, link);
  const limited = await judgeStranger(ctx, provider, { email: link.email, fields });
  if (limited) return await showChoice(ctx, provider, { link, callbackUrl, failed: limited });
  const replaced = revision !== "" ? owner?.password?.hash || null : null;
  const words = [link.email, owner?.user?.name ?? ""];
  const chosen = await choosePassword(ctx, provider, { text: fields.password, words, replaced });
  if ("problem" in chosen) return await showChoice(ctx, provider, { link, callbackUrl, failed: chosen });
  const sets = { hash: chosen.hash, replaces: revision, creates: false, endsSessions: true };
  const outcome = await completeSignIn(ctx, attemptOf(ctx, provider, { email: link.email, proof, sets }), callbackUrl);
  ctx.cookies.clear("email");
  return outcome;
}
