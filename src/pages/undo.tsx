/** @jsxImportSource preact */
/**
 * The pages behind the link of an email that undoes what was done to an account or a second factor.
 *
 * @module
 */
import type { VNode } from "preact";
import { LinkButton, PostForm, SiteLink, SubmitButton, unlessTheyStay } from "./parts.tsx";
import type { Wording } from "../texts/texts.ts";

/** The page that undoes it. */
interface UndoPage {
  readonly action: string;
  readonly callbackUrl: string;
  readonly csrfToken: string | null;
  readonly siteUrl: string;
  readonly sessionsStay?: true | undefined;
}

interface UndoParts {
  readonly page: UndoPage;
  readonly words: Wording;
  /** What is undone, or was. */
  readonly lead: string;
  /** Where its owner signs in. */
  readonly signInUrl: string;
}

interface QuestionParts extends UndoParts {
  readonly token: string;
  /** Whether its owner has signed in, so that they may. */
  readonly isProven: boolean;
  /** What did not work just now. */
  readonly problem: VNode;
}

/** The question whether to undo it. */
export function UndoQuestion({ page, words, lead, token, isProven, signInUrl, problem }: QuestionParts): VNode {
  const { texts } = words;
  return (
    <>
      <p class="lead">
        {lead}
        {unlessTheyStay(page, texts.endsAll)}
      </p>
      {!isProven && <p class="lead">{texts.undoSignIn}</p>}
      {problem}
      <div class="actions pair">
        {isProven
          ? (
            <PostForm kind="plain" action={page.action} state={page} values={{ act: "undo", token }}>
              <SubmitButton text={texts.undo} />
            </PostForm>
          )
          : <LinkButton url={signInUrl} text={texts.signIn} primary />}
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

/** The answer after that. */
export function UndoAnswer({ page, words, lead, signInUrl }: UndoParts): VNode {
  const { texts } = words;
  return (
    <>
      <p class="lead">
        {lead}
        {unlessTheyStay(page, texts.endedAll)}
      </p>
      <div class="actions">
        <LinkButton url={signInUrl} text={texts.signIn} primary />
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}
