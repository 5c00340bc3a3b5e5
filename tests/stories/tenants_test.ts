/** A configuration function that gives one object for all tenants, and changes it: each tenant is served its own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, createAuth, type Session } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
import { HonoAuth } from "@x/auth/hono";
import { Browser, type Site } from "../_support/browser.ts";
import { recordLog } from "../_support/service.ts";

const TENANTS = ["one", "two"] as const;
type Tenant = typeof TENANTS[number];

const originOf = (tenant: Tenant): string => `http://${tenant}.example.com`;

const ageOf = (tenant: Tenant): number => tenant === "one" ? 1111 : 2222;

const tenantOf = ({ url }: Request): Tenant => new URL(url).hostname.startsWith("one.") ? "one" : "two";

/** One object, and a function that changes it for a tenant: at its top, deep in it, and lists in place. */
function makeShared() {
  const options: { maxAge?: number } = {};
  const person = {
    id: "password",
    name: "",
    type: "credentials",
    credentials: { username: {} },
    authorize: () => ({ id: "1" }),
  };
  const config = {
    trustHost: true,
    logger: recordLog().logger,
    secret: "",
    providers: [person],
    callbacks: {} as Record<string, unknown>,
    cookies: { csrfToken: { options } },
  };
  const turn = (tenant: Tenant, usual = false): AuthConfig => {
    config.secret = `the secret of tenant ${tenant}, of at least 32 characters`;
    if (!usual) options.maxAge = ageOf(tenant);
    config.callbacks.session = ({ session }: { session: object }) => ({ ...session, tenant });
    person.name = `Password of ${tenant}`;
    person.authorize = () => ({ id: tenant, name: tenant });
    config.providers.splice(1, 1, credentials({ id: `only-${tenant}`, authorize: () => null }) as never);
    return config as AuthConfig;
  };
  return turn;
}

/** How the function gives the object that it has changed. */
const WAYS: Readonly<Record<string, (turn: ReturnType<typeof makeShared>) => (tenant: Tenant) => unknown>> = {
  "at once": (turn) => turn,
  "as a promise": (turn) => (tenant) => Promise.resolve(turn(tenant)),
  "after it has waited": (turn) => async (tenant) => {
    await Promise.resolve();
    return turn(tenant);
  },
};

/** What a request of a tenant is told of the configuration. */
async function seenBy(site: Site, tenant: Tenant): Promise<unknown> {
  const get = (path: string) => site(new Request(originOf(tenant) + path));
  const [providers, csrf] = await Promise.all([get("/auth/providers"), get("/auth/csrf")]);
  const listed = Object.values(await providers.json() as Record<string, { id: string; name: string }>);
  const cookies = csrf.headers.getSetCookie().map((line) => /; Max-Age=([^;]*)/.exec(line)?.[1]);
  return [listed[0]?.name, listed[1]?.id, cookies];
}

const seen = (tenant: Tenant): unknown => [`Password of ${tenant}`, `only-${tenant}`, [`${ageOf(tenant)}`]];

for (const [how, give] of Object.entries(WAYS)) {
  const open = (usual = false): Site => {
    const turn = makeShared();
    const choose = give((tenant) => turn(tenant, usual));
    return createAuth((request) => choose(tenantOf(request as Request)) as AuthConfig).handler;
  };

  test(`tenants that ask in turn get their own providers and cookies (${how})`, async () => {
    const site = open();
    for (const tenant of [...TENANTS, ...TENANTS]) assert.deepEqual(await seenBy(site, tenant), seen(tenant));
  });

  test(`tenants that ask at once get their own providers and cookies, from the first request on (${how})`, async () => {
    const site = open();
    for (let round = 0; round < 3; round++) {
      const all = Array.from({ length: 10 }, (_, index) => TENANTS[index % 2] ?? "one");
      assert.deepEqual(await Promise.all(all.map((tenant) => seenBy(site, tenant))), all.map(seen));
    }
  });

  test(`a session of one tenant is none at the other, which never opens it (${how})`, async () => {
    const site = open(true);
    const [one, two] = TENANTS.map((tenant) => new Browser(site, { origin: originOf(tenant) }));
    assert.ok(one && two);
    await Promise.all([one.signIn("password", { username: "x" }), two.signIn("password", { username: "x" })]);
    for (const [tenant, browser] of [["one", one], ["two", two], ["one", one]] as const) {
      assert.deepEqual(await browser.session(), { ...await browser.session(), tenant, user: { name: tenant } });
    }
    const cookie = one.cookies.headerFor(new URL(originOf("one")), { sameSite: true, safe: true }) ?? "";
    assert.match(cookie, /session-token=/);
    const ask = (tenant: Tenant) => site(new Request(`${originOf(tenant)}/auth/session`, { headers: { cookie } }));
    const answers = await Promise.all([ask("one"), ask("two"), ask("one"), ask("two")]);
    const names = await Promise.all(answers.map(async (answer) => (await answer.json())?.user?.name ?? null));
    assert.deepEqual(names, ["one", null, "one", null]);
  });
}

test("a visit keeps its configuration while others are served, however often it is asked for", async () => {
  const turn = makeShared();
  const auth = HonoAuth((request) => turn(tenantOf(request as Request), true));
  const visit = (tenant: Tenant, init: RequestInit = {}) => {
    return { req: { raw: new Request(`${originOf(tenant)}/`, init) }, set() {}, header() {} } as never;
  };
  const site: Site = (request) => auth.handler({ req: { raw: request } } as never);
  const one = await new Browser(site, { origin: originOf("one") }).signIn("password", { username: "x" });
  const cookie = one.cookies.headerFor(new URL(originOf("one")), { sameSite: true, safe: true }) ?? "";
  const mine = visit("one", { method: "POST", headers: { cookie, origin: originOf("one") } });
  let updated: unknown = null;
  await auth.middleware(mine, async () => {
    await auth.middleware(visit("two"), () => Promise.resolve());
    updated = await auth.update(mine, {});
  });
  assert.deepEqual([(updated as Session)?.user?.name, (updated as { tenant?: Tenant } | null)?.tenant], ["one", "one"]);
});

test("an object that is not changed is resolved once, and one that is once for each content that is remembered", async () => {
  const turn = makeShared();
  let reads = 0;
  const counted = () => {
    reads++;
    return { id: "counted", name: "P", type: "credentials" as const, authorize: () => null };
  };
  const { handler } = createAuth((request) => {
    const config = turn(tenantOf(request as Request));
    (config.providers as unknown[]).splice(1, 1, counted);
    config.callbacks = {};
    (config.providers?.[0] as { authorize: unknown }).authorize = null;
    return config;
  });
  for (let round = 0; round < 5; round++) {
    for (const tenant of TENANTS) await handler(new Request(`${originOf(tenant)}/auth/session`));
  }
  assert.equal(reads, 2);
});

test("an adapter, a logger and what their methods keep stay the objects that they are", async () => {
  const logger = {
    lines: 0,
    error() {},
    debug() {},
    warn() {
      this.lines++;
    },
  };
  const shared: AuthConfig = { secret: "short", trustHost: true, providers: [], logger };
  const { handler } = createAuth(() => shared);
  await handler(new Request("http://one.example.com/auth/session"));
  assert.ok(logger.lines > 0);
});
