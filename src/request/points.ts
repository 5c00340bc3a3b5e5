/**
 * The points at which features act.
 *
 * @module
 */
import type { VNode } from "preact";
import type { ResolvedConfig } from "../config/resolve.ts";
import { loadFeature } from "../contract/feature.ts";
import type { SessionAuth } from "../contract/config.ts";
import type { Awaitable, User } from "../kernel/model.ts";
import type { LogSubject } from "../kernel/log_subject.ts";
import type { Outcome } from "./outcome.ts";
import type { RequestContext } from "./context.ts";
import type { AuthEvent } from "./happened.ts";

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

/** A page that features may add a section to. */
export type PointPage = "signIn" | "signOut" | "error" | "verifyRequest";

/** What a path of a feature gets. */
export interface PointInput {
  readonly query: URLSearchParams;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A path that a feature answers. Each has a row in the table of endpoints. */
export type PointRoute = "GET challenge" | "POST challenge";

/** What a feature does, at the points where it may act. */
export interface Points {
  /** Judges a secret before it is compared. */
  readonly guess?: (ctx: RequestContext, guess: Guess) => Awaitable<GuessAnswer>;
  /** Judges a session before it comes into being. */
  readonly mint?: (ctx: RequestContext, mint: Mint) => Awaitable<Assurance>;
  /**
   * Told what happened, after it was stored. Nothing waits for long, and an error is only logged. `subject` is the request,
   * or stands for none.
   */
  readonly changed?: (config: ResolvedConfig, event: AuthEvent, subject: LogSubject | undefined) => Awaitable<void>;
  /** Adds a section to a page. */
  readonly page?: (ctx: RequestContext, page: PointPage) => Awaitable<VNode | null>;
  /** Answers paths of the service. */
  readonly routes?: { readonly [Route in PointRoute]?: (ctx: RequestContext, input: PointInput) => Awaitable<Outcome> };
}

/** Loads what the features of a configuration do. */
export async function pointsOf({ features }: Pick<ResolvedConfig, "features">): Promise<readonly Points[]> {
  return await Promise.all(features.map(async (feature) => await loadFeature(feature)));
}
