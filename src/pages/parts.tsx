/** @jsxImportSource preact */
/**
 * The parts that several pages share: texts with names in them, icons, forms and links.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import type { Badge } from "./brand.ts";
import { webUrl } from "./urls.ts";
import { durationIn } from "../texts/duration.ts";
import { partOf, splitText, type TextValues, type Wording } from "../texts/texts.ts";

/**
 * Puts values into a text. A value may be written in the other direction than the text, so it is isolated.
 *
 * @param kind The class of the values.
 */
export function filled(text: string, values: TextValues, kind?: string): ComponentChildren {
  return splitText(text).map((part) => {
    const value = partOf(part, values);
    return value === undefined ? part : <bdi class={kind}>{value}</bdi>;
  });
}

/** Paths in a square of 24 by 24. */
const ICONS = {
  envelope: "M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM3.5 7l8.5 6.5L20.5 7",
  padlock: "M6 11h12a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1zM8 11V8a4 4 0 0 1 8 0v3M12 15v1.5",
  clock: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 7.5V12l3 2",
  key: "M8 12.5a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 13.5L20.5 4M16.5 8l3 3M13.5 11l2 2",
  screen: "M4 5h16a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM8.5 20h7M12 16v4",
  phone:
    "M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3zM11 17.75h2",
  notice: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 8v4.5M12 15.75v.01",
} as const;

/** The icons. */
export type IconName = keyof typeof ICONS;

/** An icon in the colour of the text. It repeats the text beside it, so it is hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d={ICONS[name]}></path>
    </svg>
  );
}

/** The large icon at the top of a page. */
export function Emblem({ name }: { readonly name: IconName }): VNode {
  return (
    <div class="emblem">
      <Icon name={name} />
    </div>
  );
}

/** What every form sends along. */
export interface FormState {
  /** Proves that the form is ours. `null` where CSRF tokens are switched off. */
  readonly csrfToken: string | null;
  /** Where the browser goes afterwards. */
  readonly callbackUrl: string;
}

/** The names of these fields. A form must not send one of them twice. */
export const FORM_STATE: ReadonlySet<string> = new Set<keyof FormState>(["csrfToken", "callbackUrl"]);

interface Form {
  readonly kind: "fields" | "plain";
  readonly action: string;
  readonly state: FormState;
  /** Hidden fields. */
  readonly values?: Readonly<Record<string, string>>;
  readonly id?: string | undefined;
  /** Whether the browser sends it without checking the fields. */
  readonly novalidate?: boolean;
  readonly children: ComponentChildren;
}

/** A form that posts its {@linkcode FormState} along with its fields. */
export function PostForm(form: Form): VNode {
  const { kind, action, state: { csrfToken, callbackUrl }, values = {}, id, novalidate, children } = form;
  return (
    <form id={id} novalidate={novalidate} class={kind} method="post" action={webUrl(action)}>
      {csrfToken !== null && <input type="hidden" name="csrfToken" value={csrfToken} />}
      <input type="hidden" name="callbackUrl" value={callbackUrl} />
      {Object.entries(values).map(([name, value]) => <input type="hidden" name={name} value={value} />)}
      {children}
    </form>
  );
}

/** The button of a form that has only one. */
export function SubmitButton({ text }: { readonly text: string }): VNode {
  return (
    <button type="submit" class="button primary" id="submitButton">
      <span class="name">{text}</span>
    </button>
  );
}

interface ErrorAlert {
  readonly id?: string | undefined;
  readonly children: ComponentChildren;
}

/** What did not work just now. A screen reader says it at once. */
export function Alert({ id, children }: ErrorAlert): VNode {
  return (
    <div class="alert" role="alert" id={id}>
      <Icon name="notice" />
      <p>{children}</p>
    </div>
  );
}

const MINUTE = 60;

/** When the next attempt is judged. Rounded up: it must not be too early then. */
export function Wait({ seconds, words: { texts, tag } }: { readonly seconds: number; readonly words: Wording }): VNode {
  const duration = durationIn(tag, Math.ceil(seconds / MINUTE) * MINUTE);
  return <>{[" ", filled(texts.errorTooManyWait, { duration })]}</>;
}

interface ButtonLink {
  readonly url: string;
  readonly text: string;
  readonly primary?: boolean;
}

/** A link that looks like a button. */
export function LinkButton({ url, text, primary }: ButtonLink): VNode {
  return (
    <a class={primary ? "button primary" : "button"} href={webUrl(url)}>
      <span class="name">{text}</span>
    </a>
  );
}

interface OwnLink {
  /** An address that was checked; without it, there is no link. */
  readonly url: string | undefined;
  readonly text: string;
}

/** A link to a page that the theme names. */
export function ThemeLink({ url, text }: OwnLink): VNode | null {
  return url === undefined ? null : <a class="site" href={url}>{text}</a>;
}

/** A link back to the site. */
export function SiteLink({ url, words: { texts, name } }: { readonly url: string; readonly words: Wording }): VNode {
  return (
    <a class="site" href={webUrl(url)}>
      {filled(texts.backTo, { name })}
    </a>
  );
}

/** The first letter or digit of a name, in upper case; a bullet for a name without any. */
export function initialOf(name: string): string {
  const [first = "•"] = /[\p{L}\p{Nd}]/u.exec(name.normalize("NFC")) ?? [];
  const upper = first.toUpperCase();
  // Some letters become two, such as the German sharp s.
  return [...upper].length === 1 ? upper : first;
}

/** Writes a day. The server does not know where somebody is, so it writes no time. */
export function dayIn({ tag }: Wording, date: Date): string {
  return new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeZone: "UTC" }).format(date);
}

/** What stands before the name of a provider. It says the same, so it is hidden from screen readers. */
export function ButtonBadge({ badge }: { readonly badge: Badge }): VNode {
  if ("mark" in badge) {
    return (
      <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
        <path d={badge.mark} fill="currentColor"></path>
      </svg>
    );
  }
  const { usual, dark } = badge.logo;
  return (
    <picture>
      {dark && <source media="(prefers-color-scheme: dark)" srcset={dark.src} />}
      <img src={usual.src} width="20" height="20" alt="" />
    </picture>
  );
}

/** Adds a sentence that promises that sessions end, where they do. */
export function unlessTheyStay({ sessionsStay }: { readonly sessionsStay?: true | undefined }, text: string): string {
  return sessionsStay ? "" : ` ${text}`;
}
