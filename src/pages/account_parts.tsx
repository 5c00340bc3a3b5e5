/** @jsxImportSource preact */
/**
 * What the overview and the steps of the account page share.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import type { Look } from "./account_brand.ts";
import type { Brand } from "./brand.ts";
import { Alert, ButtonBadge, filled, initialOf, LinkButton, PostForm, Wait } from "./parts.tsx";
import { webUrl } from "./urls.ts";
import type { AccountAct, AccountPage, AccountPasskey, AccountStep, AccountView } from "../request/account_views.ts";
import type { Texts, Wording } from "../texts/texts.ts";

/** The page, and the words that it is written in. */
export interface AccountParts {
  readonly page: AccountPage;
  readonly words: Wording;
}

/** The overview, with the account that it shows. */
export interface ViewParts extends AccountParts {
  readonly view: AccountView;
  /** What stands before the names of providers. */
  readonly badges: Brand["badges"];
}

/** A step, with the page that it is of. */
export type StepParts<Kind extends AccountStep["kind"]> = AccountParts & {
  readonly step: Extract<AccountStep, { kind: Kind }>;
};

/** The name of a passkey: the one that is known, or what it is. */
export function passkeyName({ name }: AccountPasskey, texts: Texts): string {
  return name || texts.passkey;
}

/** The address of a step of the page; of the overview, if it names none. */
export function stepUrl({ action, callbackUrl }: AccountPage, step: Readonly<Record<string, string>> = {}): string {
  return `${action}?${new URLSearchParams({ ...step, callbackUrl })}`;
}

/** The id of what did not work. */
const ERROR = "error";

/** What each problem is called. What a section of the application finds wrong stands in that section. */
const PROBLEMS: Readonly<Record<Exclude<AccountPage["problem"], null | "section">, keyof Texts>> = {
  "name": "errorName",
  "email": "errorAddress",
  "same-email": "errorSameEmail",
  "last-way": "errorLastWay",
  "not-found": "errorGone",
  "typed": "errorTyped",
  "expired": "expiredLead",
  "too-many": "errorTooOften",
  "not-sent": "errorNotSent",
};

/** What is said after each act. */
export const DONE: Readonly<Record<AccountAct, keyof Texts>> = {
  rename: "saved",
  changeEmail: "saved",
  allowEmail: "accountDoneEmail",
  takeEmail: "accountDoneEmail",
  cancelEmail: "accountDoneCancelEmail",
  unlink: "accountDoneRemoved",
  renamePasskey: "saved",
  removePasskey: "accountDoneRemoved",
  endSession: "accountDoneEnded",
  endOthers: "accountDoneOthers",
  export: "saved",
  delete: "saved",
  keep: "accountDoneKept",
  undo: "saved",
  section: "saved",
};

/** What did not work just now. */
export function Problem({ page: { problem, retryAfter, step }, words }: AccountParts): VNode | null {
  if (problem === null || problem === "section") return null;
  const typed = step.kind === "delete" ? step.typed : "";
  return (
    <Alert id={ERROR}>
      {filled(words.texts[PROBLEMS[problem]], { typed })}
      {problem === "too-many" && retryAfter && <Wait seconds={retryAfter} words={words} />}
    </Alert>
  );
}

/** What a field says that is wrong. It has the focus. */
interface Wrong {
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
  readonly autofocus?: true;
}

/** Says that a field is wrong, and takes the focus there, if the problem is one of these. */
export function errorAt({ problem }: AccountPage, mistakes: readonly AccountPage["problem"][]): Wrong {
  const isWrong = problem !== null && mistakes.includes(problem);
  return isWrong ? { "aria-describedby": ERROR, "aria-invalid": true, autofocus: true } : {};
}

