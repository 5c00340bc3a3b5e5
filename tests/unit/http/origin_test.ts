import assert from "node:assert/strict";
import { test } from "node:test";
import { hostProblem, type HostTrust, isFromOwnSite, publicUrl } from "../../../src/http/origin.ts";

interface Row {
  readonly name: string;
  readonly at?: string;
  readonly origin?: string;
  readonly trustHost?: HostTrust;
  readonly host?: string;
  readonly proto?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url: string;
}

const ROWS: readonly Row[] = [
  { name: "the request's own URL", url: "http://inner.test/auth/session?x=1" },
  { name: "the configured origin", origin: "https://app.test", url: "https://app.test/auth/session?x=1" },
  {
    name: "the configured origin over a proxy's word",
    origin: "https://app.test",
    host: "evil.test",
    proto: "http",
    url: "https://app.test/auth/session?x=1",
  },
  {
    name: "the configured http origin over https",
    at: "https://inner.test/x",
    origin: "http://app.test",
    url: "http://app.test/x",
  },
  { name: "the proxy's host and protocol", host: "app.test", proto: "https", url: "https://app.test/auth/session?x=1" },
  { name: "the proxy's host", host: "app.test:8443", url: "http://app.test:8443/auth/session?x=1" },
  { name: "the proxy's protocol", proto: "https", url: "https://inner.test/auth/session?x=1" },
  { name: "the proxy's protocol in upper case", proto: "HTTPS", url: "https://inner.test/auth/session?x=1" },
  {
    name: "no proxy's word without trust",
    trustHost: "none",
    host: "app.test",
    proto: "https",
    url: "http://inner.test/auth/session?x=1",
  },
  {
    name: "no proxy's word where only loopback is trusted",
    at: "http://localhost:3000/x",
    trustHost: "loopback",
    host: "evil.test",
    proto: "https",
    url: "http://localhost:3000/x",
  },
  {
    name: "no proxy's word where only loopback is trusted, of another port either",
    at: "http://localhost:3000/x",
    trustHost: "loopback",
    host: "localhost:4000",
    url: "http://localhost:3000/x",
  },
  { name: "no list of hosts", host: "app.test, evil.test", url: "http://inner.test/auth/session?x=1" },
  { name: "no list of protocols", proto: "https,http", url: "http://inner.test/auth/session?x=1" },
  {
    name: "the protocol beside a list of hosts",
    host: "a.test,b.test",
    proto: "https",
    url: "https://inner.test/auth/session?x=1",
  },
  {
    name: "the host beside a list of protocols",
    host: "app.test",
    proto: "https,http",
    url: "http://app.test/auth/session?x=1",
  },
  {
    name: "no protocol but http and https",
    host: "app.test",
    proto: "javascript",
    url: "http://app.test/auth/session?x=1",
  },
  {
    name: "https although the proxy says http",
    at: "https://inner.test/x",
    proto: "http",
    url: "https://inner.test/x",
  },
  {
    name: "https although the proxy says http with a host",
    at: "https://inner.test/x",
    host: "app.test",
    proto: "http",
    url: "https://app.test/x",
  },
  { name: "the proxy's IPv6 host", host: "[::1]:8000", url: "http://[::1]:8000/auth/session?x=1" },
  {
    name: "no headers of other names",
    headers: {
      "forwarded": "host=evil.test",
      "x-host": "evil.test",
      "x-original-url": "/evil",
      "x-rewrite-url": "/evil",
      "x-forwarded-server": "evil.test",
      "x-forwarded-port": "1",
    },
    url: "http://inner.test/auth/session?x=1",
  },
  {
    name: "a path of two slashes as a path",
    at: "http://inner.test//evil.test/x",
    origin: "https://app.test",
    url: "https://app.test//evil.test/x",
  },
  {
    name: "a path of two slashes behind a proxy",
    at: "http://inner.test//evil.test",
    host: "app.test",
    url: "http://app.test//evil.test",
  },
  {
    name: "the path still encoded",
    at: "http://inner.test/%2f%2e%2e/%61?a=%20",
    origin: "https://app.test",
    url: "https://app.test/%2f%2e%2e/%61?a=%20",
  },
];

for (
  const { name, at = "http://inner.test/auth/session?x=1", origin = null, trustHost = "any", host, proto, headers, url }
    of ROWS
) {
  test(`publicUrl() takes ${name}`, () => {
    const request = new Request(at, {
      headers: { ...headers, ...(host && { "x-forwarded-host": host }), ...(proto && { "x-forwarded-proto": proto }) },
    });
    assert.equal(publicUrl(request, { origin, trustHost }).href, url);
  });
}

