/** Rows of the catalogue that no other test is about; titles begin with their ids. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, createAuth } from "@x/auth";
import type { Site } from "../_support/browser.ts";
import { ADA, password, recordLog, testConfig } from "../_support/service.ts";
import { ask, type Cookies, countRows, formToken, keep, ORIGIN } from "./_service.ts";

const rows = countRows("single rows");

const SESSION = "__Secure-authjs.session-token";

/** Signs somebody in, and gives the cookies of their browser. */
async function signIn(site: Site): Promise<Cookies> {
  const { csrfToken, cookies } = await formToken(site);
  return keep(await ask(site, "/auth/callback/credentials", { cookies, fields: { ...ADA, csrfToken } }), cookies);
}

const NOTHING: Readonly<Record<string, () => AuthConfig | Promise<AuthConfig>>> = {
  "no secret": () => testConfig({ secret: "" }),
  "a configuration that throws": () => {
    throw new Error("no configuration");
  },
  "a configuration that rejects": () => Promise.reject(new Error("no configuration")),
  "a configuration that is none": () => null as unknown as AuthConfig,
  "a host that nobody trusts": () => testConfig({ trustHost: false }),
  "a misspelt callback": () => testConfig({ callbacks: { signin: () => true } as AuthConfig["callbacks"] }),
  "a decoder that throws": () => testConfig({ jwt: { decode: () => Promise.reject(new Error("no")) } }),
  "a decoder that opens text": () => testConfig({ jwt: { decode: () => "text" as never } }),
  "a decoder that opens a list": () => testConfig({ jwt: { decode: () => [] as never } }),
  "a decoder that opens true": () => testConfig({ jwt: { decode: () => true as never } }),
  "callbacks.session that throws": () => testConfig({ callbacks: { session: () => Promise.reject(new Error("no")) } }),
  "callbacks.session that gives text": () => testConfig({ callbacks: { session: () => "text" as never } }),
  "callbacks.session that gives nothing": () => testConfig({ callbacks: { session: () => null as never } }),
  "callbacks.jwt that gives text": () => testConfig({ callbacks: { jwt: () => "text" as never } }),
};

for (const [name, config] of Object.entries(NOTHING)) {
  test(`V15: with ${name} nobody is signed in, and a guard lets nobody pass`, async () => {
    const cookies = await signIn(createAuth(testConfig()).handler);
    const { logger } = recordLog();
    const broken = createAuth(async () => {
      const made = await config();
      return made && { ...made, logger, callbacks: { authorized: ({ auth }) => auth !== null, ...made.callbacks } };
    });
    const headers = { cookie: `${SESSION}=${cookies[SESSION]}` };
    // Without a configuration the console is told, which is not what this is about.
    const { error, warn } = globalThis.console;
    Object.assign(globalThis.console, { error: () => {}, warn: () => {} });
    try {
      assert.equal(await broken.auth(new Request(ORIGIN, { headers })), null);
      const guarded = broken.auth(() => assert.fail("the handler ran"));
      const response = await guarded(new Request(`${ORIGIN}/private`, { headers }));
      assert.ok(response.status >= 300 && response.status !== 304, `${response.status}`);
      const shown = await ask(broken.handler, "/auth/session", { cookies, mayFail: true });
      const body = await shown.json();
      assert.ok(body === null || typeof body.message === "string", JSON.stringify(body));
    } finally {
      Object.assign(globalThis.console, { error, warn });
    }
    rows(3);
  });
}

/** The page shows again what was typed. It waits in a cookie that is encrypted, so no two are the same. */
const TYPED = /(?<=authjs\.failure=)[^;]+/;

test("V39: an answer does not tell whether somebody exists", async () => {
  const known = new Map([["ada", "right"]]);
  const { handler } = createAuth(testConfig({
    providers: [
      password({
        authorize: ({ username, password }) => known.get(String(username)) === password ? { id: "1" } : null,
      }),
    ],
  }));
  const { csrfToken, cookies } = await formToken(handler);
  const tell = async (username: string) => {
    const fields = { csrfToken, username, password: "wrong" };
    const response = await ask(handler, "/auth/callback/credentials", { cookies, fields });
    const headers = [...response.headers].map(([name, value]) => [name, value.replace(TYPED, "")]);
    return JSON.stringify([response.status, headers, await response.text()]);
  };
  const first = await tell("ada");
  for (const name of ["eve", "", "ADA", "ada ", "__proto__", "constructor", "a".repeat(1000), "é"]) {
    assert.equal(await tell(name), first, name);
    rows();
  }
});
