/**
 * What is asked in process, as a table.
 *
 * @module
 */
import type { Ask, Setup, SideName } from "./sides/side.ts";
import type { NoteName } from "./notes.ts";

/** One row: the same question to every side that has an answer to it. */
export interface Scenario {
  readonly topic: string;
  readonly name: string;
  readonly ask: Ask;
  readonly setup: Setup;
  readonly notes: readonly NoteName[];
}

function row(topic: string, name: string, ask: Ask, setup: Partial<Setup> = {}, notes: NoteName[] = []): Scenario {
  return { topic, name, ask, setup: { kind: "github", count: 1, ...setup }, notes };
}

/** The rows of the comparison. */
export const SCENARIOS: readonly Scenario[] = [
  row("session", "GET session, no cookie", "session-none"),
  row("session", "GET session, cookie seen before", "session-known", {}, ["reseals", "remembers"]),
  row("session", "GET session, new cookie each time", "session-new", {}, ["reseals", "pool"]),
  row("session", "GET session, stored in a Map", "session-stored", { store: "map" }, ["map"]),
  row("session", "GET session, stored in a SQLite file", "session-stored", { store: "sqlite" }, ["wal", "uncached"]),
  row("csrf", "GET csrf, new browser", "csrf-none"),
  row("csrf", "GET csrf, its cookie comes along", "csrf-known"),
  row("providers", "GET providers, 1 provider", "providers"),
  row("providers", "GET providers, 20 providers", "providers", { count: 20 }),
  row("providers", "GET providers, 80 providers", "providers", { count: 80 }),
  row("pages", "sign-in page, 1 provider", "sign-in-page"),
  row("pages", "sign-in page, 20 providers", "sign-in-page", { count: 20 }),
  row("credentials", "sign-in with credentials", "credentials", { kind: "credentials" }, ["tables", "json", "plain"]),
  row("oauth", "OAuth start", "oauth-start", {}, ["json"]),
  row("oauth", "OAuth callback", "oauth-callback", {}, ["tables", "emails"]),
  row("oauth", "OpenID Connect callback", "oidc-callback", { kind: "oidc" }, ["discovers", "signature"]),
  row("sign-out", "sign-out", "sign-out", {}, ["json", "gone"]),
];

/** A row of the second table: the same with many providers. */
export interface FlatScenario {
  readonly name: string;
  readonly ask: Ask;
}

/** How many providers the second table compares. */
export const FEW_AND_MANY = [1, 80] as const;

/** Sides that take any number of providers. */
export const FLAT_SIDES: readonly SideName[] = ["@x/auth", "@auth/core"];

/** What should cost the same however many providers there are. */
export const FLAT_SCENARIOS: readonly FlatScenario[] = [
  { name: "GET session, no cookie", ask: "session-none" },
  { name: "GET session, cookie seen before", ask: "session-known" },
  { name: "GET csrf, its cookie comes along", ask: "csrf-known" },
  { name: "OAuth start", ask: "oauth-start" },
  { name: "sign-out", ask: "sign-out" },
];
