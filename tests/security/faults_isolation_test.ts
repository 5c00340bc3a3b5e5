/** Many at once: what is asked for is asked for once, and nobody is taken for somebody else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAuth, customFetch } from "@x/auth";
import { Browser } from "../_support/browser.ts";
import { pause, watchProcess } from "../_support/faults.ts";
import { chanceOf } from "../_support/chance.ts";
import { createIssuer, type Issuer, json } from "../_support/issuer.ts";
import { recordLog, testConfig } from "../_support/service.ts";
import { countRows, fetchOf } from "./_service.ts";

watchProcess();
const rows = countRows("many at once");
const chance = chanceOf(20_310_506);

/** A while that nobody can foresee. */
function delay(): Promise<void> {
  return pause(chance.below(20));
}

/** A provider at which everybody is somebody else: the one whose code it is. */
function crowd(now?: () => number): Issuer {
  const issuer = createIssuer({
    ...(now && { now }),
    metadata: { id_token_signing_alg_values_supported: ["ES256"] },
  });
  issuer.rotate("ES256"); // signs faster
  // Slow, so that everybody comes while the first one still waits.
  for (const document of ["discovery", "jwks"] as const) {
    issuer.override(document, (_request, honest) => pause(100).then(honest));
  }
  issuer.override("token", async (request, honest) => {
    const code = new URLSearchParams(await request.clone().text()).get("code") ?? "";
    await delay();
    const { id_token, ...others } = await (await honest()).json();
    const claims = JSON.parse(Buffer.from(id_token.split(".")[1], "base64url").toString());
    const person = { sub: code, name: `Visitor ${code}`, email: `${code}@example.com` };
    return json({ ...others, access_token: `of-${code}`, id_token: issuer.sign({ ...claims, ...person }) });
  });
  return issuer;
}

function locationOf(response: Response): string {
  return response.headers.get("location") ?? "";
}

function all<T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => make(at)));
}

test("200 first requests in one tick resolve one configuration, and call a configuration function 200 times", async () => {
  const { logger, warnings } = recordLog();
  const config = testConfig({ logger, debug: true });
  const { handler } = createAuth(config);
  let asked = 0;
  const chosen = createAuth(async () => {
    asked++;
    await delay();
    return config;
  });
  for (const site of [handler, chosen.handler]) {
    const answers = await all(
      200,
      async () => await (await site(new Request("http://localhost:3000/auth/csrf"))).json(),
    );
    assert.equal(new Set(answers.map(({ csrfToken }) => csrfToken)).size, 200, "everybody has a token of their own");
    rows(200);
  }
  assert.deepEqual([asked, warnings], [200, ["debug-enabled", "debug-enabled"]]);
});

const USERS = 500;
const REQUESTS = 1000;

/** One who signed in, and what every answer must know them by. */
interface Member {
  readonly browser: Browser;
  readonly id: string;
  readonly host: string;
}

