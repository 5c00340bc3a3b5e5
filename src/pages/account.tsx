/** @jsxImportSource preact */
/**
 * The account page: an overview, and a step for each change.
 *
 * @module
 */
import type { VNode } from "preact";
import { ConfirmAddress, NewAddress, Sent } from "./account_email.tsx";
import { Overview } from "./account_overview.tsx";
import {
  type AccountParts,
  DONE,
  passkeyName,
  Problem,
  type StepParts,
  stepUrl,
  type ViewParts,
} from "./account_parts.tsx";
import { Delete, RemovePasskey, Rename, RenamePasskey, Undo, Undone, Unlink } from "./account_steps.tsx";
import { Emblem, filled, LinkButton, SiteLink } from "./parts.tsx";
import type { AccountPage } from "../request/account_views.ts";
import type { Texts } from "../texts/texts.ts";

/** Chooses the heading of the page, by the name of its text. */
export function accountHeadingOf({ step }: Pick<AccountPage, "step">): keyof Texts {
  switch (step.kind) {
    case "overview":
      return "accountTitle";
    case "rename":
      return "accountRenameTitle";
    case "email":
      return "accountEmailTitle";
    case "email-sent":
      return "checkEmailTitle";
    case "confirm-email":
      return step.at === "new" ? "accountTakeTitle" : "accountAllowTitle";
    case "unlink":
    case "remove-passkey":
      return "removeTitle";
    case "rename-passkey":
      return "accountRenamePasskeyTitle";
    case "delete":
      return "accountDeleteTitle";
    case "undo":
      return "accountUndoTitle";
    case "undone":
      return "undoneTitle";
    default:
      return step satisfies never;
  }
}

/** The name of what the heading is about, if it is about something. */
export function accountNamed({ step }: Pick<AccountPage, "step">, texts: Texts): string {
  if (step.kind === "unlink") return step.way.name;
  return step.kind === "remove-passkey" ? passkeyName(step.passkey, texts) : "";
}

/** The content of the page. */
export function AccountContent({ page, words, badges }: AccountParts & Pick<ViewParts, "badges">): VNode {
  const { texts } = words;
  const { step, view } = page;
  if (step.kind === "overview" && view) return <Overview {...{ page, words, badges, view, step }} />;
  return (
    <>
      {step.kind === "email-sent" && <Emblem name="envelope" />}
      <h1>{filled(texts[accountHeadingOf(page)], { factor: accountNamed(page, texts) })}</h1>
      <Step page={page} words={words} />
    </>
  );
}

/** What was done by the link of an email, for somebody who is not signed in. */
function Away({ page, words, step }: StepParts<"overview">): VNode {
  const { texts } = words;
  return (
    <>
      {step.done && <p class="lead" role="status">{texts[DONE[step.done]]}</p>}
      <Problem page={page} words={words} />
      <div class="actions">
        <LinkButton url={stepUrl(page)} text={texts.accountBack} primary />
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

function Step({ page, words }: AccountParts): VNode {
  const { step } = page;
  const parts = { page, words };
  switch (step.kind) {
    case "overview":
      return <Away {...parts} step={step} />;
    case "rename":
      return <Rename {...parts} step={step} />;
    case "email":
      return <NewAddress {...parts} step={step} />;
    case "email-sent":
      return <Sent {...parts} step={step} />;
    case "confirm-email":
      return <ConfirmAddress {...parts} step={step} />;
    case "unlink":
      return <Unlink {...parts} step={step} />;
    case "rename-passkey":
      return <RenamePasskey {...parts} step={step} />;
    case "remove-passkey":
      return <RemovePasskey {...parts} step={step} />;
    case "delete":
      return <Delete {...parts} step={step} />;
    case "undo":
      return <Undo {...parts} step={step} />;
    case "undone":
      return <Undone {...parts} step={step} />;
    default:
      return step satisfies never;
  }
}
