import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { CompactEncrypt } from "jose/jwe/compact/encrypt";
import { runCommand } from "../../../../cli/main.ts";
import { sessionCommand } from "../../../../cli/session/command.ts";
import { examineSession } from "../../../../cli/session/inspect.ts";
import type { SessionFinding, SessionOptions } from "../../../../cli/session/report.ts";
import { hkdf } from "../../../../src/crypto/keys.ts";
import { createSealer } from "../../../../src/crypto/seal.ts";
import { systemRuntime } from "../../../../src/kernel/runtime.ts";

const SECRET = "canary-secret-of-more-than-32-characters";
const NAME = "authjs.session-token";
const NOW = Date.parse("2026-01-31T12:00:00Z");

const runtimeAt = (now: number) => ({ ...systemRuntime, now: () => now });

const envOf = (env: Readonly<Record<string, string>>) => ({ env: (name: string) => env[name], now: () => NOW });

interface Sealing {
  readonly secret?: string;
  readonly salt?: string;
  readonly at?: number;
  readonly maxAge?: number;
}

function seal(claims: object = {}, { secret = SECRET, salt = NAME, at = NOW, maxAge = 3600 }: Sealing = {}) {
  return createSealer([secret], runtimeAt(at)).seal({ sub: "42", auth_time: at / 1000, ...claims }, { salt, maxAge });
}

async function findingOf(text: string, options: SessionOptions = {}): Promise<SessionFinding> {
  const { cookies } = await examineSession(text, { secret: SECRET, ...options }, runtimeAt(NOW));
  assert.equal(cookies.length, 1, text.slice(0, 80));
  const [finding] = cookies;
  assert.ok(finding);
  return finding;
}

async function verdictOf(text: string, options?: SessionOptions): Promise<string> {
  const { verdict, says, fix } = await findingOf(text, options);
  assert.equal(fix === null, verdict === "opens");
  assert.doesNotMatch(`${says}${fix}`, /canary/);
  return verdict;
}