interface Part {
  /** The id of its heading. */
  readonly id: string;
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A section of the overview. */
export function Part({ id, title, children }: Part): VNode {
  return (
    <section class="part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <div class="body">{children}</div>
    </section>
  );
}

interface Row {
  /** What stands before it: an icon, or the initial of a name. */
  readonly tile?: VNode | undefined;
  /** What it is. */
  readonly what: ComponentChildren;
  /** What can be done with it. */
  readonly children?: ComponentChildren;
}

/** What something is, and what can be done with it. */
export function Row({ tile, what, children }: Row): VNode {
  return (
    <div class="row">
      {tile}
      <div class="beside-tile">
        <div class="what">{what}</div>
        {children && <div class="does">{children}</div>}
      </div>
    </div>
  );
}

interface TileParts {
  readonly name: string;
  readonly look: Look | null;
}

/** What stands before the name of a provider: what it is known by, or its initial. */
export function Tile({ name, look }: TileParts): VNode {
  if (look === null) return <span class="tile" data-initial={initialOf(name)}></span>;
  return (
    <span class={`tile own-look ${look.className}`}>
      <ButtonBadge badge={look.badge} />
    </span>
  );
}

interface Title {
  readonly id?: string | undefined;
  /** A text alone may be written in the other direction, so it is isolated. */
  readonly children: ComponentChildren;
  readonly badges?: ComponentChildren;
}

/** The name of something, with what marks it. */
export function Title({ id, children, badges }: Title): VNode {
  return (
    <p class="title">
      {typeof children === "string" ? <bdi id={id}>{children}</bdi> : <span id={id}>{children}</span>}
      {badges && [" ", badges]}
    </p>
  );
}

/** In place of a name, an address or a password. */
export function NotSet({ words }: Pick<AccountParts, "words">): VNode {
  return <p class="title unset">{words.texts.accountNotSet}</p>;
}

interface BadgeParts {
  readonly text: string;
  /** Whether it says that something is as it should be. */
  readonly isGood?: boolean;
}

/** Marks something. */
export function Badge({ text, isGood = false }: BadgeParts): VNode {
  return <span class={isGood ? "badge good" : "badge"}>{text}</span>;
}

/** Facts about something. */
export function Facts({ facts }: { readonly facts: readonly ComponentChildren[] }): VNode | null {
  const known = facts.filter(Boolean);
  if (known.length === 0) return null;
  return (
    <p class="hint facts">
      {known.map((fact, index) => [index > 0 && " ", <span class="fact">{fact}</span>])}
    </p>
  );
}

interface Does {
  readonly text: ComponentChildren;
  /** The ids of what says what it is about. */
  readonly about?: string | undefined;
}

interface RowLink extends Does {
  readonly url: string;
  /** Whether it leads to what cannot be taken back. */
  readonly danger?: boolean;
}

/** A link at the end of a row. Many say the same, so each is described by what it is about. */
export function RowLink({ url, text, about, danger }: RowLink): VNode {
  return (
    <a class={danger ? "button danger" : "button"} href={webUrl(url)} aria-describedby={about}>
      <span class="name">{text}</span>
    </a>
  );
}

interface RowForm extends Does, AccountParts {
  /** Hidden fields, such as the act. */
  readonly values: Readonly<Record<string, string>>;
  /** @default that of the page */
  readonly action?: string;
  /** The provider that the button leads to. */
  readonly provider?: TileParts;
}

/** The same as a form, for what needs no page of its own. */
export function RowForm({ page, values, action = page.action, text, about, provider }: RowForm): VNode {
  const look = provider?.look;
  const initial = provider && !look ? initialOf(provider.name) : undefined;
  return (
    <PostForm kind="plain" action={action} state={page} values={values}>
      <button
        type="submit"
        class={look ? `button ${look.className}` : "button"}
        data-initial={initial}
        aria-describedby={about}
      >
        {look && <ButtonBadge badge={look.badge} />}
        <span class="name">{text}</span>
      </button>
    </PostForm>
  );
}

/** The link back from a step. */
export function CancelLink({ page, words: { texts } }: AccountParts): VNode {
  return <LinkButton url={stepUrl(page)} text={texts.cancel} />;
}
