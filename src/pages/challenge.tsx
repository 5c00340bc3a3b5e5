/** @jsxImportSource preact */
/**
 * The challenge at a form: something that costs whoever asks. The script of the built-in one is challenge_client.js.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { CHALLENGE_SCRIPT } from "./challenge_script.ts";
import { filled } from "./parts.tsx";
import { type ChallengeView, type ChallengeWidget, WORK_FIELD } from "../kernel/challenge_view.ts";
import { secondsIn } from "../texts/duration.ts";
import type { Wording } from "../texts/texts.ts";

interface Part {
  readonly view: ChallengeView;
  readonly words: Wording;
  /** The button of the form. */
  readonly children: ComponentChildren;
}

/** The challenge of a form, around its button. */
export function ChallengePart({ view, words, children }: Part): VNode {
  const { texts } = words;
  const { challengeWorking: working, challengeReady: ready, challengeSending: sending } = texts;
  return (
    <div class="challenge" data-texts={isWork(view) ? JSON.stringify({ working, ready, sending }) : undefined}>
      {Object.entries(view.fields).map(([name, value]) => <input type="hidden" name={name} value={value} />)}
      {isWork(view) && <p class="note" role="status"></p>}
      {view.widget && <Widget widget={view.widget} />}
      <Unscripted view={view} words={words} />
      {children}
    </div>
  );
}

function isWork({ fields }: ChallengeView): boolean {
  return Object.hasOwn(fields, WORK_FIELD);
}

/** What is shown to browsers that run no script. */
function Unscripted({ view, words: { texts, tag } }: Pick<Part, "view" | "words">): VNode | null {
  const { waits } = view;
  if (waits === undefined && !view.widget) return null;
  const text = waits === undefined
    ? texts.challengeNeedsScript
    : filled(texts.challengeWait, { duration: secondsIn(tag, waits) });
  return (
    <noscript>
      <p class="note">{text}</p>
    </noscript>
  );
}

/** The element that the script of another service looks for. */
function Widget({ widget: { className, data } }: { readonly widget: ChallengeWidget }): VNode {
  const attributes = Object.entries(data).filter(([name]) => /^[a-z-]+$/.test(name));
  return (
    <div class="widget">
      <div class={className} {...Object.fromEntries(attributes.map(([name, value]) => [`data-${name}`, value]))}></div>
    </div>
  );
}

/** What a page needs for a challenge besides its part of the form. */
export interface ChallengeNeeds {
  /** The built-in script. */
  readonly script: string | undefined;
  /** Styles for browsers that run no script. */
  readonly unscripted: string | undefined;
  /** URL of the script of another service. */
  readonly source: string | undefined;
  /** Origins of other services. */
  readonly origins: readonly string[];
}

/** Lists what a page needs for a challenge. */
export function needsOf(view: ChallengeView | undefined): ChallengeNeeds {
  return {
    script: view && isWork(view) ? CHALLENGE_SCRIPT : undefined,
    unscripted: view?.waits === undefined ? undefined : waiting(view.waits),
    source: view?.widget?.script,
    origins: view?.origins ?? [],
  };
}

// The page is not loaded anew, so what is typed meanwhile stays.
function waiting(seconds: number): string {
  const delay = Math.max(0, Math.ceil(seconds));
  return `.challenge .button{visibility:hidden;animation:arrive 1ms ${delay}s forwards}` +
    "@keyframes arrive{to{visibility:visible}}";
}
