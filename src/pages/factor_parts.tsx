/** @jsxImportSource preact */
/**
 * What the steps of the page of factors share.
 *
 * @module
 */
import type { VNode } from "preact";
import { Alert, Wait } from "./parts.tsx";
import type { FactorEntry, FactorsPage, FactorsStep } from "../request/factor_views.ts";
import type { Texts, Wording } from "../texts/texts.ts";

/** The page, and the words that it is written in. */
export interface FactorParts {
  readonly page: FactorsPage;
  readonly words: Wording;
}

/** A step, with the page that it is of. */
export type StepParts<Kind extends FactorsStep["kind"]> = FactorParts & {
  readonly step: Extract<FactorsStep, { kind: Kind }>;
};

/** The name of a factor: the one that its owner chose, or what it is. */
export function nameOf({ name, type }: FactorEntry, texts: Texts): string {
  return name || texts[type];
}

/** The address of a step of the page. */
export function stepUrl({ action, callbackUrl }: FactorsPage, step: Readonly<Record<string, string>>): string {
  return `${action}?${new URLSearchParams({ ...step, callbackUrl })}`;
}

/** Writes a number as the language does. */
export function countIn({ tag }: Wording, count: number): string {
  return new Intl.NumberFormat(tag).format(count);
}

/** The id of what did not work. */
export const ERROR = "error";

/** What each problem is called. */
const PROBLEMS: Readonly<Record<NonNullable<FactorsPage["problem"]>, keyof Texts>> = {
  "wrong": "errorCode",
  "expired": "passkeyTimeout",
  "too-many": "errorTooMany",
  "name": "errorName",
};

/** What did not work just now. */
export function Problem({ page: { problem, retryAfter }, words }: FactorParts): VNode | null {
  if (problem === null) return null;
  return (
    <Alert id={ERROR}>
      {words.texts[PROBLEMS[problem]]}
      {problem === "too-many" && retryAfter && <Wait seconds={retryAfter} words={words} />}
    </Alert>
  );
}