describe("examineSession()", () => {
  test("says who is in a session, since when and how long", async () => {
    const { claims, ...finding } = await findingOf(`Cookie: a=1; ${NAME}=${await seal({ name: "Ada" })}; b=2\r\n`);
    assert.deepEqual(finding, {
      name: NAME,
      parts: 1,
      verdict: "opens",
      says: "It opens with secret",
      fix: null,
      openedBy: "secret",
      issued: "2026-01-31T12:00:00.000Z",
      expires: "2026-01-31T13:00:00.000Z",
      row: null,
      notes: [],
    });
    assert.deepEqual([claims?.sub, claims?.name], ["42", "Ada"]);
  });

  test("reads a header with and without its name, lines of a response, and a value alone", async () => {
    const value = await seal();
    const [half, rest] = [value.slice(0, 100), value.slice(100)];
    for (
      const text of [
        `${NAME}=${value}`,
        `cookie:${NAME}=${value}`,
        `> Cookie: a=b\n> Cookie: ${NAME}=${value}`,
        `Set-Cookie: ${NAME}=${value}; Path=/; HttpOnly; SameSite=Lax`,
        `< set-cookie: ${NAME}=old; Path=/\n< set-cookie: ${NAME}=${value}; Path=/`,
        `${NAME}=${value}; Path=/; HttpOnly`,
        `Set-Cookie: ${NAME}.0=${half}; Path=/\nSet-Cookie: ${NAME}.1=${rest}\nSet-Cookie: ${NAME}=; Max-Age=0`,
        `  ${value}\n`,
      ]
    ) assert.equal(await verdictOf(text), "opens", text.slice(0, 60));
  });

  test("names the secret of the environment that opens it, and reads them as the service does", async () => {
    const env = {
      AUTH_SECRET: SECRET,
      AUTH_SECRET_1: "another secret of more than 32 characters",
      NEXTAUTH_SECRET: "x",
    };
    const by = async (secret: string) => {
      const text = await seal({}, { secret });
      return (await examineSession(text, {}, envOf(env))).cookies[0]?.openedBy;
    };
    assert.equal(await by(SECRET), "AUTH_SECRET");
    assert.equal(await by(env.AUTH_SECRET_1), "AUTH_SECRET_1");
    assert.equal(await by("x"), null);
    assert.equal((await findingOf(await seal(), { secret: ["newer", SECRET] })).openedBy, "secret[1]");
  });

  test("says why a cookie is refused", async () => {
    const value = await seal();
    const last = value.endsWith("A") ? "Q" : "A";
    const changed = `${value.slice(0, -20)}${value.at(-20) === "A" ? "B" : "A"}${value.slice(-19)}`;
    const cases: readonly (readonly [text: string, verdict: string, options?: SessionOptions])[] = [
      [`${NAME}=${await seal({}, { at: NOW - 7200_000 })}`, "expired"],
      [`${NAME}=${await seal({ nbf: NOW / 1000 + 60 })}`, "not-yet"],
      [`${NAME}=${await seal({}, { secret: "another" })}`, "other-secret"],
      [`${NAME}=${value}`, "other-secret", { secret: `"${SECRET}x"` }],
      [`__Secure-${NAME}=${value}`, "other-cookie"],
      [`mine=${value}`, "other-cookie", { cookie: "mine" }],
      [`${NAME}=${changed}`, "changed"],
      [`${NAME}=${value.slice(0, -9)}`, "changed"],
      [`${NAME}=${value.slice(0, 200)}`, "changed"],
      [`${NAME}=${value}${last}`, "changed"],
      [`${NAME}=${value}; ${NAME}=${value}`, "twins"],
      [`${NAME}.1=${value.slice(100)}`, "incomplete"],
      [`${NAME}.0=${value.slice(0, 90)}; ${NAME}.2=${value.slice(180)}`, "incomplete"],
      [`${NAME}.0=${value.slice(0, 90)}; ${NAME}.1=${value.slice(90, 180)}`, "incomplete"],
      [`Set-Cookie: ${NAME}=; Max-Age=0`, "empty"],
      [`${NAME}=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.AAAA`, "signed"],
      [`${NAME}=nonsense`, "unreadable"],
      [`${NAME}=${"a.".repeat(2000)}`, "unreadable"],
      [`${NAME}=${crypto.randomUUID()}`, "stored"],
      [`better-auth.session_token=${"a".repeat(32)}.${"b".repeat(43)}%3D`, "better-auth"],
      [`${"a".repeat(32)}.${"b".repeat(43)}=`, "better-auth"],
    ];
    for (const [text, verdict, options] of cases) {
      assert.equal(await verdictOf(text, options), verdict, `${verdict}: ${text.slice(0, 80)}`);
    }
  });

  test("sees that the secret has quotes around it, here or there", async () => {
    const { verdict, says } = await findingOf(await seal(), { secret: `"${SECRET}"` });
    assert.equal(verdict, "other-secret");
    assert.match(says, /without the spaces or quotes/);
  });

  test("opens a cookie of next-auth 4, and says what it takes", async () => {
    const key = await hkdf(SECRET, { salt: "", info: "NextAuth.js Generated Encryption Key", bits: 256 });
    const claims = JSON.stringify({ sub: "42", exp: NOW / 1000 + 60 });
    const value = await new CompactEncrypt(new TextEncoder().encode(claims))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" }).encrypt(key);
    const { verdict, fix, claims: found } = await findingOf(`next-auth.session-token=${value}`);
    assert.deepEqual([verdict, found?.sub], ["next-auth-v4", "42"]);
    assert.match(fix ?? "", /nextAuthV4\(\)/);
    assert.equal(await verdictOf(`next-auth.session-token=${value}`, { secret: "another" }), "other-secret");
  });

  test("hides what looks like a token, unless it is told to show it", async () => {
    const id = crypto.randomUUID();
    const text = await seal({
      sub: id,
      accessToken: "canary",
      note: "a1B2".repeat(12),
      deep: { refresh_token: "canary" },
    });
    const hidden = await findingOf(text);
    assert.equal(hidden.claims?.sub, id);
    assert.doesNotMatch(JSON.stringify(hidden), /canary|a1B2/);
    assert.match(JSON.stringify(await findingOf(text, { show: true })), /canary.*a1B2.*canary/);
  });

  test("says which row a session has, and that Auth.js has made one", async () => {
    const id = crypto.randomUUID();
    const own = await findingOf(await seal({ auth_session: `${id}.1700000000` }));
    assert.equal(own.row, `sealed:${id}`);
    assert.match(own.notes.join(), /its row/);
    assert.match((await findingOf(await seal({ auth_time: undefined }))).notes.join(), /Auth\.js/);
  });

  test("lists other cookies by their names only, and ignores parts beside a whole value", async () => {
    const report = await examineSession("theme=canary; sid=canary", { secret: SECRET });
    assert.deepEqual(report, { version: 1, cookies: [], others: ["theme", "sid"] });
    assert.match((await findingOf(`${NAME}=${await seal()}; ${NAME}.0=x`)).notes.join(), /1 parts? of another value/);
  });
});

