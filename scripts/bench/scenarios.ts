/**
 * The scenarios that are measured in process, as tables. A new metric is a row here.
 *
 * @module
 */
import type { QuestionName, Setup } from "./sides/side.ts";
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
  return { topic, name, question, setup: { kind: "github", ...setup }, notes };
}

/** The rows of the comparison. */
export const SCENARIOS: readonly Scenario[] = [
  row("session", "GET session, no cookie", "session-none"),
  row("session", "GET session, cookie seen before", "session-known", {}, ["reseals", "remembers"]),
  row("session", "GET session, new cookie each time", "session-new", {}, ["reseals", "pool"]),
  row("session", "GET session, stored in a Map", "session-stored", { store: "map" }, ["map"]),
  row("session", "GET session, stored in a SQLite file", "session-stored", { store: "sqlite" }, ["wal", "uncached"]),
  row("postgres", "GET session, stored in PostgreSQL", "session-stored", { store: "pg" }, ["sameTables", "uncached"]),
  row("kv", "GET session, stored in Deno KV", "session-stored", { store: "kv" }, ["alone"]),
  row("csrf", "GET csrf", "csrf-known"),
  row("providers", "GET providers", "providers"),
  row("pages", "sign-in page", "sign-in-page"),
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