const JUNK_HOSTS = [
  "evil.test/path",
  "user@evil.test",
  "app.test?x",
  "app.test#x",
  "app.test\\evil.test",
  "app test",
  "app.test:99999",
  "app.test:",
  "app.test:80a",
  ":80",
  ".",
  "..",
  "a..b",
  "http://evil.test",
  "[::1",
  "[zz]",
  "%65vil.test",
  "app.test%00",
  "ⓔvil.test",
  "<script>",
];

for (const host of JUNK_HOSTS) {
  test(`publicUrl() keeps its own host when a proxy says ${JSON.stringify(host)}`, () => {
    // A header cannot carry every character; what it cannot carry never arrives.
    const headers = { get: (name: string) => name === "x-forwarded-host" ? host : null };
    const request = { url: "http://inner.test/x", headers } as unknown as Request;
    assert.equal(publicUrl(request, { origin: null, trustHost: "any" }).href, "http://inner.test/x");
  });
}

const SITES = [null, "same-origin", "none", "same-site", "cross-site", "SAME-ORIGIN", "", "same-origin, cross-site"];
const ORIGINS = [
  null,
  "https://app.test",
  "null",
  "",
  "https://evil.test",
  "http://app.test",
  "https://app.test:8443",
  "https://sub.app.test",
  "https://app.test.evil.test",
  "HTTPS://APP.TEST",
  "https://app.test/",
];
const OURS = new Set([null, "same-origin", "none"].flatMap((site) => [`${site} null`, `${site} https://app.test`]));

for (const site of SITES) {
  for (const origin of ORIGINS) {
    const passes = OURS.has(`${site} ${origin === null ? "null" : origin}`) && origin !== "null";
    test(`isFromOwnSite() ${passes ? "accepts" : "refuses"} Sec-Fetch-Site ${site ?? "absent"} with Origin ${origin ?? "absent"}`, () => {
      const headers = new Headers();
      if (site !== null) headers.set("sec-fetch-site", site);
      if (origin !== null) headers.set("origin", origin);
      assert.equal(isFromOwnSite(headers, "https://app.test"), passes);
    });
  }
}

/** Hosts as they may be written, and whether they lead back to this machine. */
const HOSTS: readonly (readonly [host: string, isLoopback: boolean])[] = [
  ["localhost", true],
  ["localhost:8000", true],
  ["LOCALHOST", true],
  ["LocalHost:3000", true],
  ["localhost.", true],
  ["app.localhost", true],
  ["a.b.localhost:81", true],
  ["evil.test.localhost", true],
  ["127.0.0.1", true],
  ["127.0.0.1:8000", true],
  ["127.1", true],
  ["127.255.255.254", true],
  ["0x7f.0.0.1", true],
  ["2130706433", true],
  ["0177.0.0.1", true],
  ["[::1]", true],
  ["[::1]:8000", true],
  ["[0:0:0:0:0:0:0:1]", true],
  ["localhost.evil.test", false],
  ["localhost.localdomain", false],
  ["evil-localhost", false],
  ["notlocalhost", false],
  ["localhostx", false],
  ["localhost..", false],
  ["localhost-", false],
  ["127.0.0.1.evil.test", false],
  ["127.0.0.1.nip.io", false],
  ["a127.0.0.1.test", false],
  ["128.0.0.1", false],
  ["126.255.255.255", false],
  ["0.0.0.0", false],
  ["[::]", false],
  ["[::2]", false],
  ["[::1:1]", false],
  ["[fe80::1]", false],
  ["[::ffff:127.0.0.1]", false],
  ["[::ffff:10.0.0.1]", false],
  ["10.0.0.1", false],
  ["192.168.0.1", false],
  ["169.254.169.254", false],
  ["evil.test", false],
  ["app", false],
  ["localhost.test", false],
];

for (const [host, isLoopback] of HOSTS) {
  test(`hostProblem() ${isLoopback ? "believes" : "does not believe"} the host ${host} where only loopback is`, () => {
    const url = new URL(`http://${host}/auth/signin`);
    assert.equal(hostProblem(url, { origin: null, trustHost: "loopback" }) === null, isLoopback);
    assert.equal(hostProblem(url, { origin: null, trustHost: "any" }), null);
    assert.equal(hostProblem(url, { origin: url.origin, trustHost: "loopback" }), null);
    assert.notEqual(hostProblem(url, { origin: null, trustHost: "none" }), null);
  });
}

test("hostProblem() names the host, not all of a long one, and both variables to set", () => {
  const problem = hostProblem(new URL(`http://${"a".repeat(60)}.${"b.".repeat(500)}test/`), {
    origin: null,
    trustHost: "loopback",
  });
  assert.equal(problem?.type, "UntrustedHost");
  assert.match(problem.message, /"aaa.*AUTH_URL.*AUTH_TRUST_HOST/);
  assert.ok(problem.message.length < 400);
});
