/** What every binding has to do, told for the same small application on a double of each framework. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthConfig, RequireOptions, Session } from "@x/auth";
import { Browser, type Site } from "../../_support/browser.ts";
import { ADA, recordLog, testConfig } from "../../_support/service.ts";
import { shakyAdapter } from "./_site.ts";

export const COOKIE = "authjs.session-token";

/** What the handlers of the application use of a binding, for one request. */
export interface Kit {
  session(): Session | null | Promise<Session | null>;
  read(): Promise<Session | null>;
  require(options: RequireOptions): Promise<Session>;
  signIn(provider: string, form: FormData): Promise<Response>;
  signOut(options: { redirectTo: string }): Promise<Response>;
  update(patch: Partial<Session>): Promise<Session | null>;
}

/** Opens the application on a framework. */
export type Open = (config: AuthConfig) => Site;

/** The handlers of the application. */
export async function handle(request: Request, kit: Kit): Promise<Response> {
  const { pathname } = new URL(request.url);
  const session = await kit.session();
  try {
    switch (`${request.method} ${decodeURIComponent(pathname)}`) {
      case "GET /":
        return new Response(session?.user?.name ?? "stranger");
      case "GET /members/x":
        return new Response(`for ${session?.user?.name}`);
      case "GET /read":
        return Response.json(await kit.read());
      case "GET /level/1":
      case "GET /level/2":
      case "POST /level/2": {
        const session = await kit.require({ level: pathname.endsWith("1") ? 1 : 2 });
        return new Response(`level of ${session.user?.name}`);
      }
      case "GET /cached":
        return new Response("page", { headers: { "cache-control": "public, s-maxage=60", "x-mark": "1" } });
      case "POST /enter":
        return await kit.signIn("credentials", await request.formData());
      case "POST /leave":
        return await kit.signOut({ redirectTo: "/bye" });
      case "POST /rename":
        return Response.json(await kit.update({ user: { name: "Countess" } }));
      default:
        return new Response("nothing", { status: 404 });
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name === "StepUpRequired") throw error;
    return new Response(error.name, { status: 418 });
  }
}

export function sessionCookies(response: Response): string[] {
  return response.headers.getSetCookie().filter((line) => line.startsWith(COOKIE));
}

/** Callbacks that change the session as an update says. */
export const UPDATES: AuthConfig["callbacks"] = {
  jwt: ({ token, trigger, session }) => {
    return trigger === "update" ? { ...token, ...(session as { user: object }).user } : token;
  },
};

/** Lets the handlers of an application sign a visitor in, change the session, and end it. */
export async function actInHandlers(visitor: Browser): Promise<void> {
  const entered = await visitor.post("/enter", { ...ADA, redirectTo: "/read" });
  assert.deepEqual([entered.status, entered.headers.get("location")], [302, `${visitor.origin}/read`]);
  assert.equal(JSON.parse((await visitor.open("/read")).html).user.name, "Ada Lovelace");
  const renamed = await visitor.post("/rename", {});
  assert.equal((await renamed.json()).user.name, "Countess");
  assert.equal(sessionCookies(renamed).length, 1);
  assert.equal(renamed.headers.get("cache-control"), "private, no-store");
  assert.equal((await visitor.open("/")).html, "Countess");
  const left = await visitor.post("/leave", {});
  assert.equal(left.headers.get("location"), `${visitor.origin}/bye`);
  assert.match(sessionCookies(left).join(), /^[^,]*Max-Age=0/);
  assert.equal((await visitor.open("/")).html, "stranger");
}

/** Lets a handler sign a visitor out without a redirect. */
export async function leaveQuietly(visitor: Browser): Promise<void> {
  await visitor.post("/enter", ADA);
  const quiet = await visitor.post("/leave-quietly", {});
  assert.equal(await quiet.text(), `${visitor.origin}/bye`);
  assert.match(sessionCookies(quiet).join(), /^[^,]*Max-Age=0/);
  assert.equal((await visitor.open("/")).html, "stranger");
}

/** Lets `require` refuse a stranger, and somebody with a password. */
export async function refuseLevels(visitor: Browser): Promise<void> {
  const script = { headers: { "sec-fetch-mode": "cors", referer: `${visitor.origin}/form?x=1` } };
  const led = async (path: string): Promise<[number, string, string | null, string | null]> => {
    const { status, headers } = await visitor.get(path);
    const url = new URL(headers.get("location") ?? assert.fail(`${path} is answered ${status}`), visitor.origin);
    return [status, url.pathname, url.searchParams.get("error"), url.searchParams.get("callbackUrl")];
  };
  const signIn = "/auth/signin";
  assert.deepEqual(await led("/level/1"), [302, signIn, null, `${visitor.origin}/level/1`]);
  assert.equal((await visitor.get("/level/1", script)).status, 401);
  await visitor.signIn("credentials", ADA);
  assert.equal(await (await visitor.get("/level/1")).text(), "level of Ada Lovelace");
  assert.deepEqual(await led("/level/2"), [302, signIn, "SessionRequired", `${visitor.origin}/level/2`]);
  const refused = await visitor.get("/level/2", script);
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get("www-authenticate") ?? "", /insufficient_user_authentication.*acr_values="2"/);
  const { missing, url } = await refused.json();
  assert.deepEqual(missing, ["level"]);
  assert.equal(new URL(url).searchParams.get("callbackUrl"), `${visitor.origin}/form?x=1`);
  const form = { headers: { "sec-fetch-mode": "navigate", referer: `${visitor.origin}/form?x=1` } };
  const posted = await visitor.post("/level/2", {}, form);
  assert.equal(posted.status, 303);
  assert.match(posted.headers.get("location") ?? "", /callbackUrl=[^&]*%2Fform%3Fx%3D1/);
}

