/**
 * The points at which features act.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Expectation, Plan } from "../contract/adapter.ts";
import { loadFeature } from "../contract/feature.ts";
import type { SessionAuth } from "../contract/config.ts";
import type { GuessKind } from "../contract/limited.ts";
import { AuthError } from "../kernel/errors.ts";
import type { Awaitable, User } from "../kernel/model.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import type { Warning } from "../config/warning.ts";
import { type Limited, tooMany } from "./limited.ts";
import type { Outcome, Page, PageSection } from "./outcome.ts";
import type { ChallengeView } from "../kernel/challenge_view.ts";
import type { AccountAdministration } from "./account_administration.ts";
import type { RequestContext } from "./context.ts";
import type { UserFactor } from "./factor_views.ts";
import type { AuthEvent, FactorType } from "./happened.ts";

/** What features get of a request at every point, also where a session is only read. */
export type PointContext = Pick<RequestContext, "config" | "cookies">;

/** A secret that is about to be compared. */
export interface Guess {
  /** What it is. */
  readonly kind: GuessKind;
  /** Id of the provider. */
  readonly provider: string;
  /** The address, or the id of the user, that it is for; `null` where only the application knows whose it is. */
  readonly subject: string | null;
  /** What was typed, if it came as a form. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** What is guessed at, if there may be many for one subject: the first guess at each is not the subject's. */
  readonly target?: string;
}

