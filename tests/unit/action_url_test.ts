import assert from "node:assert/strict";
import { test } from "node:test";
import { createActionURL } from "../../src/action_url.ts";

interface Row {
  readonly name: string;
  readonly protocol?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly basePath?: string;
  readonly trustHost?: boolean;
  readonly url: string;
}

const HOST = { host: "inner.test" };

const ROWS: readonly Row[] = [
  {
    name: "the environment's origin with the configured path",
    env: { AUTH_URL: "https://app.test" },
    basePath: "/x",
    url: "https://app.test/x/session",
  },
  {
    name: "the environment's origin with its own path",
    env: { AUTH_URL: "https://app.test/api/auth" },
    url: "https://app.test/api/auth/session",
  },
  {
    name: "the configured path over the environment's",
    env: { AUTH_URL: "https://app.test/y" },
    basePath: "/x",
    url: "https://app.test/x/session",
  },
  {
    name: "/auth when the environment's path is /",
    env: { AUTH_URL: "https://app.test/" },
    url: "https://app.test/auth/session",
  },
  {
    name: "one slash when the environment's path ends in one",
    env: { AUTH_URL: "https://app.test/y/" },
    url: "https://app.test/y/session",
  },
  {
    name: "one slash when the configured path is /",
    env: { AUTH_URL: "https://app.test/y" },
    basePath: "/",
    url: "https://app.test/session",
  },
  {
    name: "one slash when the configured path ends in one",
    env: { AUTH_URL: "https://app.test" },
    basePath: "/x/",
    url: "https://app.test/x/session",
  },
  {
    name: "no path when the configured one is empty",
    env: { AUTH_URL: "https://app.test/y" },
    basePath: "",
    url: "https://app.test/session",
  },
  {
    name: "the environment over every header",
    env: { AUTH_URL: "https://app.test" },
    headers: { host: "a.test", "x-forwarded-host": "evil.test", "x-forwarded-proto": "http" },
    url: "https://app.test/auth/session",
  },
  { name: "the older variable", env: { NEXTAUTH_URL: "https://old.test/auth" }, url: "https://old.test/auth/session" },
  { name: "the host header", headers: HOST, url: "https://inner.test/auth/session" },
  {
    name: "the host header with its port",
    headers: { host: "inner.test:8000" },
    protocol: "http",
    url: "http://inner.test:8000/auth/session",
  },
  { name: "the protocol with a colon", headers: HOST, protocol: "http:", url: "http://inner.test/auth/session" },
  { name: "https when there is no protocol", headers: HOST, protocol: "", url: "https://inner.test/auth/session" },
  {
    name: "the proxy's host and protocol",
    headers: { ...HOST, "x-forwarded-host": "app.test", "x-forwarded-proto": "https" },
    env: { AUTH_TRUST_HOST: "true" },
    protocol: "http",
    url: "https://app.test/auth/session",
  },
  {
    name: "the proxy's host where the configuration trusts it",
    headers: { ...HOST, "x-forwarded-host": "app.test" },
    trustHost: true,
    url: "https://app.test/auth/session",
  },
  {
    name: "no proxy's host where nobody says that it is trusted",
    headers: { ...HOST, "x-forwarded-host": "evil.test", "x-forwarded-proto": "https" },
    protocol: "http",
    url: "http://inner.test/auth/session",
  },
  {
    name: "no proxy's host where the configuration does not trust it",
    headers: { ...HOST, "x-forwarded-host": "evil.test" },
    env: { AUTH_TRUST_HOST: "true" },
    trustHost: false,
    url: "https://inner.test/auth/session",
  },
  {
    name: "the proxy's host alone",
    headers: { "x-forwarded-host": "app.test" },
    env: { NODE_ENV: "development" },
    protocol: "http",
    url: "http://app.test/auth/session",
  },
  {
    name: "no list of protocols",
    headers: { ...HOST, "x-forwarded-proto": "https,http" },
    protocol: "http",
    url: "http://inner.test/auth/session",
  },
  {
    name: "no list of hosts",
    headers: { ...HOST, "x-forwarded-host": "a.test, b.test" },
    url: "https://inner.test/auth/session",
  },
  {
    name: "https although the proxy says http",
    headers: { ...HOST, "x-forwarded-proto": "http" },
    url: "https://inner.test/auth/session",
  },
  { name: "an empty variable for none", env: { AUTH_URL: "" }, headers: HOST, url: "https://inner.test/auth/session" },
];

for (const { name, protocol = "https", headers = {}, env = {}, basePath, trustHost, url } of ROWS) {
  test(`createActionURL() takes ${name}`, () => {
    const made = createActionURL(
      "session",
      protocol,
      new Headers(headers),
      env,
      { basePath, trustHost },
    );
    assert.equal(made.href, url);
  });
}

test("createActionURL() refuses to make a URL without a host", () => {
  const junk = ["", "a b", "/", "a/b", "a?b", "user@inner.test", "inner.test:x", "inner.test:99999"];
  for (const headers of [{}, { "x-forwarded-proto": "https" }, ...junk.map((host) => ({ host }))]) {
    assert.throws(() => createActionURL("session", "https", new Headers(headers), {}, {}), {
      name: "TypeError",
      message: "Cannot make the URL of an action: no host is known",
    });
  }
});

test("createActionURL() changes neither headers nor configuration", () => {
  const headers = new Headers({ host: "inner.test", cookie: "a=b" });
  createActionURL("signout", "https", headers, {}, Object.freeze({ basePath: "/x" }));
  assert.deepEqual([...headers], [["cookie", "a=b"], ["host", "inner.test"]]);
});
