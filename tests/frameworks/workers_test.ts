/** What visitors see of a service in workerd, the runtime of Cloudflare Workers. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { readBlocks } from "../../scripts/docs/run.ts";
import type { Browser } from "../_support/browser.ts";
import { CatalogueDouble } from "../_support/catalogue_double.ts";
import { readEntry } from "../_support/catalogue_facts.ts";
import { createIssuer, type Endpoint } from "../_support/issuer.ts";
import { makeMaker, takeTour } from "../_support/passkey_tour.ts";
import { within } from "./_programs.ts";
import { ask, TARGETS } from "./_targets.ts";
import { PAGE, startWorker, type Worker, type WorkerOptions } from "./_workerd.ts";

async function open(t: TestContext, options: WorkerOptions): Promise<Worker> {
  const worker = await startWorker(options);
  t.after(() => worker.stop());
  return worker;
}

/** The program of the page, and GitHub. */
async function openPage(t: TestContext) {
  const [block, ...others] = readBlocks([PAGE]);
  assert.ok(block?.file && others.length === 0);
  return await openWithGitHub(t, { file: block.file, code: block.code });
}

async function openWithGitHub(
  t: TestContext,
  program: Pick<WorkerOptions, "file" | "code">,
) {
  const client = {
    clientId: "client-of-the-tests",
    clientSecret: "secret-of-the-tests",
  };
  const github = new CatalogueDouble(readEntry("github"), client);
  const env = {
    AUTH_GITHUB_ID: client.clientId,
    AUTH_GITHUB_SECRET: client.clientSecret,
  };
  const worker = await open(t, { ...program, env, world: github.fetch });
  const browser = (): Browser =>
    worker.browser().allow("https://github.com", (request) => {
      const { redirectUri, params } = github.consent(request.url);
      return Promise.resolve(Response.redirect(`${redirectUri}?${params}`));
    });
  return { worker, github, browser };
}

test("the program of the page for Cloudflare signs in with GitHub, remembers it and signs out", async (t) => {
  const { worker, github, browser: visit } = await openPage(t);
  const browser = visit();
  await browser.open("/");
  assert.equal(browser.html, "Hello stranger");
  await browser.open("/members/area");
  assert.equal(browser.url.pathname, "/auth/signin");
  await browser.submit({}, "/github");
  assert.deepEqual(github.missed, []);
  assert.equal(
    browser.url.href,
    `${worker.origin}/members/area`,
    worker.output(),
  );
  assert.match(browser.html, /^Hello (?!stranger)/);
  assert.ok((await browser.session())?.user?.email);
  await browser.signOut();
  assert.equal(await browser.session(), null);
  await browser.open("/");
  assert.equal(browser.html, "Hello stranger");
});

test("the program of the page for Cloudflare refuses what others have made", async (t) => {
  const { worker, browser: visit } = await openPage(t);
  const browser = visit();
  await browser.signIn("github", {}, { callbackUrl: "https://evil.example/" });
  assert.equal(browser.url.origin, worker.origin);
  const known = browser.cookies.headerFor(new URL(worker.origin), {
    sameSite: true,
    safe: true,
  }) ?? "";
  const [, token = ""] = /authjs\.session-token=([^;]+)/.exec(known) ?? [];
  assert.ok(token);
  const ask = async (cookie: string) => {
    return await (await fetch(`${worker.origin}/auth/session`, {
      headers: { cookie },
    })).json();
  };
  assert.ok(await ask(`authjs.session-token=${token}`));
  const turned = (at: number) => token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1);
  for (
    const forged of [
      turned(token.length >> 1),
      turned(3),
      token.slice(0, -8),
      "e30.e30.e30.e30.e30",
      "",
    ]
  ) {
    assert.equal(await ask(`authjs.session-token=${forged}`), null, forged);
  }

  const other = visit();
  for (const fields of [{}, { csrfToken: "f".repeat(64) }]) {
    const { status, headers } = await other.post("/auth/signin/github", fields);
    assert.equal(status, 302);
    assert.ok(
      headers.get("location")?.startsWith(`${worker.origin}/auth/signin`),
      "it does not go on to GitHub",
    );
    await browser.post("/auth/signout", fields);
    assert.ok(await browser.session(), "somebody else signs nobody out");
  }
  const forged = await other.get(
    `/auth/callback/github?code=the-code-of-the-vendor&state=${"f".repeat(43)}`,
  );
  assert.match(forged.headers.get("location") ?? "", /\?error=/);
  assert.equal(await other.session(), null);
  for (
    const path of [
      "/%6dembers/",
      "/./members",
      "/MEMBERS/x",
      "/a/%2e%2e/members",
    ]
  ) {
    await other.open(path);
    assert.equal(other.url.pathname, "/auth/signin", path);
  }
});