test("1,000 concurrent requests of 500 users are each answered for their own user, whatever waits for how long", async () => {
  const issuer = crowd(() => Math.floor(Date.now() / 1000));
  const { logger, errors } = recordLog();
  const told: string[] = [];
  const service = createAuth(async (request) => {
    await delay();
    return configs[Number(new URL(request.url).port) % configs.length] ?? {};
  });
  const configs = ["One", "Two"].map((name) =>
    testConfig({
      logger,
      timeouts: { total: 60, request: 60, event: 60 },
      session: { updateAge: 0 },
      providers: [
        issuer.provider({
          [customFetch]: fetchOf(issuer),
          profile: async ({ sub, name, email }) => {
            await delay();
            return { id: sub ?? undefined, name, email };
          },
        }),
        {
          id: "credentials",
          name,
          type: "credentials",
          credentials: { username: {} },
          authorize: async ({ username }, request) => {
            await delay();
            const { username: again } = await request.json();
            assert.equal(again, username);
            return { id: String(username), name: `User ${username}`, email: `${username}@example.com` };
          },
        },
      ],
      callbacks: {
        signIn: async ({ user, account }) => {
          await delay();
          return account?.type === "oidc" || user.id === account?.providerAccountId;
        },
        redirect: async ({ url, baseUrl }) => {
          await delay();
          return new URL(url, baseUrl).href;
        },
        jwt: async ({ token, user, trigger, session }) => {
          await delay();
          if (user) token.first = user.name;
          if (trigger === "update") token.note = session;
          await delay();
          return token;
        },
        session: async ({ session, token }) => {
          await delay();
          return { ...session, first: token?.first, note: token?.note, service: name };
        },
        authorized: async ({ auth, request }) => {
          await delay();
          return auth?.user?.email === request.headers.get("x-expected");
        },
      },
      events: {
        signIn: async ({ user, account }) => {
          await delay();
          told.push(`${user.name} ${account?.access_token ?? ""}`);
        },
      },
    })
  );
  const { handler, auth } = service;

  /** Each user knows the service by one of two addresses. */
  const members = await all(USERS, async (at): Promise<Member> => {
    const id = `u${at}`;
    const host = `http://localhost:${3000 + at % 2}`;
    const browser = new Browser(handler, { origin: host });
    const csrfToken = await browser.csrf();
    if (at % 5 !== 0) {
      const fields = { username: id, csrfToken, callbackUrl: `/home/${id}` };
      assert.equal(locationOf(await browser.post("/auth/callback/credentials", fields)), `${host}/home/${id}`);
      return { browser, id: `User ${id}`, host };
    }
    const started = locationOf(await browser.post("/auth/signin/idp", { csrfToken, callbackUrl: `/home/${id}` }));
    const { redirectUri, params } = await issuer.consent(started);
    assert.ok(redirectUri.startsWith(host), started);
    const path = `${new URL(redirectUri).pathname}?${params}`;
    assert.equal(locationOf(await browser.get(path)), `${host}/home/${id}`);
    return { browser, id: `Visitor ${params.get("code")}`, host };
  });
  assert.equal(new Set(members.map(({ id }) => id)).size, USERS);
  for (const line of told) {
    const [, who, token] = /^(?:User|Visitor) (\S+) (?:of-)?(\S*)$/.exec(line) ?? [];
    assert.ok(token === "" || token === who, line);
  }

  const emailOf = ({ id }: Member) => `${id.split(" ")[1]}@example.com`;
  const guarded = auth(async (_request, session) => {
    await delay();
    return Response.json(session?.user?.name ?? null);
  });
  const inside = async (member: Member, expected: string): Promise<unknown> => {
    const url = new URL("/members", member.host);
    const cookie = member.browser.cookies.headerFor(url, { sameSite: true, safe: true }) ?? "";
    const response = await guarded(new Request(url, { headers: { cookie, "x-expected": expected } }));
    return response.status === 200 ? await response.json() : response.status;
  };
  const nameOf = ({ host }: Member) => host.endsWith("0") ? "One" : "Two";

  const acts: readonly ((member: Member, at: number) => Promise<void>)[] = [
    async (member) => {
      const session = await member.browser.session();
      assert.deepEqual(
        [session?.user?.name, session?.user?.email, session?.first, session?.service],
        [member.id, emailOf(member), member.id, nameOf(member)],
      );
    },
    async (member, at) => {
      const csrfToken = await member.browser.csrf();
      const note = `${member.id} ${at}`;
      const response = await member.browser.postJson("/auth/session", { csrfToken, data: note });
      const session = await response.json();
      assert.deepEqual([session?.user?.name, session?.note], [member.id, note]);
    },
    async (member) => assert.equal(await inside(member, emailOf(member)), member.id),
    async (member) => assert.equal(await inside(member, "u1@example.net"), 302),
    async (member) => {
      const url = new URL("/members", member.host);
      const cookie = member.browser.cookies.headerFor(url, { sameSite: true, safe: true }) ?? "";
      assert.equal((await auth(new Request(url, { headers: { cookie } })))?.user?.name, member.id);
    },
    async (member, at) => {
      const { url } = await new Browser(handler, { origin: member.host }).open(`/auth/signin?callbackUrl=/x/${at}`);
      assert.equal(url.origin, member.host);
    },
    async ({ host }) => {
      const listed = await new Browser(handler, { origin: host }).providers();
      assert.equal(listed.credentials?.callbackUrl, `${host}/auth/callback/credentials`);
    },
    async ({ host }) => assert.equal(await new Browser(handler, { origin: host }).session(), null),
  ];
  await all(REQUESTS, async (at) => {
    const member = members[(at * 7) % USERS];
    const act = acts[at % acts.length];
    assert.ok(member && act);
    await act(member, at);
    rows();
  });
  assert.deepEqual(errors, []);
});
