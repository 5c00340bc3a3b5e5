/**
 * What the functions for second factors take, and what they give.
 *
 * @module
 */
import type { AuthResult, Failure } from "./results.ts";

/** A way to give a second proof. */
export type SecondProofMethod = "passkey" | "totp" | "email-code" | "recovery-code";

/** Options of what asks the service for something of second factors. */
export interface SecondFactorOptions {
  /** Where the service is mounted on this origin. @default {"/auth"} */
  readonly basePath?: string | undefined;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of `secondFactor.challenge()`. */
export interface ChallengeOptions extends SecondFactorOptions {
  /** The way that is asked for. @default the best that the person has */
  readonly method?: SecondProofMethod | undefined;
}

/** Options of `secondFactor.prove()`. */
export interface ProveOptions extends SecondFactorOptions {
  /** How. A passkey is asked for by the browser, anything else needs `code`. */
  readonly method: SecondProofMethod;
  /** What the person has typed. */
  readonly code?: string | undefined;
  /** Whether this browser is not asked again for some days, where the service offers that. @default {false} */
  readonly trust?: boolean | undefined;
  /** Whether the browser goes on once it is proven. @default {true} */
  readonly redirect?: boolean | undefined;
  /** Where somebody goes who was signed in before. A sign-in that waits goes where it was to lead. @default this page */
  readonly redirectTo?: string | undefined;
}

/** What is asked of somebody. */
export interface SecondProof {
  /** Whether a sign-in waits for it, or somebody who is signed in has to prove more. */
  readonly purpose: "sign-in" | "step-up";
  /** The way that is asked for. */
  readonly method: SecondProofMethod;
  /** The ways that the person has, best first. */
  readonly methods: readonly SecondProofMethod[];
  /** The address that a code was sent to, shortened. */
  readonly sentTo?: string | undefined;
  /** Days that this browser may be trusted; `null` if that is not offered. */
  readonly trustDays: number | null;
  /** What there is for somebody who has lost every way: hours of waiting, and whether they wait. */
  readonly lost?: { readonly hours: number; readonly isAsked: boolean } | undefined;
}

/** Why nothing was proven or changed. */
export interface SecondFactorFailure extends Failure {
  /** What did not work. `expired`: begin again. */
  readonly problem?: "wrong" | "expired" | "too-many" | "not-sent" | "name" | undefined;
  /** The page that helps: of `SessionRequired` and `StepUpRequired` where to prove who it is, of `AccessDenied` where to enrol. */
  readonly url?: string | undefined;
}

/** What is asked of somebody, or why nothing is. */
export type ChallengeResult = { readonly ok: true; readonly asked: SecondProof } | SecondFactorFailure;

/** What became of a proof. */
export type ProofResult = Extract<AuthResult, { readonly ok: true }> | SecondFactorFailure;

/** A factor of the person. */
export interface OwnFactor {
  /** Its id. */
  readonly id: string;
  /** An authenticator app, or a passkey. */
  readonly type: "totp" | "passkey";
  /** The name that the person chose. */
  readonly name: string | null;
  /** When it was added, in ISO 8601, if that is known. */
  readonly createdAt: string | null;
  /** When it was used last, in ISO 8601, if it was and that is known. */
  readonly usedAt: string | null;
}

/** What comes next. */
export type OwnFactorsStep =
  | { readonly kind: "list"; readonly isSaved?: boolean }
  /** A key for an authenticator app: as text, as a URI, and as a picture for SVG, a square of `size` modules. */
  | {
    readonly kind: "totp";
    readonly setup: {
      readonly id: string;
      readonly secret: string;
      readonly uri: string;
      readonly qr: { readonly size: number; readonly path: string };
    };
  }
  /** The codes, shown once. The last four characters of number `ask` are typed back. */
  | { readonly kind: "recovery-codes"; readonly codes: readonly string[]; readonly ask: number }
  | { readonly kind: "recovery-codes-again"; readonly ask: number };

/** The factors of the person. */
export interface OwnFactors {
  /** Whether a factor is needed to go on, or the person looks at theirs. */
  readonly purpose: "manage" | "required";
  /** Whether a second proof is asked of them. */
  readonly isOn: boolean;
  /** What they have. */
  readonly factors: readonly OwnFactor[];
  /** How many recovery codes are left; `null` if there are none yet. */
  readonly recoveryCodes: number | null;
  /** What can be added. A passkey is made by `registerPasskey()`. */
  readonly add: readonly ("totp" | "passkey")[];
  /** What comes next. */
  readonly step: OwnFactorsStep;
}

/** What is changed. */
export type FactorChange =
  /** A key is made for an authenticator app. */
  | { readonly act: "totp" }
  /** The first code of the app is typed back. */
  | { readonly act: "confirm"; readonly id: string; readonly code: string; readonly keepSessions?: boolean }
  /** Ten recovery codes are made. */
  | { readonly act: "recovery" }
  /** The last four characters of a recovery code are typed back: from now on they count. */
  | { readonly act: "keep"; readonly code: string; readonly keepSessions?: boolean }
  | { readonly act: "rename"; readonly id: string; readonly name: string }
  | { readonly act: "remove"; readonly id: string };

/** The factors of the person; `url` alone if a sign-in that waited for them is done. */
export type FactorsResult =
  | { readonly ok: true; readonly factors: OwnFactors; readonly url?: undefined }
  | { readonly ok: true; readonly factors?: undefined; readonly url: string }
  | SecondFactorFailure;

/** What a page of your own needs for second factors. */
export interface SecondFactorClient {
  /** Asks what is to be proven, and how. */
  challenge(options?: ChallengeOptions): Promise<ChallengeResult>;
  /** Sends a code by email. */
  sendCode(options?: SecondFactorOptions): Promise<ChallengeResult>;
  /** Gives the proof. If it is right, a sign-in that waits goes on, and a session is raised. */
  prove(options: ProveOptions): Promise<ProofResult>;
  /** Reads the factors of the person. */
  factors(options?: SecondFactorOptions): Promise<FactorsResult>;
  /** Adds, names or removes one. */
  change(change: FactorChange, options?: SecondFactorOptions): Promise<FactorsResult>;
}
