/**
 * Options of a provider that can be meant in one way only although they are not written as they should be.
 *
 * @module
 */
import { isColor } from "../http/color.ts";
import { isPathData } from "../http/path_data.ts";
import { isPlainObject } from "../kernel/objects.ts";
import type { MergedProvider } from "./merge_provider.ts";
import { readRegistration } from "./registration.ts";
import type { Warning } from "./warning.ts";

/** A provider that can be read, and what was changed in it. */
export interface MendedProvider {
  /** A copy of the provider. */
  readonly provider: MergedProvider;
  readonly warnings: readonly Warning[];
}

type Members = Record<string, unknown>;

/** Mends a provider. What it is given does not change. */
export function mendProvider(given: MergedProvider): MendedProvider {
  const warnings: Warning[] = [];
  const provider: Members = { ...given };
  const report = (option: string, what: string) => {
    warnings.push(["option-mended", `\`${option}\` of provider "${String(given.id)}" ${what}`]);
  };
  if (typeof provider.name !== "string" || provider.name === "") {
    provider.name = given.id;
    report("name", "is missing, so its `id` is shown");
  }
  if (typeof provider.clientId === "number") {
    provider.clientId = String(provider.clientId);
    report("clientId", "is a number: it is read as text");
  }
  // `null` is how some write "not set".
  for (const option of ["authorization", "token", "userinfo", "client"]) {
    if (provider[option] === null) delete provider[option];
  }
  if (provider.type === "oauth" || provider.type === "oidc") {
    readRegistration(provider, (code, message) => void warnings.push([code, message]));
  }
  mendChecks(provider, report);
  mendStyle(provider, report);
  for (const option of ["maxAge", "timeout", "maxCredentials", "clockTolerance"]) mendNumber(provider, option, report);
  for (const option of ["authenticationOptions", "registrationOptions"]) {
    const options = provider[option];
    if (!isPlainObject(options)) continue;
    const copy = { ...options };
    mendNumber(copy, "timeout", (name, what) => report(`${option}.${name}`, what));
    provider[option] = copy;
  }
  return { provider: provider as unknown as MergedProvider, warnings };
}

const CHECKS = ["pkce", "state", "nonce", "none"];

// Words that mean nothing stay, and are a problem: what they should have switched on is not known.
function mendChecks(provider: Members, report: (option: string, what: string) => void): void {
  const { checks } = provider;
  if (checks === null) delete provider.checks;
  if (typeof checks !== "string") return;
  const words = checks.split(/[\s,]+/).filter((word) => word !== "");
  if (words.length === 0 || !words.every((word) => CHECKS.includes(word))) return;
  provider.checks = words;
  report("checks", `is text: it is read as the list ${JSON.stringify(words)}`);
}

const COLORS = ["bg", "bgDark", "border", "borderDark", "text", "textDark"];

function mendStyle(provider: Members, report: (option: string, what: string) => void): void {
  if (!isPlainObject(provider.style)) return;
  const style = { ...provider.style };
  const ignore = (name: string, what: string): void => {
    if (style[name]) report(`style.${name}`, `is not ${what}, so it is ignored`);
    delete style[name];
  };
  for (const name of COLORS) if (!isColor(style[name])) ignore(name, 'a CSS colour such as "#346df1"');
  if (!isPathData(style.mark)) ignore("mark", "path data of SVG in at most 8192 characters");
  provider.style = style;
}

function mendNumber(options: Members, option: string, report: (option: string, what: string) => void): void {
  const value = options[option];
  if (value === null) delete options[option];
  if (typeof value !== "string" || !/^ *\d{1,10} *$/.test(value)) return;
  options[option] = Number(value);
  report(option, `is text: it is read as the number ${Number(value)}`);
}
