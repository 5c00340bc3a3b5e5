/**
 * The Content-Security-Policy of a page.
 *
 * @module
 */
import { sha256 } from "../crypto/digest.ts";
import { isAppScheme } from "../http/redirect_url.ts";
import { BoundedMap } from "../kernel/bounded_map.ts";

/** What differs between the policies of two pages. */
export interface CspSources {
  /** Hashes of the scripts, see {@linkcode hashSource}. */
  readonly scripts: readonly string[];
  /** Whether a script may send requests to its own site. */
  readonly connects: boolean;
  /** Hashes of the style blocks. */
  readonly styles: readonly string[];
  /** Origins of another service that may run its script in the page and show frames; `null` if there is none. */
  readonly widget: readonly string[] | null;
  /** Origins of images, besides the site itself and `data:`. */
  readonly images: readonly string[];
  /** Where forms may lead besides the site itself, redirects included: `https:`, origins, or schemes of applications. */
  readonly formAction: readonly string[];
  readonly https: boolean;
}

/** A hash, `https:`, or an origin. The host of a URL may contain `;`, `,` and `*`, which have a meaning in a policy. */
const SOURCE = /^(?:'sha256-[A-Za-z0-9+/]{43}='|https:|https?:\/\/[a-z0-9.-]+(?::\d{1,5})?)$/;

/** An origin of a service that shows challenges, perhaps with all its subdomains, or a path. */
const WIDGET = /^https:\/\/(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[a-z0-9-]+)*\/?$/;

/**
 * Builds the policy. A source that is not exactly one hash, scheme or origin is left out.
 *
 * Kinds of requests that are not listed fall back to `default-src 'none'`, as do inline event handlers.
 *
 * @see {@link https://www.w3.org/TR/CSP3/#directive-fallback-list | Content Security Policy Level 3, section 6.8.3}
 */
export function pageCsp({ scripts, connects, styles, widget, images, formAction, https }: CspSources): string {
  const services = (widget ?? []).filter((origin) => WIDGET.test(origin));
  const allow = (policy: string): string => [policy, ...services].join(" ");
  const runs = scripts.length > 0 || services.length > 0;
  return [
    "default-src 'none'",
    ...(runs ? [allow(directive("script-src", scripts))] : []),
    ...(connects || services.length > 0 ? [allow("connect-src 'self'")] : []),
    ...(services.length > 0 ? [allow("frame-src")] : []),
    allow(directive("style-src", styles)),
    allow(directive("img-src 'self' data:", images)),
    directive("form-action 'self'", formAction, isFormTarget),
    "frame-ancestors 'none'",
    "base-uri 'none'",
    // The scripts of these services make markup of text.
    ...(services.length > 0 ? [] : ["require-trusted-types-for 'script'", "trusted-types 'none'"]),
    ...(https ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}

// A sign-in may end in an application of the device.
function isFormTarget(value: string): boolean {
  return isSource(value) || (value.endsWith(":") && isAppScheme(value.slice(0, -1)));
}

/** Whether a text is exactly one source of a policy. */
export function isSource(value: string): boolean {
  return SOURCE.test(value);
}

/** Hashes of style blocks and scripts. A site has a few; a function configuration may have more. */
const hashes = new BoundedMap<string, Promise<string>>(64);

/** Makes the source that allows exactly this style block or script. The hash of a text is computed once. */
export function hashSource(text: string): Promise<string> {
  const known = hashes.get(text);
  if (known) return known;
  const made = sourceOf(text);
  hashes.set(text, made);
  return made;
}

async function sourceOf(text: string): Promise<string> {
  return `'sha256-${btoa(String.fromCharCode(...await sha256(text)))}'`;
}

function directive(start: string, sources: readonly string[], fits = isSource): string {
  return [start, ...new Set(sources.filter(fits))].join(" ");
}
