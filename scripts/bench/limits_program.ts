/**
 * Measures what limits add to an answer, in this process. Its result is a list of {@linkcode MeasuredLimits}.
 *
 * @module
 */
import { type Adapter, type AuthConfig, createAuth, type Handler } from "@x/auth";
import { postgresAdapter } from "@x/auth/adapters/postgres";
import { limits } from "@x/auth/limits";
import { credentials } from "@x/auth/providers/credentials";
import { contenderOf } from "./answers.ts";
import type { MeasuredLimits, MeasuredSide } from "./limits.ts";
import { measureInTurns, summarize, type Timing } from "./measure.ts";
import { withoutNetwork } from "./network.ts";
import { finish, readInput, tell } from "./program.ts";
import { authjsQuestions } from "./sides/authjs.ts";
import { ADA, authRequest, cookiesOf, type QuestionName, redirectsTo, SECRET, type Side } from "./sides/side.ts";
import { openPool } from "./sides/stores.ts";

/** Requests whose statements are counted. */
const COUNTED = 101;

/** What is measured. */
const ROWS: readonly (readonly [name: string, question: QuestionName])[] = [
  ["GET session, cookie seen before", "session-known"],
  ["GET session, stored in PostgreSQL", "session-stored"],
  ["sign-in with credentials, somebody else each time", "credentials"],
];

let sent = 0;

/** PostgreSQL, whose statements are counted. */
async function openCounted(): Promise<Adapter> {
  const pool = await openPool();
  const query: typeof pool.query = (...args) => {
    sent += 1;
    return pool.query(...args);
  };
  const adapter = postgresAdapter({ query, connect: () => pool.connect() });
  await adapter.migrate();
  return adapter;
}

function sideOf(adapter: Adapter, features: AuthConfig["features"]): Side {
  const { password: wanted } = ADA;
  const common: AuthConfig = {
    providers: [credentials({
      credentials: { username: {}, password: { type: "password" } },
      authorize: ({ username, password }) => password === wanted ? { id: String(username) } : null,
    })],
    adapter,
    features,
    secret: SECRET,
    trustHost: true,
    basePath: "/auth",
    logger: { warn: () => {} },
  };
  const [stored, sealed] = (["database", "jwt"] as const).map((strategy) => {
    const config: AuthConfig = { ...common, session: { strategy } };
    return createAuth(config).handler;
  }) as [Handler, Handler];
  const questions = { ...authjsQuestions(sealed), ...authjsQuestions(stored, adapter) };
  const isStored = (request: Request) => /session-token=[\da-f-]{36}(?:;|$)/.test(request.headers.get("cookie") ?? "");
  return {
    name: "@x/auth",
    answer: (request) => (isStored(request) ? stored : sealed)(request),
    questions: { ...questions, credentials: () => signsIn(sealed) },
  };
}

async function signsIn(answer: Side["answer"]) {
  const opened = await answer(authRequest("csrf"));
  const cookie = cookiesOf(opened);
  const { csrfToken } = await opened.json() as { readonly csrfToken: string };
  return {
    request: () => {
      const fields = { csrfToken, username: crypto.randomUUID(), password: ADA.password };
      const request = authRequest("callback/credentials", cookie, fields);
      request.headers.set("x-client", "203.0.113.7");
      return request;
    },
    status: 302,
    problemOf: redirectsTo(/^http:\/\/localhost\/?$/, /session-token=ey/),
  };
}

async function statementsOf({ questions, answer }: Side, name: QuestionName): Promise<number> {
  const question = await questions[name]?.();
  const counts: number[] = [];
  for (let index = 0; question && index < COUNTED; index++) {
    const request = await question.request(index);
    const before = sent;
    await (await answer(request)).text();
    counts.push(sent - before);
  }
  return summarize(counts).median;
}

async function measureRow(
  [name, question]: typeof ROWS[number],
  sides: readonly (readonly [name: string, side: Side])[],
  timing: Timing,
): Promise<MeasuredLimits> {
  tell(name);
  const contenders = [];
  for (const [called, side] of sides) contenders.push(await contenderOf(side, question, called));
  const rounds = await measureInTurns(contenders.filter((contender) => contender !== null), timing);
  const measured: MeasuredSide[] = [];
  for (const [called, side] of sides) {
    measured.push({ times: rounds.get(called) ?? [], statements: await statementsOf(side, question) });
  }
  const [without, limited] = measured;
  if (!without || !limited) throw new Error("Cannot compare: there are not two sides");
  return { name, without, limited };
}

const timing = readInput<Timing>();
const adapter = await openCounted();
const sides = [
  ["without", sideOf(adapter, [])],
  ["limited", sideOf(adapter, [limits({ clientAddress: { header: "x-client" } })])],
] as const;
const rows: MeasuredLimits[] = [];
for (const row of ROWS) rows.push(await withoutNetwork(() => measureRow(row, sides, timing)));
finish(rows);
