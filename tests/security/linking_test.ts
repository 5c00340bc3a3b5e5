/** V16, V25, V26, V61, H08, H09, H30, LNK-1, LNK-2, LNK-3: every row of the rules of linking, through the handler. */
import { test } from "node:test";
import assert from "node:assert/strict";
import {
  type Adapter,
  type AdapterAccount,
  type AdapterAuthenticator,
  type CompleteAdapter,
  createAuth,
  customFetch,
  type OidcProvider,
} from "@x/auth";
import { decode, encode } from "@x/auth/jwt";
import { credentials } from "@x/auth/providers/credentials";
import { readSetCookie } from "../_support/cookie_jar.ts";
import type { Issuer } from "../_support/issuer.ts";
import { mailbox } from "../_support/mailbox.ts";
import {
  accountOf,
  addressOf,
  expected,
  FRESH,
  freshOf,
  type Held,
  type LinkingRow,
  MAILBOX,
  type Match,
  NEW,
  type Seen,
  TOKENS,
  type World,
  worldOf,
} from "../_support/oracle_linking.ts";
import { SECRET, testConfig } from "../_support/service.ts";
import { type Dump, type Watched, watchedMemory } from "../_support/watched.ts";
import {
  answerOf,
  ask,
  type Cookies,
  countRows,
  fetchOf,
  formToken,
  keep,
  liveIssuer,
  locationOf,
} from "./_service.ts";

const SESSION = "__Secure-authjs.session-token";
const VERIFIED = new Date("2026-01-01T00:00:00.000Z");

const HELD: readonly Held[] = ["nobody", "alice", "bob", "alice, ended"];
const MATCHES: readonly Match[] = [
  "nobody",
  "carol",
  "carol, unverified",
  "alice",
  "alice, unverified",
  "no mailbox",
  "no mailbox, taken",
  "a lookalike",
];
const TOLD = [true, false, undefined, "true", "false"] as const;

interface Stage {
  /** Puts a world in the place of the one before. */
  fill(world: World): Promise<Watched>;
  signIn(row: LinkingRow): Promise<{ readonly response: Response; readonly cookies: Cookies }>;
  /** Which session a token is of. */
  nameOfToken(token: string): Promise<string | undefined>;
  readonly events: string[];
}

const SEAL = { secret: SECRET, salt: SESSION };

async function sealedTokens(): Promise<Readonly<Record<Held, string | undefined>>> {
  // Who signed in before the address was verified may add nothing, and who does not say when may not either.
  const auth_time = VERIFIED.getTime() / 1000;
  return {
    nobody: undefined,
    alice: await encode({ token: { sub: "alice", auth_time }, ...SEAL }),
    bob: await encode({ token: { sub: "bob" }, ...SEAL }),
    "alice, ended": await encode({ token: { sub: "alice" }, maxAge: -60, ...SEAL }),
  };
}

async function openStage(strategy: LinkingRow["strategy"]): Promise<Stage> {
  const issuer = liveIssuer();
  const box = mailbox();
  const events: string[] = [];
  let typed: LinkingRow | null = null;
  const adapter: Adapter = {};
  const { handler } = createAuth(testConfig({
    adapter: Object.assign(adapter, watchedMemory().adapter),
    pages: { newUser: "/welcome" },
    session: { strategy },
    providers: [
      ...[true, false].flatMap((option) => providersOf(issuer, option)),
      box.provider,
      credentials({
        credentials: { name: {} },
        authorize: () => typed && { id: typed.account === "nobody" ? "typed" : typed.account, email: addressOf(typed) },
      }),
    ],
    events: {
      createUser: ({ user }) => void events.push(`createUser ${nameOf(user.id)}`),
      updateUser: ({ user }) => void events.push(`updateUser ${nameOf(user.id)}`),
      linkAccount: ({ user }) => void events.push(`linkAccount ${nameOf(user.id)}`),
      signIn: ({ user, isNewUser }) => void events.push(`signIn ${nameOf(user.id)} ${isNewUser}`),
    },
  }));
  const form = await formToken(handler);
  let tokens = TOKENS;

  const jar = (held: Held, before: Cookies = {}): Cookies => {
    const { [SESSION]: _, ...others } = { ...before, ...form.cookies };
    const token = tokens[held];
    return { ...others, ...(token && { [SESSION]: token }) };
  };
  const post = async (path: string, cookies: Cookies, more: Readonly<Record<string, string>> = {}) => {
    const response = await ask(handler, path, { cookies, fields: { csrfToken: form.csrfToken, ...more } });
    return { response, cookies: keep(response, cookies) };
  };

  async function byProvider(row: LinkingRow) {
    const [id = ""] = accountOf(row).split("/");
    const away = await post(`/auth/signin/${id}`, jar(row.started));
    const email = addressOf(row);
    const said = row.trust === "another address" ? { email: "somebody@y.test", contact: email } : { email };
    const person = { sub: "p1", contact: undefined, ...said, email_verified: row.told };
    issuer.claim(person);
    issuer.person(person);
    const path = await answerOf(issuer, locationOf(away.response));
    return await get(path, jar(row.returned, away.cookies));
  }

  async function byLink(row: LinkingRow) {
    const away = await post("/auth/signin/email", jar(row.started), { email: MAILBOX.typed });
    const { pathname, search } = box.link();
    return await get(pathname + search, jar(row.returned, away.cookies));
  }

  async function get(path: string, cookies: Cookies) {
    const response = await ask(handler, path, { cookies });
    return { response, cookies: keep(response, cookies) };
  }

  return {
    events,
    async nameOfToken(token) {
      const known = HELD.find((held) => tokens[held] === token);
      if (known) return TOKENS[known];
      if (strategy === "database") return freshOf(nameOf((await adapter.getSessionAndUser?.(token))?.user.id));
      return freshOf(nameOf((await decode({ token, ...SEAL }))?.sub));
    },
    async fill(world) {
      const watched = watchedMemory();
      await seed(watched.adapter, world);
      Object.assign(adapter, watched.adapter);
      events.length = 0;
      // A session that was ended stays ended, also where its rows are replaced.
      if (strategy === "jwt") tokens = await sealedTokens();
      return watched;
    },
    async signIn(row) {
      if (row.method === "email") return await byLink(row);
      if (row.method !== "credentials") return await byProvider(row);
      typed = row;
      return await post("/auth/callback/credentials", jar(row.returned));
    },
  };
}

