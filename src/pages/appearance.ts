/**
 * What a page looks like, as far as that depends on the configuration alone: its colours and logos, and what its
 * Content-Security-Policy has to allow for them. It is made once for each list of buttons that a configuration shows.
 *
 * @module
 */
import { badgeOf, brandCss, type Button, type Scheme, schemeOf } from "./brand.ts";
import { hashSource } from "./csp.ts";
import { type Markup, markup } from "./markup.ts";
import { hasFields } from "./method_list.ts";
import { BASE_CSS } from "./styles.ts";
import { type Logo, logoAt } from "./urls.ts";
import type { Theme } from "../kernel/model.ts";
import type { SignInMethod } from "../request/outcome.ts";

/** What pages with the same theme and the same buttons have in common. */
export interface Appearance {
  readonly scheme: Scheme;
  readonly logo: Logo | undefined;
  /** The style blocks. */
  readonly styles: readonly Markup[];
  /** Their hashes, as sources of the policy. */
  readonly styleHashes: readonly string[];
  /** The origins of the images, as sources of the policy. */
  readonly images: readonly string[];
}

interface Known {
  readonly buttons: readonly Button[];
  readonly appearance: Appearance;
}

/** What was made, by the theme of a configuration. */
const known = new WeakMap<Theme, readonly Known[]>();

/** The most lists of buttons of one configuration: all providers, none, and each passkey provider alone. */
const MOST_LISTS = 8;

/** Makes the appearance of a page. Colours and logos that fail the checks of brand.ts and urls.ts are left out. */
export async function appearanceOf(theme: Theme, methods: readonly SignInMethod[]): Promise<Appearance> {
  const found = known.get(theme)?.find(({ buttons }) => areTheirs(buttons, methods));
  if (found) return found.appearance;
  const buttons = methods.map((method) => ({ style: method.style, isFilled: hasFields(method) }));
  const appearance = await makeAppearance(theme, buttons);
  // What can still be changed is read each time.
  if (Object.isFrozen(theme) && buttons.every(({ style }) => Object.isFrozen(style))) {
    const others = known.get(theme) ?? [];
    known.set(theme, [...(others.length < MOST_LISTS ? others : []), { buttons, appearance }]);
  }
  return appearance;
}

function areTheirs(buttons: readonly Button[], methods: readonly SignInMethod[]): boolean {
  return buttons.length === methods.length && methods.every((method, at) => {
    const button = buttons[at];
    return button?.style === method.style && button.isFilled === hasFields(method);
  });
}

async function makeAppearance(theme: Theme, buttons: readonly Button[]): Promise<Appearance> {
  const scheme = schemeOf(theme);
  const logo = logoAt(theme.logo);
  const styles = [BASE_CSS, brandCss(theme, buttons)].filter((css) => css !== "");
  return {
    ...{ scheme, logo },
    styles: styles.map((css) => markup`<style>${css}</style>`),
    styleHashes: await Promise.all(styles.map(hashSource)),
    images: [logo, ...buttons.flatMap(({ style }) => logosOf(style, scheme))].flatMap((shown) => shown?.origin ?? []),
  };
}

function logosOf(style: Button["style"], scheme: Scheme): readonly (Logo | undefined)[] {
  const badge = badgeOf(style, scheme);
  return badge && "logo" in badge ? [badge.logo.usual, badge.logo.dark] : [];
}