/** An email that somebody asks for, who may be anybody. */
export interface MailAsked {
  /** Id of the provider. */
  readonly provider: string;
  /** The address that it goes to. */
  readonly address: string;
  /** What was typed. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Whether a secret may be compared. */
export type GuessAnswer =
  | {
    readonly act: "compare";
    /** Told whether it was right. */
    readonly done?: (isRight: boolean) => Awaitable<void>;
  }
  | { readonly act: "refuse"; readonly limited?: Limited };

/** Whether an email is sent. */
export type MailAnswer =
  | {
    readonly act: "send";
    /** Called if it could not be sent. */
    readonly failed?: () => Awaitable<void>;
  }
  /** Nothing is sent, and the answer is the same as if it were. */
  | { readonly act: "pretend" }
  | { readonly act: "refuse"; readonly limited: Limited };

/** Somebody whose session came into being in this browser, or was raised there. */
export interface Entered {
  readonly user: User;
  /** The credentials that they typed, if that was the way. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** Id of the provider; empty if it is unknown. */
  readonly provider: string;
  /** The address that they have proven by opening a link or typing a code, if that was the way. */
  readonly address?: string | undefined;
  /** How they proved it just now, as RFC 8176 names it. */
  readonly methods?: readonly string[] | undefined;
  /** The row of their session, if it has one. */
  readonly session?: EnteredSession | undefined;
  /** The id of the passkey that they have used, as it is stored, if that was the way. */
  readonly credentialID?: string | undefined;
}

/** The row of a session that came into being. */
export interface EnteredSession {
  readonly key: string;
  readonly expires: Date;
  /** The key of the row whose place it has taken, because its user has proven more. */
  readonly replaces?: string | undefined;
}

/** A session that is about to come into being. */
export interface Mint {
  /** Whose it is, as they are once the sign-in is written. */
  readonly user: User;
  /**
   * Whether the sign-in proves the address of the user for the first time. It removes what somebody may have added before,
   * such as a factor, so none of that counts.
   */
  readonly evicts: boolean;
  /** How they have signed in so far. */
  readonly authentication: SessionAuth;
  /** How the provider has authenticated them, if it was asked for it: of an id_token that was verified. */
  readonly upstream?: UpstreamClaims | undefined;
}

/** Claims of an id_token that say how somebody was authenticated. */
export interface UpstreamClaims {
  /** The class of the authentication (OpenID Connect Core, section 2). */
  readonly acr?: string | undefined;
  /** Authentication contexts, as Microsoft Entra ID names them. */
  readonly acrs?: readonly string[] | undefined;
  /** The methods, many of which RFC 8176 names. */
  readonly amr?: readonly string[] | undefined;
  /** When it was, in seconds since 1970. */
  readonly auth_time?: number | undefined;
}

/** Whether a session may come into being: at once, after another proof, or not at all. */
export type Assurance =
  | {
    readonly act: "enter";
    /** What else is proven, as RFC 8176 names it: the session says it, too. */
    readonly methods?: readonly string[];
  }
  | {
    readonly act: "challenge";
    /** What may prove it, as RFC 8176 names it. */
    readonly missing: readonly string[];
  }
  | { readonly act: "refuse"; readonly message: string };

/** What a path of a feature gets. */
export interface PointInput {
  readonly query: URLSearchParams;
  readonly fields: Readonly<Record<string, unknown>>;
  /**
   * Lets the sign-in of this browser go on that waits for a second proof. Everything is decided again.
   *
   * @param methods What the second proof was, as RFC 8176 names it, with `mfa` if there are two factors now.
   * @throws {AccessDenied} if none waits.
   */
  readonly resume: (methods: readonly string[]) => Promise<Outcome>;
}

/** A path that a feature answers. Each has a row in the table of endpoints. */
export type PointRoute =
  | "GET account"
  | "POST account"
  | "GET challenge"
  | "POST challenge"
  | "GET factors"
  | "POST factors";

/** What the application does about the second factors of a user. */
export interface FactorsAdministration {
  list(config: ResolvedConfig, userId: string): Promise<readonly UserFactor[]>;
  remove(config: ResolvedConfig, which: FactorToRemove): Promise<boolean>;
  /** Says of the recovery codes of a user that count; `null` if no second proof is asked of them. */
  recoveryCodes(config: ResolvedConfig, userId: string): Promise<RecoveryCodes | null>;
  /**
   * Decides what goes with a passkey that is removed: without the last second factor, no second proof is asked for any more.
   * `null` if the site does not take it as a second factor.
   */
  withoutPasskey(config: ResolvedConfig, userId: string, credentialID: string): Promise<FactorsWithout | null>;
}

/** Recovery codes that count. */
export interface RecoveryCodes {
  readonly left: number;
  /** When they were made: a second proof has been asked for at least since then. */
  readonly createdAt: Date | null;
}

/** What goes with a passkey. */
export interface FactorsWithout {
  /** To be written with the removal. */
  readonly records: NonNullable<Plan["records"]>;
  /** What it was decided on. */
  readonly expect: NonNullable<Expectation["records"]>;
  /** What of it counted, with the passkey. */
  readonly types: readonly FactorType[];
}

/** A factor that the application removes. */
export interface FactorToRemove {
  readonly userId: string;
  readonly id: string;
  /** Stands for no request. */
  readonly subject: LogSubject;
}

/** What a feature does, at the points where it may act. */
export interface Points {
  /** Judges a secret before it is compared. */
  readonly guess?: (ctx: RequestContext, guess: Guess) => Awaitable<GuessAnswer>;
  /** Judges an email before it is sent to somebody who may not have asked for it. */
  readonly mail?: (ctx: RequestContext, mail: MailAsked) => Awaitable<MailAnswer>;
  /** Judges a session before it comes into being. */
  readonly mint?: (ctx: PointContext, mint: Mint) => Awaitable<Assurance>;
  /** Says which level a session of a user has to have before it changes who can get in. */
  readonly demands?: (config: ResolvedConfig, userId: string) => Awaitable<1 | 2>;
  /**
   * Judges a session at each reading, by what it says of its sign-in. Where it may not go on, there is none. `findUser` reads
   * storage, so it is called only where the sign-in does not decide.
   */
  readonly continues?: (auth: SessionAuth, findUser: () => Promise<User>) => Awaitable<boolean>;
  /** Gives what a browser may solve that asks for an email to the same address again; `null` if there is nothing. */
  readonly again?: (ctx: RequestContext, mail: Omit<MailAsked, "fields">) => Awaitable<ChallengeView | null>;
  /** Told who entered, after the session was stored. It may set cookies. */
  readonly entered?: (ctx: RequestContext, entered: Entered) => Awaitable<void>;
  /**
   * Told what happened, after it was stored. Nothing waits for long, and an error is only logged. `subject` is the request,
   * or stands for none.
   */
  readonly changed?: (config: ResolvedConfig, event: AuthEvent, subject: LogSubject | undefined) => Awaitable<void>;
  /** Says what deserves a look where a service is checked. */
  readonly check?: (about: PointCheck) => Awaitable<readonly Warning[]>;
  /** Adds to a page. */
  readonly page?: (ctx: RequestContext, page: Page) => Awaitable<readonly PageSection[]>;
  /** Lists and removes second factors, for the application. */
  readonly factors?: FactorsAdministration;
  /** The account page, as functions for the application. */
  readonly account?: AccountAdministration;
  /** Answers paths of the service. */
  readonly routes?: { readonly [Route in PointRoute]?: (ctx: RequestContext, input: PointInput) => Awaitable<Outcome> };
}

/** What a feature has to say where a service is checked. */
export interface PointCheck {
  /** What is looked at, if a request was given. */
  readonly ctx: RequestContext | null;
  readonly config: ResolvedConfig;
}

/** Loads what the features of a configuration do. */
export async function pointsOf({ features }: Pick<ResolvedConfig, "features">): Promise<readonly Points[]> {
  return await Promise.all(features.map(async (feature) => await loadFeature(feature)));
}

/** Asks the features what they add to a page. A page must not fail because one of them does. */
export async function sectionsOf(ctx: RequestContext, view: Page): Promise<readonly PageSection[]> {
  const sections: PageSection[] = [];
  for (const { page } of await pointsOf(ctx.config)) {
    try {
      sections.push(...await page?.(ctx, view) ?? []);
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      ctx.config.logger.error(error, ctx);
    }
  }
  return sections;
}

/** Asks for the recovery codes of a user that count; `null` if there are none, or no feature knows of any. */
export async function recoveryCodesOf(config: ResolvedConfig, userId: string): Promise<RecoveryCodes | null> {
  for (const { factors } of await pointsOf(config)) if (factors) return await factors.recoveryCodes(config, userId);
  return null;
}

/** Told whether a guess was right. */
export type GuessEnd = (isRight: boolean) => Promise<void>;

/**
 * Asks the features whether a secret may be compared. What one of them refuses, no other allows.
 *
 * @returns `null` if one refuses and does not say why.
 * @throws {TooManyAttempts} if one says that there were too many.
 */
export async function mayGuess(ctx: RequestContext, guess: Guess): Promise<GuessEnd | null> {
  const told: GuessEnd[] = [];
  for (const { guess: judge } of await pointsOf(ctx.config)) {
    if (!judge) continue;
    const answer = await judge(ctx, guess);
    if (answer.act === "refuse" && answer.limited) throw tooMany(answer.limited);
    if (answer.act !== "compare") return null;
    told.push(async (isRight) => await answer.done?.(isRight));
  }
  return async (isRight) => {
    for (const end of told) await end(isRight);
  };
}

/** Whether an email is to be sent, and what to call if it could not be. */
export type Mailing = { readonly act: "send"; readonly failed: () => Promise<void> } | { readonly act: "pretend" };

/**
 * Asks the features whether an email may be sent.
 *
 * @throws {TooManyAttempts} if one refuses.
 */
export async function mayMail(ctx: RequestContext, mail: MailAsked): Promise<Mailing> {
  const told: Extract<MailAnswer, { act: "send" }>[] = [];
  let pretends = false;
  for (const { mail: judge } of await pointsOf(ctx.config)) {
    if (!judge) continue;
    const answer = await judge(ctx, mail);
    if (answer.act === "refuse") throw tooMany(answer.limited);
    if (answer.act === "send") told.push(answer);
    else pretends = true;
  }
  if (pretends) return { act: "pretend" };
  return {
    act: "send",
    failed: async () => {
      for (const { failed } of told) await failed?.();
    },
  };
}

/** Asks the features what a browser may solve that asks for an email again. */
export async function challengeToAskAgain(
  ctx: RequestContext,
  mail: Omit<MailAsked, "fields">,
): Promise<ChallengeView | null> {
  for (const { again } of await pointsOf(ctx.config)) {
    const view = await again?.(ctx, mail);
    if (view) return view;
  }
  return null;
}

/** Tells the features who entered. The session is there, so nothing that fails here is more than logged. */
export async function tellEntered(ctx: RequestContext, entered: Entered): Promise<void> {
  for (const { entered: listen } of await pointsOf(ctx.config)) await logging(ctx, () => listen?.(ctx, entered));
}

async function logging(ctx: RequestContext, run: () => Awaitable<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    ctx.config.logger.error(error, ctx);
  }
}