/** How a provider is configured that is what a row says. */
const TRUSTS: Readonly<Record<LinkingRow["trust"], Pick<OidcProvider, "vouches" | "ownDomains" | "profile">>> = {
  any: {},
  none: { vouches: "no" },
  "its domain": { vouches: "own domain", ownDomains: { names: ["x.test"] } },
  "another domain": { vouches: "own domain", ownDomains: { names: ["y.test"] } },
  "another address": { profile: ({ sub, contact }) => ({ id: String(sub), email: contact as string }) },
};

function providersOf(issuer: Issuer, option: boolean) {
  return Object.entries(TRUSTS).flatMap(([trust, facts]) => {
    const common = { ...facts, allowDangerousEmailAccountLinking: option, [customFetch]: fetchOf(issuer) };
    const end = (option ? "on" : "off") + (trust === "any" ? "" : `-${trust.replaceAll(" ", "-")}`);
    return [
      issuer.provider({ id: `oidc-${end}`, ...common }),
      issuer.oauthProvider({ id: `oauth-${end}`, ...common }),
    ];
  });
}

async function seed(adapter: CompleteAdapter, { users, accounts, credentials, sessions }: World): Promise<void> {
  for (const [id, { email, verified }] of Object.entries(users)) {
    await adapter.createUser({ id, email: String(email), emailVerified: verified ? VERIFIED : null });
  }
  for (const [key, { owner, proof }] of Object.entries(accounts)) {
    const [provider = "", providerAccountId = ""] = key.split("/");
    const type = provider === "webauthn" ? "webauthn" : "oauth";
    const row: AdapterAccount = { provider, providerAccountId, type, userId: owner };
    await adapter.linkAccount(proof === undefined ? row : { ...row, email_verified: proof });
  }
  for (const [credentialID, { owner }] of Object.entries(credentials)) {
    await adapter.createAuthenticator({ ...KEY, credentialID, userId: owner });
  }
  for (const [sessionToken, userId] of Object.entries(sessions)) {
    const end = Date.now() + (sessionToken.endsWith("ended") ? -1000 : 1e6);
    await adapter.createSession({ sessionToken, userId, expires: new Date(end) });
  }
}

const KEY: Omit<AdapterAuthenticator, "userId" | "credentialID"> = {
  providerAccountId: "key",
  credentialPublicKey: "",
  counter: 0,
  credentialDeviceType: "singleDevice",
  credentialBackedUp: false,
};

function nameOf(id: string | undefined): string {
  return id === "alice" || id === "bob" || id === "carol" ? id : NEW;
}

/** What is stored, in the words of the oracle. */
function worldIn({ users, accounts, authenticators, sessions }: Dump): World {
  return {
    users: Object.fromEntries(
      users.map(({ id, email, emailVerified }) => [nameOf(id), { email, verified: emailVerified !== null }]),
    ),
    accounts: Object.fromEntries(accounts.map(({ provider, providerAccountId, userId, email_verified: proof }) => {
      return [`${provider}/${providerAccountId}`, {
        owner: nameOf(userId),
        ...(typeof proof === "boolean" && { proof }),
      }];
    })),
    credentials: Object.fromEntries(authenticators.map(({ credentialID, userId }) => {
      return [credentialID, { owner: nameOf(userId) }];
    })),
    sessions: Object.fromEntries(sessions.map(({ sessionToken, userId }) => [labelOf(sessionToken), nameOf(userId)])),
  };
}