describe("the command session", () => {
  const run = (
    text: string,
    args: readonly string[] = [],
    env: Readonly<Record<string, string>> = { AUTH_SECRET: SECRET },
  ) => sessionCommand(args, () => Promise.resolve(text), envOf(env));

  test("ends with 0 for a session, 1 for what is refused, and 3 for what a secret cannot tell", async () => {
    assert.equal((await run(await seal())).code, 0);
    assert.equal((await run(`${NAME}=x`)).code, 1);
    assert.equal((await run("theme=dark")).code, 1);
    assert.equal((await run(`${NAME}=${crypto.randomUUID()}`)).code, 3);
    assert.equal((await run(`${NAME}=${crypto.randomUUID()}; __Secure-${NAME}=x`)).code, 1);
    assert.equal((await run(`${NAME}=${crypto.randomUUID()}`, [], {})).code, 3, "needs no secret");
  });

  test("prints lines for people", async () => {
    const text = await seal({ name: "Ada", auth_time: undefined, sub: undefined }, { at: NOW - 3 * 60_000 });
    const { output } = await run(`${NAME}=${text}`);
    assert.deepEqual(output.split("\n").filter((line) => !/jti|iat|exp:|Auth\.js|all the same/.test(line)), [
      `${NAME}: opens`,
      "  It opens with AUTH_SECRET.",
      "  Issued: 2026-01-31T11:57:00.000Z, 3 minutes ago",
      "  Expires: 2026-01-31T12:57:00.000Z, in 57 minutes",
      '  name: "Ada"',
      "",
    ]);
  });

  test("prints one object for programs", async () => {
    const { output } = await run(await seal({ name: "\u202eAda\u001b" }), ["--json", "--show"]);
    assert.match(output, /^[^\n]*\n$/);
    const { version, cookies } = JSON.parse(output);
    assert.deepEqual([version, cookies[0].verdict, cookies[0].claims.name], [1, "opens", "\u202eAda\u001b"]);
    // deno-lint-ignore no-control-regex -- control characters are what must not be there
    assert.doesNotMatch(output.trimEnd(), /[\u0000-\u001f\u202e]/);
  });

  test("prints neither a secret nor a control character, whatever it is given", async () => {
    const value = await seal({ name: "\u001b[31mred\u202e\n", "\u001bclaim": "\u009b" });
    for (const args of [[], ["--show"], ["--json"], ["--json", "--show"], ["--cookie", "a\u001b"]]) {
      for (const text of [`${NAME}=${value}`, `x\u001b[2J=1; \u202ey=2`, `${NAME}=${SECRET}`, `${NAME}="${SECRET}"`]) {
        const { output } = await run(text, args);
        assert.ok(!output.includes(SECRET));
        // deno-lint-ignore no-control-regex -- control characters are what must not be there
        assert.doesNotMatch(output.replaceAll("\n", ""), /[\u0000-\u001f\u007f-\u009f\u202e]/);
      }
    }
  });

  test("ends with 2 and one sentence without a secret, without a cookie, with too much, and with a cookie as argument", async () => {
    const wrong: readonly (readonly [run: () => Promise<unknown>, says: RegExp])[] = [
      [
        () => seal().then((value) => run(value, [], {})),
        /^There is no secret: set the variable AUTH_SECRET .*--allow-env=/,
      ],
      [() => run("  \n"), /^Give the session cookie on the standard input/],
      [() => run("x".repeat(40_000)), /^Cannot read more than 32 KiB/],
    ];
    for (const [each, says] of wrong) {
      await assert.rejects(each, (error: Error) => error.name === "InvalidConfig" && says.test(error.message));
    }
    for (const args of [["canary"], ["--secret=canary"], ["--nmae", "x"], []]) {
      const { code, output, error } = await runCommand(["session", ...args]);
      assert.deepEqual([code, output], [2, ""], args.join(" "));
      assert.match(error, /^[^\n]+\nSee npx @x\/auth session --help\n$/);
      assert.doesNotMatch(error, /canary/);
    }
  });

  test("has a help of 80 columns", async () => {
    for (const name of ["session", "test-session"]) {
      const { code, output } = await runCommand([name, "--help"]);
      assert.equal(code, 0);
      for (const line of output.split("\n")) assert.ok(line.length <= 80, line);
    }
  });
});
