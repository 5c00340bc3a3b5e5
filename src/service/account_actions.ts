/**
 * `auth.account`: the account page as functions.
 *
 * @module
 */
import {
  type AuthError,
  BadRequest,
  EmailSignInError,
  InvalidConfig,
  LastWayIn,
  StepUpRequired,
  TooManyAttempts,
  Verification,
} from "../kernel/errors.ts";
import { readRequirement } from "../kernel/requirement.ts";
import { ACCOUNT_PROBLEMS } from "../request/account_problems.ts";
import type { AccountAct, AccountProblem, AccountView } from "../request/account_views.ts";
import type { RequestContext } from "../request/context.ts";
import type { AccountAdministration, AccountAnswer } from "../request/account_administration.ts";
import { pointsOf } from "../request/points.ts";
import { authenticationOf } from "../session_stores/authentication.ts";
import { openSession } from "../sign_in/current.ts";
import { FRESH } from "../sign_in/dangerous.ts";
import { assertOwnSite } from "./actions.ts";
import type { Engine } from "./engine.ts";
import { refusal } from "./require.ts";

/**
 * The account of the person who is signed in: what they see of it, and what they change. It needs the feature
 * `accountPage()` of `@x/auth/account`.
 *
 * Each function does what the page does, with the same mails, and demands the same: whatever changes who gets in needs a
 * sign-in of the last 10 minutes, with the second proof of people who have one. Where it is missing, it throws
 * {@linkcode StepUpRequired}, whose `response()` is the answer.
 *
 * Each throws an {@linkcode AuthError}: `InvalidConfig` if the feature is not listed, `AdapterError` if storage fails, and,
 * but for `get()` and `exportData()`, `MissingCSRF` if another site made the browser send the request.
 */
export interface AuthAccount {
  /**
   * Gives the account. Nothing of it lets anybody in.
   *
   * @param request The request of somebody who is signed in.
   * @throws {StepUpRequired} if nobody is.
   */
  get(request: Request): Promise<AccountView>;
  /**
   * Changes the name. An encrypted session holds a copy of it, which stays as it is until the next sign-in.
   *
   * @throws {BadRequest} if it cannot be one, or `name` of the feature is `false`.
   */
  rename(request: Request, name: string): Promise<void>;
  /**
   * Begins to change the address: an email goes to the new one. Nothing changes before the links of the emails were opened.
   * Whether somebody has the address makes no difference.
   *
   * @throws {EmailSignInError} if it is no address, or the email cannot be sent.
   * @throws {TooManyAttempts} if there were too many emails.
   */
  changeEmail(request: Request, to: string): Promise<void>;
  /**
   * Removes an account at a provider. Other sessions end, and the provider is asked to revoke its tokens.
   *
   * @param id The id that `get()` gave.
   * @throws {LastWayIn} if nothing else would sign them in.
   * @throws {BadRequest} if there is no such account, or it is the application's.
   */
  unlink(request: Request, id: string): Promise<void>;
  /** Gives a passkey another name. @throws {BadRequest} if there is no such passkey, or it cannot be a name. */
  renamePasskey(request: Request, id: string, name: string): Promise<void>;
  /**
   * Removes a passkey.
   *
   * @throws {LastWayIn} if nothing else would sign them in.
   * @throws {BadRequest} if there is no such passkey.
   */
  removePasskey(request: Request, id: string): Promise<void>;
  /** Ends a session. @throws {BadRequest} if there is no such session. */
  endSession(request: Request, id: string): Promise<void>;
  /** Ends all sessions but the one of the request. */
  endOthers(request: Request): Promise<void>;
  /** Gives what is stored of them, without secrets, as JSON can hold it. An email says that it was taken. */
  exportData(request: Request): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Deletes the account, or begins to, with `graceDays`. Ask before whether they mean it.
   *
   * @returns What `delete` of the feature answers in place of deleting; otherwise `null`.
   */
  delete(request: Request): Promise<Response | null>;
  /**
   * Deletes the accounts whose `graceDays` are over: call it once a day.
   *
   * @returns How many were deleted.
   * @throws {InvalidConfig} if the configuration is a function of the request.
   */
  deleteDue(): Promise<number>;
}

