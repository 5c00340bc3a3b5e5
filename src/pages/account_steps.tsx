/** @jsxImportSource preact */
/**
 * The steps of the account page that rename, remove, delete and bring back.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { type AccountParts, CancelLink, errorAt, Problem, type StepParts } from "./account_parts.tsx";
import { filled, PostForm, SubmitButton, unlessTheyStay } from "./parts.tsx";
import { UndoAnswer, UndoQuestion } from "./undo.tsx";
import { durationIn } from "../texts/duration.ts";

const DAY = 24 * 60 * 60;

/** The form for one's name. */
export function Rename({ page, words }: StepParts<"rename">): VNode {
  const field = { autocomplete: "name", maxlength: 256, value: page.view?.user.name ?? "" };
  const label = words.texts.accountName;
  return <NameForm page={page} words={words} values={{ act: "rename" }} label={label} field={field} />;
}

/** The form for the name of a passkey. */
export function RenamePasskey({ page, words, step: { passkey } }: StepParts<"rename-passkey">): VNode {
  const field = { autocomplete: "off", maxlength: 64, value: passkey.name ?? "" };
  const form = { values: { act: "renamePasskey", id: passkey.id }, label: words.texts.factorName, field };
  return <NameForm page={page} words={words} {...form} />;
}

interface NameFormParts extends AccountParts {
  readonly values: Readonly<Record<string, string>>;
  readonly label: string;
  readonly field: { readonly autocomplete: string; readonly maxlength: number; readonly value: string };
}

function NameForm({ page, words, values, label, field }: NameFormParts): VNode {
  const { texts } = words;
  return (
    <div class="methods">
      <PostForm kind="fields" action={page.action} state={page} values={values}>
        <Problem page={page} words={words} />
        <div class="field">
          <label for="name">{label}</label>
          <input
            {...{ id: "name", name: "name", type: "text", required: true, ...field }}
            {...errorAt(page, ["name"])}
          />
        </div>
        <SubmitButton text={texts.save} />
      </PostForm>
      <CancelLink page={page} words={words} />
    </div>
  );
}

/** The question whether to remove an account at a provider. */
export function Unlink({ page, words, step: { way } }: StepParts<"unlink">): VNode {
  const lead = filled(words.texts.accountUnlinkLead, { provider: way.name });
  return <RemoveForm page={page} words={words} values={{ act: "unlink", id: way.id }} lead={lead} />;
}

/** The question whether to remove a passkey. */
export function RemovePasskey({ page, words, step: { passkey } }: StepParts<"remove-passkey">): VNode {
  const lead = words.texts.accountRemovePasskeyLead;
  return <RemoveForm page={page} words={words} values={{ act: "removePasskey", id: passkey.id }} lead={lead} />;
}

interface RemoveFormParts extends AccountParts {
  readonly values: Readonly<Record<string, string>>;
  readonly lead: ComponentChildren;
}

function RemoveForm({ page, words, values, lead }: RemoveFormParts): VNode {
  return (
    <>
      <p class="lead" id="lead">
        {lead}
        {unlessTheyStay(page, words.texts.endsOthers)}
      </p>
      <div class="methods">
        <Problem page={page} words={words} />
        <PostForm kind="plain" action={page.action} state={page} values={values}>
          <DangerButton text={words.texts.remove} />
        </PostForm>
        <CancelLink page={page} words={words} />
      </div>
    </>
  );
}

/** The button that cannot be taken back. It is described by what stands above it. */
function DangerButton({ text }: { readonly text: string }): VNode {
  return (
    <button type="submit" class="button danger solid" aria-describedby="lead">
      <span class="name">{text}</span>
    </button>
  );
}

/** The question whether to delete the account. */
export function Delete({ page, words, step: { typed, graceDays } }: StepParts<"delete">): VNode {
  const { texts, tag, name } = words;
  const lead = graceDays === 0
    ? filled(texts.accountDeleteLead, { name })
    : filled(texts.accountDeleteLater, { name, duration: durationIn(tag, graceDays * DAY) });
  return (
    <>
      <p class="lead" id="lead">
        {lead}
        {graceDays > 0 && unlessTheyStay(page, texts.endsAll)}
      </p>
      <div class="methods">
        <PostForm kind="fields" action={page.action} state={page} values={{ act: "delete" }}>
          <Problem page={page} words={words} />
          <div class="field">
            <label for="typed">{filled(texts.accountDeleteTyped, { typed }, "who")}</label>
            <input
              {...{ id: "typed", name: "typed", type: "text", required: true, autocomplete: "off" }}
              {...{ autocapitalize: "none", autocorrect: "off", spellcheck: false }}
              {...errorAt(page, ["typed"])}
            />
          </div>
          <DangerButton text={texts.accountDelete} />
        </PostForm>
        <CancelLink page={page} words={words} />
      </div>
    </>
  );
}

/** The question whether to bring back what was removed: the page behind the link of an email. */
export function Undo({ page, words, step: { token, isProven, signInUrl } }: StepParts<"undo">): VNode {
  const problem = <Problem page={page} words={words} />;
  const question = { lead: words.texts.accountUndoLead, token, isProven, signInUrl, problem };
  return <UndoQuestion page={page} words={words} {...question} />;
}

/** The answer after that. */
export function Undone({ page, words, step: { signInUrl } }: StepParts<"undone">): VNode {
  return <UndoAnswer page={page} words={words} lead={words.texts.accountUndoneLead} signInUrl={signInUrl} />;
}
