/**
 * Somebody signs in with every provider of the catalogue, at a vendor that behaves as its record in tests/catalogue says:
 * the whole way, and with every answer that ends it. The environment variable CATALOGUE chooses providers by the beginning
 * of their file names.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { inspect } from "node:util";
import { type Adapter, type Auth, type AuthConfig, createAuth, customFetch, type Provider } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { CatalogueDouble, type Consent, type Kind } from "../_support/catalogue_double.ts";
import {
  effective,
  type Entry,
  envPrefix,
  factoryName,
  isChosen,
  readEntry,
  recordedFiles,
  subpathOf,
} from "../_support/catalogue_facts.ts";
import { ORIGIN, Visitor } from "../_support/both_libraries.ts";
import { SECRET } from "../_support/service.ts";

const CLIENT = {
  clientId: "client-of-the-catalogue",
  clientSecret: "secret-0123456789abcdef0123456789abcdef",
} as const;

/** What callbacks are told. */
interface Told {
  readonly user: Readonly<Record<string, unknown>>;
  readonly account: Readonly<Record<string, unknown>>;
  readonly profile: Readonly<Record<string, unknown>>;
}

/** A service with one provider, which gets its client from the environment, and the vendor. */
interface World {
  readonly auth: Auth;
  readonly double: CatalogueDouble;
  readonly visitor: Visitor;
  /** What the log got, as text. */
  readonly log: string[];
  readonly told: () => Told | undefined;
}

type Factory = (options: object) => Provider;

async function openWorld(entry: Entry, adapter?: Adapter): Promise<World> {
  const { sample, file } = entry;
  const module: Readonly<Record<string, unknown>> = await import(`@x/auth/${subpathOf(file)}`);
  const make = module[factoryName(file)] as Factory;
  const double = new CatalogueDouble(entry, CLIENT);
  const log: string[] = [];
  const write = (level: string) => (...args: readonly unknown[]) => {
    log.push(inspect([level, ...args], { depth: 12, maxStringLength: null, showHidden: true }));
  };
  let told: Told | undefined;
  const { issuer, ...others } = { issuer: undefined, ...sample.options };
  setVariables(entry, { ID: CLIENT.clientId, SECRET: CLIENT.clientSecret, ISSUER: issuer });
  const provider = (options: object) => make({ ...options, ...others, [customFetch]: double.fetch });
  const config: AuthConfig = {
    secret: SECRET,
    trustHost: true,
    providers: [typeof issuer === "string" ? provider : provider({})],
    logger: { error: write("error"), warn: write("warn"), debug: write("debug") },
    callbacks: { signIn: (message) => (told = message as unknown as Told, true) },
    ...(adapter && { adapter }),
  };
  const auth = createAuth(config);
  return { auth, double, visitor: new Visitor(auth.handler), log, told: () => told };
}

const variables = new Set<string>();

// Those of the provider before are removed: no factory may read another's.
function setVariables({ facts }: Entry, values: Readonly<Record<string, unknown>>): void {
  for (const name of variables) delete process.env[name];
  variables.clear();
  for (const [suffix, value] of Object.entries(values)) {
    if (typeof value !== "string") continue;
    const name = envPrefix(facts) + suffix;
    process.env[name] = value;
    variables.add(name);
  }
}

after(() => {
  for (const name of variables) delete process.env[name];
});

/** Where a sign-in ended. */
interface End {
  readonly url: URL;
  /** The page that it ended on, if it ended on one of the service. */
  readonly status: number;
  readonly html: string;
  readonly session: { readonly user?: Readonly<Record<string, unknown>> } | null;
}

async function goOn({ visitor }: World, { facts }: Entry, { params, posted }: Consent): Promise<End> {
  const url = await visitor.comeBack(facts.id, params, posted);
  const session = await (await visitor.send("/auth/session")).json();
  if (url.href === `${ORIGIN}/`) return { url, status: 200, html: "", session };
  const page = await visitor.send(url.pathname + url.search);
  return { url, status: page.status, html: await page.text(), session };
}

/** Signs in. @param change What goes wrong at the vendor. */
async function signIn(entry: Entry, change: (double: CatalogueDouble) => void = () => {}, adapter?: Adapter) {
  const world = await openWorld(entry, adapter);
  const location = await world.visitor.start(entry.facts.id);
  const consent = world.double.consent(location);
  change(world.double);
  const end = await goOn(world, entry, consent);
  assertSilent(world, end);
  return { ...world, location, end };
}

/** Nothing that must stay secret is in the log, on a page or in its URL. */
function assertSilent({ log, double }: World, { url, html }: End): void {
  for (const secret of double.secrets) {
    for (const line of [...log, url.href, html]) {
      assert.ok(!line.includes(secret), `${secret} is in ${line.slice(0, 2000)}`);
    }
  }
}

