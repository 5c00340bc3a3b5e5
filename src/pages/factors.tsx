/** @jsxImportSource preact */
/**
 * The page with what somebody can prove that it is them: a list, and a step for each change.
 *
 * @module
 */
import type { VNode } from "preact";
import { countIn, type FactorParts, nameOf, Problem, type StepParts, stepUrl } from "./factor_parts.tsx";
import { Remove, Undo, Undone } from "./factor_removal.tsx";
import { RecoveryCodes, RecoveryCodesAgain, Totp } from "./factor_setup.tsx";
import { dayIn, filled, LinkButton, PostForm, SiteLink, SubmitButton } from "./parts.tsx";
import { webUrl } from "./urls.ts";
import type { FactorEntry, FactorsPage } from "../request/factor_views.ts";
import type { Texts } from "../texts/texts.ts";

/** Chooses the heading of the page, by the name of its text. */
export function factorsHeadingOf({ step: { kind } }: Pick<FactorsPage, "step">): keyof Texts {
  switch (kind) {
    case "list":
      return "factorsTitle";
    case "totp":
      return "addTotp";
    case "recovery-codes":
    case "recovery-codes-again":
      return "recoveryTitle";
    case "remove":
      return "removeTitle";
    case "undo":
      return "undoTitle";
    case "undone":
      return "undoneTitle";
    default:
      return kind satisfies never;
  }
}

/** The name of the factor that the heading is about, if it is about one. */
export function factorNamed({ step }: Pick<FactorsPage, "step">, texts: Texts): string {
  return step.kind === "remove" ? nameOf(step.factor, texts) : "";
}

/** The content of the page. */
export function FactorsContent({ page, words }: FactorParts): VNode {
  const { texts } = words;
  return (
    <>
      <h1>{filled(texts[factorsHeadingOf(page)], { factor: factorNamed(page, texts) })}</h1>
      <Step page={page} words={words} />
    </>
  );
}

function Step({ page, words }: FactorParts): VNode {
  const { step } = page;
  const parts = { page, words };
  switch (step.kind) {
    case "list":
      return <List {...parts} step={step} />;
    case "totp":
      return <Totp {...parts} step={step} />;
    case "recovery-codes":
      return <RecoveryCodes {...parts} step={step} />;
    case "recovery-codes-again":
      return <RecoveryCodesAgain {...parts} step={step} />;
    case "remove":
      return <Remove {...parts} step={step} />;
    case "undo":
      return <Undo {...parts} step={step} />;
    case "undone":
      return <Undone {...parts} step={step} />;
    default:
      return step satisfies never;
  }
}

function List({ page, words, step }: StepParts<"list">): VNode {
  const { texts } = words;
  const lead = page.isOn ? texts.factorsOn : page.purpose === "required" ? texts.factorsRequired : texts.factorsOff;
  const isEmpty = page.factors.length === 0 && page.recoveryCodes === null;
  return (
    <>
      <p class="lead">{lead}</p>
      <Problem page={page} words={words} />
      {step.isSaved && <p class="lead" role="status">{texts.saved}</p>}
      {!isEmpty && (
        <ul class="factors">
          {page.factors.map((factor) => <Entry page={page} words={words} factor={factor} />)}
          {page.recoveryCodes !== null && (
            <li>
              <h2>{texts.recoveryCodes}</h2>
              <p class="hint">{filled(texts.recoveryCodesLeft, { count: countIn(words, page.recoveryCodes) })}</p>
            </li>
          )}
        </ul>
      )}
      <Additions page={page} words={words} />
      <div class="actions">
        {page.purpose === "manage" && <SiteLink url={page.siteUrl} words={words} />}
        {page.purpose === "required" && page.isOn && (
          <LinkButton
            url={page.callbackUrl}
            text={texts.continue}
            primary
          />
        )}
      </div>
    </>
  );
}

function Entry({ page, words, factor }: FactorParts & { readonly factor: FactorEntry }): VNode {
  const { texts } = words;
  const { id, type, createdAt, usedAt } = factor;
  const nameId = `name-${id}`;
  return (
    <li>
      <h2 id={nameId}>{nameOf(factor, texts)}</h2>
      {factor.name && <p class="hint">{texts[type]}</p>}
      {createdAt && <p class="hint">{filled(texts.addedOn, { date: dayIn(words, createdAt) })}</p>}
      {usedAt && <p class="hint">{filled(texts.usedOn, { date: dayIn(words, usedAt) })}</p>}
      {type === "totp" && (
        <details>
          <summary>{texts.rename}</summary>
          <PostForm kind="fields" action={page.action} state={page} values={{ act: "rename", id }}>
            <div class="field">
              <label for={`rename-${id}`}>{texts.factorName}</label>
              <input
                {...{ id: `rename-${id}`, name: "name", type: "text", autocomplete: "off", required: true }}
                value={factor.name ?? ""}
                maxlength={100}
              />
            </div>
            <button type="submit" class="button">
              <span class="name">{texts.save}</span>
            </button>
          </PostForm>
        </details>
      )}
      <a class="site" href={webUrl(stepUrl(page, { act: "remove", id }))} aria-describedby={nameId}>{texts.remove}</a>
    </li>
  );
}

function Additions({ page, words: { texts } }: FactorParts): VNode {
  const form = { kind: "plain", action: page.action, state: page } as const;
  const isFirst = page.factors.length === 0;
  const needsCodes = !isFirst && page.recoveryCodes === null;
  return (
    <div class="methods">
      {needsCodes && (
        <PostForm {...form} values={{ act: "recovery" }}>
          <SubmitButton text={texts.makeRecoveryCodes} />
        </PostForm>
      )}
      {page.add.map((type) =>
        type === "totp"
          ? (
            <PostForm {...form} values={{ act: "totp" }}>
              <ActButton text={texts.addTotp} isPrimary={isFirst} />
            </PostForm>
          )
          : page.passkeyUrl !== null && <LinkButton url={page.passkeyUrl} text={texts.addPasskeyTitle} />
      )}
      {page.recoveryCodes !== null && (
        <PostForm {...form} values={{ act: "recovery" }}>
          <button type="submit" class="button" aria-describedby="codes-hint">
            <span class="name">{texts.newRecoveryCodes}</span>
          </button>
          <p class="note" id="codes-hint">{texts.newRecoveryCodesHint}</p>
        </PostForm>
      )}
    </div>
  );
}

function ActButton({ text, isPrimary }: { readonly text: string; readonly isPrimary: boolean }): VNode {
  return (
    <button type="submit" class={isPrimary ? "button primary" : "button"}>
      <span class="name">{text}</span>
    </button>
  );
}
