/**
 * The scenarios that are measured in process, as tables. A new metric is a row here.
 *
 * @module
 */
import type { QuestionName, Setup, SideName } from "./sides/side.ts";
import type { FootnoteName } from "./footnotes.ts";
import type { RuntimeKind } from "./runtime_kind.ts";

/** One row: the same question for every side that can answer it. */
export interface Scenario {
  /** What `--only` selects. */
  readonly topic: string;
  readonly name: string;
  readonly question: QuestionName;
  readonly setup: Setup;
  readonly notes: readonly FootnoteName[];
  /** Whether `--busy` measures it a second time while the other cores are busy. */
  readonly alsoBusy?: boolean;
}

function row(
  topic: string,
  name: string,
  question: QuestionName,
  setup: Partial<Setup> = {},
  notes: FootnoteName[] = [],
): Scenario {
  return { topic, name, question, setup: { kind: "github", count: 1, ...setup }, notes };
}

/** The rows of the comparison. */
export const SCENARIOS: readonly Scenario[] = [
  row("session", "GET session, no cookie", "session-none"),
  row("session", "GET session, cookie seen before", "session-known", {}, ["reseals", "remembers"]),
  row("session", "GET session, new cookie each time", "session-new", {}, ["reseals", "pool"]),
  row("session", "GET session, stored in a Map", "session-stored", { store: "map" }, ["map"]),
  row("session", "GET session, stored in a SQLite file", "session-stored", { store: "sqlite" }, ["wal", "uncached"]),
  row("postgres", "GET session, stored in PostgreSQL, driver pg", "session-stored", { store: "pg" }, [
    "sameTables",
    "uncached",
  ]),
  row("postgres", "GET session, stored in PostgreSQL, driver postgres", "session-stored", { store: "postgres" }, [
    "otherDriver",
    "uncached",
  ]),
  row("postgres", "GET session, stored in PostgreSQL, kept for 10 seconds", "session-kept", {
    store: "pg",
    keptFor: 10,
  }, ["kept"]),
  row("kv", "GET session, stored in Deno KV", "session-stored", { store: "kv" }, ["alone"]),
  row("rows", "GET session, sealed, with a row, within a minute", "session-row", {
    store: "sqlite",
    lookUps: "minute",
  }),
  row("rows", "GET session, sealed, its row is looked up", "session-row", { store: "sqlite", lookUps: "each" }, [
    "clock",
  ]),
  row("csrf", "GET csrf, new browser", "csrf-none"),
  row("csrf", "GET csrf, its cookie comes along", "csrf-known"),
  row("providers", "GET providers, 1 provider", "providers"),
  row("providers", "GET providers, 20 providers", "providers", { count: 20 }),
  row("providers", "GET providers, 80 providers", "providers", { count: 80 }),
  row("pages", "sign-in page, 1 provider", "sign-in-page"),
  row("pages", "sign-in page, 20 providers", "sign-in-page", { count: 20 }),
  row("credentials", "sign-in with credentials", "credentials", { kind: "credentials" }, ["tables", "json", "plain"]),
  row("oauth", "OAuth start", "oauth-start", {}, ["json"]),
  { ...row("oauth", "OAuth callback", "oauth-callback", {}, ["tables", "emails"]), alsoBusy: true },
  {
    ...row("oauth", "OpenID Connect callback", "oidc-callback", { kind: "oidc" }, ["discovers", "signature"]),
    alsoBusy: true,
  },
  row("sign-out", "sign-out", "sign-out", {}, ["json", "gone"]),
];

/** The scenarios of some topics that a runtime can measure. With `busy` some come twice, each pair together. */
export function scenariosFor(
  topics: ReadonlySet<string>,
  runtime: RuntimeKind,
  busy: boolean,
): readonly (Scenario & { readonly busy: boolean })[] {
  return SCENARIOS.filter(({ topic, setup }) => topics.has(topic) && (setup.store !== "kv" || runtime === "deno"))
    .flatMap((scenario) => {
      const idle = { ...scenario, busy: false };
      return busy && scenario.alsoBusy ? [idle, { ...idle, name: `${scenario.name}, other cores busy`, busy }] : [idle];
    });
}

/** A row of the table that compares few providers with many. */
export interface FlatScenario {
  readonly name: string;
  readonly question: QuestionName;
}

/** The numbers of providers to compare. */
export const FEW_AND_MANY = [1, 80] as const;

/** Sides that accept any number of providers. */
export const FLAT_SIDES: readonly SideName[] = ["@x/auth", "@auth/core"];

/** Questions that should cost the same with any number of providers. */
export const FLAT_SCENARIOS: readonly FlatScenario[] = [
  { name: "GET session, no cookie", question: "session-none" },
  { name: "GET session, cookie seen before", question: "session-known" },
  { name: "GET csrf, its cookie comes along", question: "csrf-known" },
  { name: "OAuth start", question: "oauth-start" },
  { name: "sign-out", question: "sign-out" },
];