// The rows of sealed sessions sign nobody in. What becomes of them is in the histories.
const SEALED = "the row of a sealed session";

function labelOf(token: string): string {
  if (token.startsWith("sealed:")) return SEALED;
  return token.startsWith("session-") ? token : FRESH;
}

/** One line for everything that is seen. A session that has ended may be swept at any time, and is left out. */
function linesOf({ world, holds, location, events }: Seen): readonly string[] {
  return [
    ...Object.entries(world.users).map(([name, { email, verified }]) => `user ${name} ${email} ${verified}`).sort(),
    ...Object.entries(world.accounts).map(([key, { owner, proof }]) => `account ${key} of ${owner} ${proof}`).sort(),
    ...Object.entries(world.credentials).map(([key, { owner }]) => `credential ${key} of ${owner}`).sort(),
    ...Object.entries(world.sessions).filter(([token]) => !token.endsWith("ended") && token !== SEALED)
      .map(([token, owner]) => `session ${token} of ${owner}`).sort(),
    `the browser holds ${holds}`,
    `it is sent to ${location}`,
    ...events,
  ];
}

async function look(stage: Stage, row: LinkingRow): Promise<Seen> {
  const { dump } = await stage.fill(worldOf(row));
  const { response, cookies } = await stage.signIn(row);
  const held = cookies[SESSION];
  const answered = response.headers.getSetCookie().map(readSetCookie).filter(({ name }) => name === SESSION);
  assert.ok(answered.length <= 1, "a browser is told once");
  return {
    world: worldIn(await dump()),
    holds: held === undefined ? undefined : await stage.nameOfToken(held),
    location: locationOf(response),
    events: [...stage.events],
  };
}

const count = countRows("linking");

function table(name: string, rows: readonly LinkingRow[], strategy: LinkingRow["strategy"] = "database"): void {
  const kept = strategy === "database" ? "stored" : "sealed";
  test(`${name} with ${kept} sessions comes to what the contract says, in every row`, async () => {
    const stage = await openStage(strategy);
    for (const row of rows) {
      count();
      const seen = await look(stage, row);
      assert.deepEqual(linesOf(seen), linesOf(expected(row)), JSON.stringify(row));
    }
  });
}

const PLAINEST: LinkingRow = {
  strategy: "database",
  method: "oauth",
  account: "nobody",
  started: "nobody",
  returned: "nobody",
  match: "nobody",
  told: undefined,
  option: false,
  trust: "any",
};

function product(...choices: readonly (readonly Partial<LinkingRow>[])[]): LinkingRow[] {
  return choices.reduce<LinkingRow[]>(
    (rows, choice) => rows.flatMap((row) => choice.map((more) => ({ ...row, ...more }))),
    [PLAINEST],
  );
}

const accounts = (["nobody", "alice", "bob"] as const).map((account) => ({ account }));
const started = (["nobody", "alice", "alice, ended"] as const).map((started) => ({ started }));
const returned = HELD.map((returned) => ({ returned }));
const matches = MATCHES.map((match) => ({ match }));
const typed = matches.filter(({ match }) => match !== "a lookalike"); // whatever looks the same is the same there
const mailboxes = typed.filter(({ match }) => !match.startsWith("no mailbox"));
const told = TOLD.map((told) => ({ told }));
const options = [false, true].map((option) => ({ option }));

const trusts = (["none", "its domain", "another domain", "another address"] as const).map((trust) => ({ trust }));

for (const method of ["oauth", "oidc"] as const) {
  const strangers = product([{ method }], trusts, accounts.slice(0, 2), matches, told.slice(0, 3), options);
  table(`a sign-in by ${method} with a provider whose word is worth less`, strangers);
  table(`a sign-in by ${method}`, product([{ method }], accounts, started, returned, matches, told, options));
}

for (const strategy of ["database", "jwt"] as const) {
  const links = [{ strategy, method: "email" }] as const;
  table("a link that is followed", product(links, started, returned, mailboxes), strategy);
  const checked = [{ strategy, method: "credentials" }] as const;
  table("a sign-in with credentials", product(checked, accounts, returned, typed), strategy);
}

const sealed = [{ strategy: "jwt", method: "oauth" }] as const;
const saysSo = [{ told: true }, { told: false }] as const;
const sealedRows = product(sealed, accounts, started, returned, matches, saysSo, options);
table("a sign-in by oauth", sealedRows, "jwt");
