/**
 * What is asked over HTTP.
 *
 * @module
 */
import type { QuestionName } from "./sides/side.ts";

/** The questions. */
export const LOOPBACK_QUESTIONS = [
  "session-none",
  "session-known",
  "csrf-known",
] as const satisfies readonly QuestionName[];

/** A question. */
export type LoopbackQuestion = typeof LOOPBACK_QUESTIONS[number];
