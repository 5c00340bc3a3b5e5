import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { doctorCommand } from "../../../../cli/doctor/command.ts";
import { runCommand } from "../../../../cli/main.ts";
import type { Answer, AskRuntime, Failure } from "../../../../cli/doctor/ask.ts";
import { CHECKS, judge } from "../../../../cli/doctor/checks.ts";
import { cookieHeader, readCookies, roleOf } from "../../../../cli/doctor/cookies.ts";
import { isInner, type Observed } from "../../../../cli/doctor/observed.ts";
import { verdictOf } from "../../../../cli/doctor/verdict.ts";
import { systemRuntime } from "../../../../src/kernel/runtime.ts";
import { CANARIES, put, SHOP, startDoctorSite } from "../../../_support/doctor_site.ts";

describe("the command doctor", () => {
  test("ends with 0 where all is well, 1 with errors and 3 with warnings, and says so in its help", async () => {
    const ends = async (lies: Parameters<typeof startDoctorSite>[0]) => {
      const site = await startDoctorSite(lies);
      const { code } = await doctorCommand([SHOP, "--timeout", "2"], { runtime: site.runtime });
      await site.close();
      return code;
    };
    assert.equal(await ends({}), 0);
    assert.equal(await ends({ config: { providers: [] } }), 0, "a note");
    assert.equal(await ends({ answer: (answer) => put(answer, "content-security-policy", null) }), 3);
    assert.equal(await ends({ answer: (answer) => put(answer, "date", "Thu, 01 Jan 2015 00:00:00 GMT") }), 1);
    const { code, output } = await runCommand(["doctor", "--help"]);
    assert.equal(code, 0);
    assert.match(output, /0 {3}sound[^]*1 {3}errors[^]*2 {3}an argument is wrong[^]*3 {3}warnings/);
    for (const line of output.split("\n")) assert.ok(line.length <= 80, line);
  });

  test("ends with 2 and one sentence for arguments that it cannot use, and sends nothing", async () => {
    const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
      [[], /^Name the site: npx @x\/auth doctor https:\/\/example\.com\n/],
      [["https://a.example", "https://b.example"], /^Name one site only\n/],
      [["ftp://a.example"], /^Cannot read the URL: write it as https:/],
      [["https://"], /^Cannot read the URL/],
      [["https://user:canary@a.example"], /^Cannot use the URL: leave out the user and the password\n/],
      [["https://a.example", "--http", "nonsense://x"], /^Cannot read the URL/],
      [["https://a.example", "--timeout", "0"], /^Cannot wait so long: --timeout is 0\.1 to 60 seconds\n/],
      [["https://a.example", "--timeout", ""], /--timeout/],
      [["https://a.example", "--timout", "1"], /--timout/],
    ];
    for (const [args, says] of wrong) {
      const { code, output, error } = await runCommand(["doctor", ...args]);
      assert.deepEqual([code, output], [2, ""], args.join(" "));
      assert.match(error, says);
      assert.match(error, /\nSee npx @x\/auth doctor --help\n$/);
      assert.doesNotMatch(error, /canary/);
    }
  });

  test("writes an object a line for programs, with a version and a kind", async () => {
    const site = await startDoctorSite({ answer: (answer) => put(answer, "x-content-type-options", null) });
    const { output } = await doctorCommand([SHOP, "--json"], { runtime: site.runtime });
    await site.close();
    const lines = output.trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(lines, [
      { version: 1, kind: "site", site: SHOP, basePath: "/auth", requests: 20 },
      { version: 1, kind: "callback", provider: "id", url: `${SHOP}/auth/callback/id` },
      {
        version: 1,
        kind: "finding",
        id: "nosniff",
        level: "warning",
        says: "An answer has no `X-Content-Type-Options: nosniff`: /auth/session, /auth/providers, /auth/signin",
        fix: "Let the proxy pass it on, or send it with every answer",
      },
      { version: 1, kind: "end", errors: 0, warnings: 1, notes: 0 },
    ]);
  });

  test("writes colours and its progress only where it is told to", async () => {
    const site = await startDoctorSite({ answer: (answer) => put(answer, "x-content-type-options", null) });
    const told: string[] = [];
    const progress = (requests: number, what: string) => void told.push(`${requests} ${what}`);
    const colored = await doctorCommand([SHOP], { runtime: site.runtime, hasColors: true, progress });
    const plain = await doctorCommand([SHOP, "--no-providers"], { runtime: site.runtime });
    await site.close();
    assert.ok(colored.output.includes("\u001b[33mwarning\u001b[0m nosniff"));
    assert.ok(!plain.output.includes("\u001b"));
    assert.equal(told.length, 20);
    assert.equal(told[0], `1 ${SHOP}/`);
    assert.doesNotMatch(told.join(), /\?|state=/);
    const there = site.requests.filter(({ origin }) => origin !== SHOP && origin !== "http://shop.example");
    assert.equal(there.length, 1, "only without --no-providers");
  });

  test("asks by https where no scheme is given, by http on this machine, and finds the path in a URL of a page", async () => {
    const asked: string[] = [];
    const runtime: AskRuntime = {
      ...systemRuntime,
      fetch: (input) => (asked.push(String(input)), Promise.reject(new TypeError("connection refused"))),
    };
    for (const url of ["shop.example", "localhost:3000", "https://shop.example/api/v2/auth/signin?token=canary"]) {
      asked.length = 0;
      const { code, output } = await doctorCommand([url], { runtime });
      assert.equal(code, 1);
      assert.match(output, /nothing listens there/);
      assert.doesNotMatch(output, /canary/);
      assert.equal(asked[0], url.startsWith("localhost") ? "http://localhost:3000/" : "https://shop.example/");
      if (url.includes("/api")) assert.ok(asked.includes("https://shop.example/api/v2/auth/providers"));
    }
  });

  test("never prints what is secret, whatever is wrong", async () => {
    const site = await startDoctorSite({
      answer: (answer) => {
        answer.headers.push(["location", `${SHOP}/?code=canary-code&token=canary-token`]);
        if (answer.status === 302) answer.status = 307;
      },
    });
    const { output } = await doctorCommand([SHOP, "--json"], { runtime: site.runtime });
    await site.close();
    for (const text of [...Object.values(CANARIES), "canary", ...site.values]) {
      if (text.length > 8 || text === "canary") assert.ok(!output.includes(text), text);
    }
  });
});