/** Tells the stories. @param name The framework. @param open Opens the application on it. */
export function tellStories(name: string, open: Open): void {
  const visit = (config: AuthConfig = {}, mayFail = false): () => Browser => {
    const site = open(testConfig({ session: { updateAge: 0 }, protect: ["/members/*"], ...config }));
    return () => new Browser(site, { application: true, mayFail });
  };

  test(`${name}: somebody signs in by the pages, is known, and signs out`, async () => {
    const visitor = visit()();
    await visitor.open("/members/x?tab=2");
    assert.equal(visitor.url.pathname, "/auth/signin");
    await visitor.submit(ADA, "/credentials");
    assert.deepEqual([visitor.html, visitor.url.href], ["for Ada Lovelace", `${visitor.origin}/members/x?tab=2`]);
    assert.equal(JSON.parse((await visitor.open("/read")).html).user.name, "Ada Lovelace");
    await visitor.signOut();
    assert.equal((await visitor.open("/")).html, "stranger");
  });

  test(`${name}: handlers sign in, change and end the session`, async () => {
    const visitor = visit({ callbacks: UPDATES })();
    assert.equal((await visitor.post("/enter", { ...ADA, password: "wrong" })).status, 418);
    await actInHandlers(visitor);
  });

  test(`${name}: a renewal reaches the browser once, and no cache`, async () => {
    const visitor = await visit()().signIn("credentials", ADA);
    for (const path of ["/", "/cached", "/read", "/members/x", "/nowhere"]) {
      const { headers } = await visitor.get(path);
      assert.equal(headers.getSetCookie().length, 1, path);
      assert.equal(headers.get("cache-control"), "private, no-store", path);
    }
    assert.equal((await visitor.get("/cached")).headers.get("x-mark"), "1");
    const advance = await visitor.get("/", { headers: { "sec-purpose": "prefetch" } });
    assert.deepEqual([advance.headers.getSetCookie(), await advance.text()], [[], "Ada Lovelace"]);
  });

  test(`${name}: a page says itself how it is kept if it sets no cookie`, async () => {
    const visitor = await visit({ session: {} })().signIn("credentials", ADA);
    assert.equal((await visitor.get("/")).headers.get("cache-control"), "private, no-store");
    assert.equal((await visitor.get("/cached")).headers.get("cache-control"), "public, s-maxage=60");
  });

  test(`${name}: what is guarded is denied in every spelling`, async () => {
    const visitor = visit()();
    for (const path of ["/members/x", "/%6Dembers/x", "/MEMBERS/x", "//members/x", "/members/x/", "/members%2Fx"]) {
      const { status, headers } = await visitor.get(visitor.origin + path, { headers: { "sec-fetch-mode": "cors" } });
      assert.deepEqual([status, headers.get("set-cookie")], [401, null], path);
    }
    assert.equal((await visitor.post("/members/x", {})).status, 401);
    const denied = visit({ protect: [], callbacks: { authorized: () => Response.json("no", { status: 403 }) } })();
    assert.equal((await denied.get("/")).status, 403);
  });

  test(`${name}: require() gives the session, leads pages to where more is proven, and refuses scripts`, async () => {
    const visitor = visit({ protect: [] })();
    await refuseLevels(visitor);
  });

  test(`${name}: while storage is down the guard denies, and nobody is signed out`, async () => {
    const { adapter, state } = shakyAdapter();
    const config = { adapter, session: { strategy: "database", updateAge: 0 }, logger: recordLog().logger } as const;
    const visitor = await visit(config, true)().signIn("credentials", ADA);
    state.down = true;
    const answers = [await visitor.get("/members/x"), await visitor.get("/")];
    assert.deepEqual(answers.map(({ status }) => status), [503, 200]);
    assert.deepEqual(answers.flatMap(sessionCookies), []);
    state.down = false;
    assert.equal((await visitor.open("/members/x")).html, "for Ada Lovelace");
  });

  test(`${name}: a post of another site neither signs in nor out`, async () => {
    const visitor = await visit()().signIn("credentials", ADA);
    for (const path of ["/enter", "/leave", "/rename"]) {
      const answer = await visitor.post(path, ADA, { headers: { origin: "https://evil.test" } });
      assert.equal(answer.status, 418, path);
    }
    assert.equal((await visitor.open("/")).html, "Ada Lovelace");
  });

  test(`${name}: two browsers do not see each other's session`, async () => {
    const open = visit();
    const [ada, other] = [await open().signIn("credentials", ADA), open()];
    const pages = await Promise.all([ada, other, ada, other].map((visitor) => visitor.newTab().open("/")));
    assert.deepEqual(pages.map(({ html }) => html), ["Ada Lovelace", "stranger", "Ada Lovelace", "stranger"]);
    const lines = await Promise.all([ada.get("/"), other.get("/")]);
    assert.deepEqual(lines.map((answer) => sessionCookies(answer).length), [1, 0]);
  });

  test(`${name}: the service is where basePath says`, async () => {
    const visitor = new Browser(open(testConfig({ basePath: "/accounts" })), {
      application: true,
      basePath: "/accounts",
    });
    await visitor.signIn("credentials", ADA);
    assert.equal((await visitor.open("/")).html, "Ada Lovelace");
  });
}
