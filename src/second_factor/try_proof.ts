/**
 * Tries what somebody gives as a second proof.
 *
 * @module
 */
import { InvalidCheck, TooManyAttempts, WebAuthnVerificationError } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { ChallengePage, ProofMethod } from "../request/factor_views.ts";
import type { RequestContext } from "../request/context.ts";
import { readEmailCode, sendEmailCode, useEmailCode } from "./email_code.ts";
import { beginLoss } from "./lost.ts";
import { judgeGuess } from "./judged_guess.ts";
import { provePasskey } from "./passkey.ts";
import type { Challenged } from "./prover.ts";
import { readRecoveryCode, useRecoveryCode } from "./recovery.ts";
import { readTotpCode, useTotpCode } from "./totp_proof.ts";

/** What came of it. */
export type Tried =
  | { readonly kind: "right"; readonly methods: readonly string[] }
  /** A code is on its way. */
  | { readonly kind: "sent" }
  | Failed;

/** Nothing was proven. */
export interface Failed {
  readonly kind: "failed";
  readonly problem: NonNullable<ChallengePage["problem"]>;
  readonly limited?: TooManyAttempts;
}

/** What is answered to what cannot be right, without a look at any secret. */
export const WRONG: Failed = { kind: "failed", problem: "wrong" };

/** What is tried. */
export interface Try extends Challenged {
  readonly method: ProofMethod;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Tries it. Everything that can be guessed is compared only once the limits allow it. */
export async function tryProof(ctx: RequestContext, tried: Try): Promise<Tried> {
  return await limitedAs(() => tryUnlimited(ctx, tried));
}

async function tryUnlimited(ctx: RequestContext, { prover, method, fields }: Try): Promise<Tried> {
  const { config } = ctx;
  const { userId, user, binding } = prover;
  const code = typeof fields.code === "string" ? fields.code : "";
  switch (method) {
    case "passkey":
      return await tryPasskey(ctx, userId, fields.data);
    case "totp": {
      const typed = readTotpCode(code);
      const methods = ["mfa", "otp"];
      return await guessed(ctx, {
        userId,
        methods,
        compare: typed === null ? null : () => useTotpCode(config, userId, typed),
      });
    }
    case "recovery-code": {
      const typed = readRecoveryCode(code);
      const methods = ["mfa", "rcv"];
      return await guessed(ctx, {
        userId,
        methods,
        compare: typed === null ? null : () => useRecoveryCode(config, userId, typed),
      });
    }
    case "email-code": {
      if (!user) return WRONG;
      if (fields.code === undefined) return await trySending(ctx, { user, binding, fields });
      const typed = readEmailCode(code);
      const methods = ["mail", "mfa"];
      return await guessed(ctx, {
        userId,
        methods,
        compare: typed === null ? null : () => useEmailCode(ctx, { user, binding }, typed),
      });
    }
    default:
      return method satisfies never;
  }
}

type Answer = boolean | "right" | "wrong" | "expired";

interface Guessed {
  readonly userId: string;
  /** What is proven if it is right, as RFC 8176 names it. */
  readonly methods: readonly string[];
  /** Compares it; `null` if it has not even the form of one. */
  readonly compare: (() => Promise<Answer>) | null;
}

async function guessed(ctx: RequestContext, { userId, methods, compare }: Guessed): Promise<Tried> {
  if (!compare) return WRONG;
  const isRight = (answer: Answer) => answer === true || answer === "right";
  const judged = await judgeGuess(ctx, { userId, compare, isRight });
  if (!judged) return { kind: "failed", problem: "too-many" };
  const { answer } = judged;
  if (isRight(answer)) return { kind: "right", methods };
  return answer === "expired" ? { kind: "failed", problem: answer } : WRONG;
}

// A signature cannot be guessed, so it is not limited.
async function tryPasskey(ctx: RequestContext, userId: string, data: unknown): Promise<Tried> {
  try {
    return { kind: "right", methods: await provePasskey(ctx, userId, data) };
  } catch (error) {
    if (!(error instanceof InvalidCheck || error instanceof WebAuthnVerificationError)) throw error;
    ctx.config.logger.error(error, ctx);
    return WRONG;
  }
}

interface Sending {
  readonly user: AdapterUser;
  readonly binding: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

async function trySending(ctx: RequestContext, sending: Sending): Promise<Tried> {
  return toTried(await sendEmailCode(ctx, sending));
}

/** Begins the wait of somebody who says that they have lost every way. */
export async function tryLosing(ctx: RequestContext, user: AdapterUser, hours: number): Promise<Tried> {
  return await limitedAs(async () => toTried(await beginLoss(ctx, user, hours)));
}

function toTried(answer: "sent" | "refused" | "failed"): Tried {
  switch (answer) {
    case "sent":
      return { kind: "sent" };
    case "refused":
      return { kind: "failed", problem: "too-many" };
    case "failed":
      return { kind: "failed", problem: "not-sent" };
    default:
      return answer satisfies never;
  }
}

async function limitedAs(run: () => Promise<Tried>): Promise<Tried> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof TooManyAttempts) return { kind: "failed", problem: "too-many", limited: error };
    throw error;
  }
}