/** Nobody is signed in, and a page says why. */
function assertRefused(
  { end: { url, status, html, session }, log, told }: Awaited<ReturnType<typeof signIn>>,
  pages: readonly string[],
) {
  assert.equal(session, null);
  assert.equal(told(), undefined);
  const found = `${url.pathname} ${url.searchParams.get("error")}`;
  assert.ok(pages.includes(found), `${found}, not ${pages.join(" or ")}: ${log.join("\n").slice(0, 2000)}`);
  assert.ok(status < 600 && status !== 404, String(status));
  assert.match(html, /<h1|role="alert"/);
  assert.ok(log.some((line) => line.includes("Error")), "the log says nothing");
}

const TRY_AGAIN = "/auth/signin OAuthCallbackError";
const FAULT = "/auth/error Configuration";

for (const file of recordedFiles().filter(isChosen)) {
  const entry = readEntry(file);
  const { facts, sample } = entry;
  // The record of a provider that has another name by now.
  if (facts.status === "renamed" && !sample.user) continue;
  const { id } = facts;

  test(`${id}: somebody signs in, and the user, the account and the session are theirs`, async () => {
    const { double, location, end, told, log } = await signIn(entry);
    const errors = log.filter((line) => line.includes("'error'"));
    assert.deepEqual({ missed: double.missed, errors }, { missed: [], errors: [] });
    assert.deepEqual(double.authorizationProblems(location).filter(({ field }) => !(field in entry.differences)), []);
    assert.equal(end.url.href, `${ORIGIN}/`, log.join("\n"));
    const { user, account, profile } = told() ?? {};
    const { id: accountId, ...person } = given(sample.user);
    const { id: _, ...shown } = given(user);
    assert.deepEqual(shown, person);
    assert.deepEqual([account?.provider, account?.providerAccountId, account?.type], [
      id,
      accountId,
      effective(entry).type,
    ]);
    assert.equal(profile?.email_verified, sample.emailVerified);
    const { name, email, image } = person;
    assert.deepEqual(given(end.session?.user), given({ name, email, image }));
  });

  test(`${id}: somebody who declines is told so, and can try another way`, async () => {
    const world = await openWorld(entry);
    const end = await goOn(world, entry, world.double.decline(await world.visitor.start(id)));
    assertSilent(world, end);
    assertRefused({ ...world, end, location: end.url }, [TRY_AGAIN]);
    assert.equal(world.double.received.filter(({ kind }) => kind === "token").length, 0);
  });

  test(`${id}: a code that the vendor refuses, in its own way, ends on a page that says so`, async () => {
    const outcome = await signIn(entry, (double) => double.fail("token", () => double.refusal()));
    assertRefused(outcome, [TRY_AGAIN]);
  });

  test(`${id}: a token endpoint that fails ends on a page that says so`, async () => {
    for (const answer of FAILURES) {
      assertRefused(await signIn(entry, (double) => double.fail("token", answer)), [TRY_AGAIN, FAULT]);
    }
  });

  test(`${id}: a profile that cannot be read ends on a page that says so`, async () => {
    const { double } = await signIn(entry);
    const asked: readonly Kind[] = ["answer", "userinfo"];
    if (!double.received.some(({ kind }) => asked.includes(kind))) return;
    for (const answer of [...FAILURES, () => Response.json({ error: "invalid_token" }, { status: 401 })]) {
      const outcome = await signIn(entry, (double) => double.fail("userinfo", answer));
      // What completes an id_token may be missing.
      if (outcome.end.session && effective(entry).profile_source !== "userinfo") continue;
      assertRefused(outcome, [FAULT]);
    }
  });

  test(`${id}: the access token is refreshed as the vendor demands`, async () => {
    const adapter = memoryAdapter();
    const { auth, double, told, log, end } = await signIn(entry, undefined, adapter as Adapter);
    if (!double.refreshToken) return;
    assert.equal(end.url.href, `${ORIGIN}/`, log.join("\n"));
    const key = { provider: id, providerAccountId: String(told()?.account.providerAccountId) };
    const account = await adapter.getAccount(key.providerAccountId, key.provider);
    assert.equal(account?.refresh_token, double.refreshToken);
    await adapter.updateAccount({ ...key, expires_at: 1 });
    const userId = String(account?.userId);
    const { accessToken } = await auth.accessToken({ userId }, id).catch((error) =>
      assert.fail(`${error} ${log.join()}`)
    );
    assert.equal(accessToken, account?.access_token);
    assert.deepEqual(double.missed, []);
    assert.equal(double.received.filter(({ kind }) => kind === "refresh").length, 1);
    assertSilent({ log, double } as unknown as World, end);
  });
}

/** Answers of a server that does not work. */
const FAILURES: readonly (() => Response)[] = [
  () =>
    new Response("<!doctype html><h1>Internal Server Error</h1>", {
      status: 500,
      headers: { "content-type": "text/html" },
    }),
  () => new Response("<!doctype html><h1>Maintenance</h1>", { headers: { "content-type": "text/html" } }),
];

/** What is there: what is absent and what is `null` are the same. */
function given(members: object | undefined): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(members ?? {}).filter(([, value]) => value !== undefined && value !== null).toSorted(),
  );
}