const answer = (url: string, rest: Partial<Answer> = {}): Answer => ({
  kind: "answer",
  url: new URL(url),
  status: 200,
  headers: new Headers(),
  cookies: [],
  body: "",
  isCut: false,
  seconds: 0,
  ahead: 0,
  ...rest,
});

const seen = (rest: Partial<Observed>): Observed => ({
  site: new URL(SHOP),
  isLocal: false,
  home: { steps: [answer(SHOP)], failure: null, end: "answer", elsewhere: null },
  plain: null,
  bases: ["/auth"],
  base: "/auth",
  replies: {},
  signIn: null,
  providers: [],
  starts: [],
  inner: null,
  ...rest,
});

const idsOf = (rest: Partial<Observed>): string[] => judge(seen(rest)).map(({ id }) => id);

describe("judge()", () => {
  test("says what is wrong with a certificate, with http, and with an address", () => {
    const failure: Failure = { kind: "failure", url: new URL(SHOP), why: "certificate", says: "" };
    assert.deepEqual(idsOf({ home: { steps: [], failure, end: "failure", elsewhere: null }, base: null }), [
      "certificate",
    ]);
    const site = new URL("http://203.0.113.5");
    const callbackUrl = new URL("http://203.0.113.5/auth/callback/passkey");
    const providers = [{ id: "passkey", type: "webauthn", callbackUrl, signinUrl: null }];
    assert.deepEqual(idsOf({ site, providers }), ["plain-http", "site-by-address"]);
    const home = {
      ...seen({}).home,
      steps: [
        answer(site.href, { cookies: readCookies(["__Secure-authjs.x=1; Secure; HttpOnly; SameSite=Lax; Path=/"]) }),
      ],
    };
    assert.deepEqual(idsOf({ site, home }), ["plain-http", "cookie-on-http"]);
  });

  test("names five details at most, and says how many more there are", () => {
    const steps = Array.from({ length: 9 }, (_, at) => answer(`${SHOP}/p${at}`, { status: 500 }));
    const [first] = judge(seen({ home: { steps, failure: null, end: "answer", elsewhere: null } }));
    assert.match(first?.says ?? "", /500 at \/p4, and 4 more$/);
  });

  test("lists what the site says of itself, and hides what looks like a secret in it", () => {
    const inner = [{ id: "weak-secret", level: "warning" as const, says: `short ${"a1B2".repeat(12)}` }];
    const found = judge(seen({ inner })).filter(({ id }) => id === "weak-secret");
    assert.deepEqual(found.map(({ level, says }) => [level, says.includes("a1B2")]), [["warning", false]]);
    assert.ok(idsOf({ inner: "refused" }).includes("code-refused"));
  });

  test("has a name, a title and a remedy for each check, and no name twice", () => {
    const ids = CHECKS.map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)]);
    for (const { id, title, fix } of CHECKS) {
      assert.match(id, /^[a-z][a-z-]+$/);
      assert.match(title, /^[A-Z].*[^.]$/, id);
      assert.match(fix, /^[A-Z`_].*[^.]$/, id);
      assert.doesNotMatch(fix.replaceAll(/\{(?:site|base|path)\}/g, ""), /[{}]/, id);
    }
  });
});

describe("readCookies()", () => {
  test("reads attributes in any case, and says which line a browser reads in another way", () => {
    const [cookie, joined, dated, nameless] = readCookies([
      "a=b=c; PATH=/; secure ; Max-Age=5",
      "a=1; Path=/, b=2; Path=/",
      "a=1; Expires=Thu, 01 Jan 2026 00:00:00 GMT; Path=/",
      "nothing",
    ]);
    assert.deepEqual([cookie?.name, cookie?.value, [...cookie?.attributes ?? []]], [
      "a",
      "b=c",
      [["path", "/"], ["secure", ""], ["max-age", "5"]],
    ]);
    assert.deepEqual([cookie, joined, dated, nameless].map((each) => each?.fault), [
      null,
      "joined",
      null,
      "unreadable",
    ]);
  });

  test("gives back what is kept, and neither what was removed nor what is no text", () => {
    const lines = [
      "a=1",
      "b=2; Max-Age=0",
      "c=3; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
      "d=\u00e9",
      "a=4",
      `e=${"x".repeat(9000)}`,
    ];
    assert.equal(cookieHeader(readCookies(lines)), "a=4");
  });

  test("knows the cookies of the service by their names", () => {
    const names = [
      "__Host-authjs.csrf-token",
      "__Secure-next-auth.state",
      "authjs.pkce.code_verifier",
      "sid",
      "xauthjs.a",
    ];
    assert.deepEqual(names.map(roleOf), ["csrf-token", "state", "pkce.code_verifier", null, null]);
  });
});

describe("isInner()", () => {
  test("knows this machine, networks of one's own, and names without a dot", () => {
    const inner = [
      "localhost",
      "a.localhost",
      "127.0.0.1",
      "10.1.2.3",
      "172.16.0.1",
      "172.31.9.9",
      "192.168.0.1",
      "100.64.0.1",
    ]
      .concat(
        "169.254.169.254",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[fd00::1]",
        "[fe80::1]",
        "[::ffff:a00:1]",
        "printer",
        "db.internal",
      );
    const outer = [
      "example.com",
      "172.15.0.1",
      "172.32.0.1",
      "100.63.0.1",
      "11.0.0.1",
      "[2001:db8::1]",
      "10.example.com",
    ];
    assert.deepEqual(inner.filter((host) => !isInner(host)), []);
    assert.deepEqual(outer.filter(isInner), []);
  });
});

describe("verdictOf()", () => {
  const verdict = (body: string, status = 400, url = "https://id.example/authorize") => {
    const walk = { steps: [answer(url, { body, status })], failure: null, end: "answer" as const, elsewhere: null };
    return verdictOf({ walk, to: new URL("https://id.example/authorize") });
  };

  test("reads the words of providers", () => {
    const cases: readonly (readonly [string, ReturnType<typeof verdictOf>])[] = [
      ["redirect_uri_mismatch", "redirect-uri"],
      [
        "The redirect_uri MUST match the registered callback URL for this application: it does not match",
        "redirect-uri",
      ],
      ["Invalid redirect URI.", "redirect-uri"],
      ["redirect_uri did not match any of the client's registered redirect_uris", "redirect-uri"],
      [
        "The 'redirect_uri' parameter must be a Login redirect URI in the client app settings: not allowed",
        "redirect-uri",
      ],
      ["URL blocked: this redirect failed because the redirect URI is not whitelisted", "redirect-uri"],
      ["unknown client", "client"],
      ["invalid_client: client is invalid", "client"],
      ["The client_id parameter is invalid", "client"],
      ["Application with identifier 'x' was not found: unknown application", "client"],
      ["invalid_scope", "scope"],
      ["The requested scope is invalid, unknown, or malformed: scope not allowed", "scope"],
      ["something else", "request"],
    ];
    for (const [body, expected] of cases) assert.equal(verdict(body), expected, body);
  });

  test("says nothing of a page to sign in, of a refusal of programs, and of words in scripts", () => {
    assert.equal(verdict("invalid redirect_uri", 200), null);
    assert.equal(verdict("<title>Just a moment</title>", 403), null);
    assert.equal(verdict("slow down", 429), null);
    assert.equal(verdict("<script>'invalid redirect_uri'</script><p>No</p>", 403), null);
    assert.equal(verdictOf({ walk: null, to: null }), null);
  });
});
