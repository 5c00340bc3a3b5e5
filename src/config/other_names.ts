/**
 * Variables that are set under another name than the one that is read. It is loaded once something is missing.
 *
 * @module
 */
import { type ConfigError, InvalidConfig, InvalidEndpoints } from "../kernel/errors.ts";
import { variableNames } from "../kernel/variables.ts";
import { providerPrefix, type ReadEnv } from "./env.ts";
import { nearest } from "./nearest.ts";

/** What other libraries call the variables, and what people take for their names. */
const OTHERS = {
  AUTH_SECRET: ["AUTH_SECRET_KEY", "AUTH_JWT_SECRET", "BETTER_AUTH_SECRET"],
  AUTH_TRUST_HOST: ["AUTH_TRUST_PROXY"],
  AUTH_URL: ["AUTH_BASE_URL", "AUTH_ORIGIN", "BETTER_AUTH_URL"],
} as const;

/** Says under which other names variables of the service are set; empty if none is. */
export function otherNames(readEnv: ReadEnv, ...names: readonly (keyof typeof OTHERS)[]): string {
  const all = variableNames(readEnv);
  return names.map((name) => {
    return hintOf(readEnv, name, [...OTHERS[name], ...all.filter((other) => isMisspelt(other, name))]);
  }).join("");
}

// What is before AUTH is what frameworks, and the former name of Auth.js, put there.
const PREFIX = /^(?:NEXT_PUBLIC_|NEXT_?|NUXT_|PUBLIC_|VITE_)(?=AUTH)/;

/** The variables of providers, which are read, or would be if there was the provider. */
const OF_PROVIDER = /^AUTH_.+_(?:ID|SECRET|ISSUER|KEY)$/;

function isMisspelt(written: string, name: string): boolean {
  if (written === name || OF_PROVIDER.test(written)) return false;
  const other = written.toUpperCase().replace(PREFIX, "");
  if (nearest(other, [name]) !== null) return true;
  // TRUST_HOST, but not URL or SECRET, which are of anything.
  return /_.*_/.test(name) && nearest(`AUTH_${other}`, [name]) !== null;
}

/** Adds to a problem that a provider lacks a value under which other name its variable is set. */
export function withOtherName(problem: ConfigError, id: unknown, readEnv: ReadEnv): ConfigError {
  const prefix = providerPrefix(id as string);
  const bare = prefix.slice("AUTH_".length);
  const last = problem instanceof InvalidEndpoints
    ? "ISSUER"
    : ENDS.find((last) => problem.message.endsWith(` ${prefix}${last}`));
  if (last === undefined) return problem;
  const others = OF_PROVIDERS[last].flatMap((other) => [prefix + other, bare + other]);
  const hint = hintOf(readEnv, prefix + last, [...others, bare + last]);
  if (hint === "") return problem;
  const Same = problem instanceof InvalidEndpoints ? InvalidEndpoints : InvalidConfig;
  return new Same(problem.message + hint);
}

/** The ends of the variables of a provider, and what people take for them. */
const OF_PROVIDERS = {
  ID: ["CLIENT_ID", "CLIENTID"],
  ISSUER: ["ISSUER_URL", "ISSUER_BASE_URL", "DOMAIN", "URL"],
  KEY: ["API_KEY", "APIKEY"],
} as const;

const ENDS = Object.keys(OF_PROVIDERS) as (keyof typeof OF_PROVIDERS)[];

function hintOf(readEnv: ReadEnv, name: string, others: readonly string[]): string {
  const set = others.find((other) => readEnv(other)?.trim());
  return set === undefined ? "" : `; ${set} is set, which nothing reads: did you mean ${name}?`;
}
