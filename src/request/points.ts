/**
 * The points at which features act.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { loadFeature } from "../contract/feature.ts";
import type { SessionAuth } from "../contract/config.ts";
import { AuthError } from "../kernel/errors.ts";
import type { Awaitable, User } from "../kernel/model.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import type { Outcome, Page, PageSection } from "./outcome.ts";
import type { RequestContext } from "./context.ts";
import type { AuthEvent } from "./happened.ts";

/** What features get of a request at every point, also where a session is only read. */
export type PointContext = Pick<RequestContext, "config" | "cookies">;

/** A secret that is about to be compared. */
export interface Guess {
  /** What it is. */
  readonly kind: "code" | "credentials";
  /** Id of the provider. */
  readonly provider: string;
  /** The address that it is for; `null` where only the application knows whose it is. */
  readonly subject: string | null;
}

/** Whether a secret may be compared. */
export type GuessAnswer =
  | {
    readonly act: "compare";
    /** Told whether it was right. */
    readonly done?: (isRight: boolean) => Awaitable<void>;
  }
  | { readonly act: "refuse" };

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
}

/** Whether a session may come into being: at once, after another proof, or not at all. */
export type Assurance =
  | { readonly act: "enter" }
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
export type PointRoute = "GET challenge" | "POST challenge";

/** What a feature does, at the points where it may act. */
export interface Points {
  /** Judges a secret before it is compared. */
  readonly guess?: (ctx: PointContext, guess: Guess) => Awaitable<GuessAnswer>;
  /** Judges a session before it comes into being. */
  readonly mint?: (ctx: PointContext, mint: Mint) => Awaitable<Assurance>;
  /**
   * Told what happened, after it was stored. Nothing waits for long, and an error is only logged. `subject` is the request,
   * or stands for none.
   */
  readonly changed?: (config: ResolvedConfig, event: AuthEvent, subject: LogSubject | undefined) => Awaitable<void>;
  /** Adds to a page. */
  readonly page?: (ctx: RequestContext, page: Page) => Awaitable<readonly PageSection[]>;
  /** Answers paths of the service. */
  readonly routes?: { readonly [Route in PointRoute]?: (ctx: RequestContext, input: PointInput) => Awaitable<Outcome> };
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

/** Told whether a guess was right. */
export type GuessEnd = (isRight: boolean) => Promise<void>;

/** Asks the features whether a secret may be compared. What one of them refuses, no other allows. */
export async function mayGuess(ctx: PointContext, guess: Guess): Promise<GuessEnd | null> {
  const told: GuessEnd[] = [];
  for (const { guess: judge } of await pointsOf(ctx.config)) {
    if (!judge) continue;
    const answer = await judge(ctx, guess);
    if (answer.act !== "compare") return null;
    told.push(async (isRight) => await answer.done?.(isRight));
  }
  return async (isRight) => {
    for (const end of told) await end(isRight);
  };
}
