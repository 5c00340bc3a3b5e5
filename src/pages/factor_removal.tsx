/** @jsxImportSource preact */
/**
 * The steps of the page of factors that remove one, and undo what was added.
 *
 * @module
 */
import type { VNode } from "preact";
import { Problem, type StepParts, stepUrl } from "./factor_parts.tsx";
import { LinkButton, PostForm, SubmitButton, unlessTheyStay } from "./parts.tsx";
import { UndoAnswer, UndoQuestion } from "./undo.tsx";

/** The question whether to remove a factor. */
export function Remove({ page, words, step: { factor } }: StepParts<"remove">): VNode {
  const { texts } = words;
  return (
    <>
      <p class="lead">
        {texts.removeLead}
        {factor.type === "passkey" && unlessTheyStay(page, texts.endsOthers)}
      </p>
      <Problem page={page} words={words} />
      <div class="actions pair">
        <PostForm kind="plain" action={page.action} state={page} values={{ act: "remove", id: factor.id }}>
          <SubmitButton text={texts.remove} />
        </PostForm>
        <LinkButton url={stepUrl(page, {})} text={texts.cancel} />
      </div>
    </>
  );
}

/** The question whether to undo what was added: the page behind the link of an email. */
export function Undo({ page, words, step: { token, isProven, signInUrl } }: StepParts<"undo">): VNode {
  const problem = <Problem page={page} words={words} />;
  const question = { lead: words.texts.undoLead, token, isProven, signInUrl, problem };
  return <UndoQuestion page={page} words={words} {...question} />;
}

/** The answer after that. */
export function Undone({ page, words, step: { signInUrl } }: StepParts<"undone">): VNode {
  return <UndoAnswer page={page} words={words} lead={words.texts.undoneLead} signInUrl={signInUrl} />;
}