/** Makes the functions of `auth.account`. */
export function accountFunctions(engine: Engine): AuthAccount {
  const change = async (request: Request, act: AccountAct, fields: Fields = {}): Promise<void> => {
    await run(engine, request, { act, fields });
  };
  return {
    get: (request) => view(engine, request),
    rename: (request, name) => change(request, "rename", { name }),
    changeEmail: (request, to) => change(request, "changeEmail", { to }),
    unlink: (request, id) => change(request, "unlink", { id }),
    renamePasskey: (request, id, name) => change(request, "renamePasskey", { id, name }),
    removePasskey: (request, id) => change(request, "removePasskey", { id }),
    endSession: (request, id) => change(request, "endSession", { id }),
    endOthers: (request) => change(request, "endOthers"),
    exportData: async (request) => {
      const answer = await run(engine, request, { act: "export", fields: {} });
      return answer.kind === "file" ? JSON.parse(answer.body) : {};
    },
    delete: async (request) => {
      const answer = await run(engine, request, { act: "delete", fields: {} });
      return answer.kind === "response" ? answer.response : null;
    },
    deleteDue: async () => {
      if (engine.needsRequest) {
        throw new InvalidConfig("Cannot delete accounts: the configuration is a function of the request");
      }
      return await engine.runWithoutRequest(async (config, subject) => {
        return await (await administrationIn({ config })).deleteDue(config, subject);
      });
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

interface Asked {
  readonly act: AccountAct;
  readonly fields: Fields;
}

async function view(engine: Engine, request: Request): Promise<AccountView> {
  const { value } = await engine.runForRequest(request, async (ctx) => {
    const found = await (await administrationIn(ctx)).view(ctx);
    return typeof found === "string" ? await stepUp(ctx, found) : found;
  });
  if (value instanceof StepUpRequired) throw value;
  return value;
}

type Answered = Exclude<AccountAnswer, { readonly kind: "sign-in" | "prove-more" | "problem" }>;

/** Runs an act. @throws {AuthError} where the page would show what did not work: the log has nothing of it. */
async function run(engine: Engine, request: Request, { act, fields }: Asked): Promise<Answered> {
  const { value } = await engine.runForRequest(request, async (ctx): Promise<Answered | AuthError> => {
    // What leaves as a file changes nothing, and another site cannot read it.
    if (act !== "export") assertOwnSite(ctx, "change the account");
    const answer = await (await administrationIn(ctx)).run(ctx, act, fields);
    if (answer.kind === "problem") return errorOf(act, answer.problem, answer.retryAfter);
    if (answer.kind === "sign-in" || answer.kind === "prove-more") return await stepUp(ctx, answer.kind);
    return answer;
  });
  if (value instanceof Error) throw value;
  return value;
}

async function administrationIn({ config }: Pick<RequestContext, "config">): Promise<AccountAdministration> {
  for (const { account } of await pointsOf(config)) if (account) return account;
  throw new InvalidConfig("Cannot use `auth.account`: add `accountPage()` of `@x/auth/account` to `features`");
}

async function stepUp(ctx: RequestContext, what: "sign-in" | "prove-more"): Promise<StepUpRequired> {
  const active = await openSession(ctx);
  const auth = active && authenticationOf(active);
  const missing = !auth ? "session" : what === "sign-in" ? "age" : "level";
  const level = missing === "level" ? 2 : 1;
  return await refusal(ctx, { auth, missing: [missing], requirement: readRequirement({ level, maxAge: FRESH }) });
}

const ERRORS = { BadRequest, EmailSignInError, LastWayIn, Verification } as const;

function errorOf(act: AccountAct, problem: AccountProblem, retryAfter = 0): AuthError {
  const message = `Cannot change the account (${act}): ${SENTENCES[problem]}`;
  const { error } = ACCOUNT_PROBLEMS[problem];
  if (error !== "TooManyAttempts") return new ERRORS[error](message);
  const limited = new TooManyAttempts(message);
  limited.retryAfter = retryAfter;
  return limited;
}

const SENTENCES: Readonly<Record<AccountProblem, string>> = {
  "name": "the name cannot be one, or it may not be changed",
  "email": "it is no email address",
  "same-email": "it is the address that they have",
  "last-way": "nothing else would sign its user in",
  "not-found": "there is nothing like it, or it is not for its user to change",
  "typed": "what was typed is not what was asked for",
  "expired": "the link was used before, or has expired",
  "too-many": "there were too many attempts",
  "not-sent": "the email could not be sent",
  "section": "the section does not take it",
};