test("Hono in workerd signs in, and gives no guarded body to targets of strangers", async (t) => {
  const { worker, browser: visit } = await openWithGitHub(t, {
    file: "hono.js",
  });
  const browser = await visit().signIn("github", {}, {
    callbackUrl: `${worker.origin}/members/area`,
  });
  assert.equal(browser.html, "For members only");
  await browser.open("/");
  assert.match(browser.html, /^Hello (?!stranger)/);
  const port = Number(new URL(worker.origin).port);
  assert.match(await ask(port, "/"), /^HTTP\/1\.1 200 [^]*Hello stranger/);
  for (const target of TARGETS) {
    const answer = await within(20, target, ask(port, target));
    assert.doesNotMatch(answer, /For members only/, target);
    assert.doesNotMatch(answer, /^HTTP\/1\.1 50[0-4]/, target);
  }
});

/** Makes a place where a request waits, and tells when it has come there. */
function makeWait() {
  const came = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  return {
    came: came.promise,
    go: open.resolve,
    async stop() {
      came.resolve();
      await open.promise;
    },
  };
}

test("a worker in workerd with passkeys and an OpenID Provider", async (t) => {
  const maker = await makeMaker();
  const issuer = createIssuer({ now: () => Date.now() / 1000 });
  issuer.claim({ email: "grace@example.com" });
  const env = { ROOT: btoa(String.fromCharCode(...maker.der)) };
  const worker = await open(t, { file: "full.js", env, world: issuer.fetch });

  await t.test("passkeys register and sign in, also with the certificate of a maker", async () => {
    await takeTour((request) => fetch(request), worker.origin, maker);
  });

  const { origin } = worker;
  const visit = (): Browser =>
    worker.browser().allow(issuer.url, async (request) => {
      const { redirectUri, params } = await issuer.consent(request.url);
      return Response.redirect(`${redirectUri}?${params}`);
    });
  const signsIn = async (): Promise<void> => {
    const browser = await visit().signIn("idp", {}, {
      callbackUrl: `${origin}/auth/signout`,
    });
    assert.ok(await browser.session(), `${browser.url}: ${worker.output()}`);
  };
  const cookieOf = (browser: Browser): string => {
    return browser.cookies.headerFor(new URL(`${origin}/auth/callback/idp`), {
      sameSite: true,
      safe: true,
    }) ?? "";
  };
  /** Somebody leaves while the worker asks the provider for something. Another one is there then, and one comes later. */
  const leaveAt = async (
    endpoint: Endpoint,
    request: Request,
  ): Promise<void> => {
    const wait = makeWait();
    issuer.override(
      endpoint,
      async (_, honest) => (await wait.stop(), await honest()),
      1,
    );
    const beside = wait.came.then(signsIn);
    await worker.leave(
      request,
      wait.came.then(() => new Promise((wake) => setTimeout(wake, 100))),
    );
    const both = Promise.all([beside, signsIn()]);
    await within(20, "others", both).finally(wait.go);
  };

  await t.test("who leaves while metadata is loaded keeps nobody from signing in", async () => {
    const browser = visit();
    const body = new URLSearchParams({ csrfToken: await browser.csrf() });
    const headers = { cookie: cookieOf(browser), origin };
    await leaveAt(
      "discovery",
      new Request(`${origin}/auth/signin/idp`, {
        method: "POST",
        headers,
        body,
      }),
    );
  });

  await t.test("who leaves while keys are loaded keeps nobody from signing in", async () => {
    issuer.rotate();
    const browser = visit();
    const started = await browser.post("/auth/signin/idp", {
      csrfToken: await browser.csrf(),
    });
    const { params } = await issuer.consent(
      started.headers.get("location") ?? "",
    );
    const headers = { cookie: cookieOf(browser) };
    await leaveAt(
      "jwks",
      new Request(`${origin}/auth/callback/idp?${params}`, { headers }),
    );
  });
});
