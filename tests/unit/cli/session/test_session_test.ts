import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { runCommand } from "../../../../cli/main.ts";
import { testSessionCommand } from "../../../../cli/session/command.ts";
import { testSession, type TestSessionOptions } from "../../../../cli/session/test_session.ts";
import { SECRET, testConfig } from "../../../_support/service.ts";

const runtimeOf = (env: Readonly<Record<string, string>>) => ({
  env: (name: string) => env[name],
  now: () => Date.now(),
});

const TEST = { NODE_ENV: "test", AUTH_SECRET: SECRET };

const run = (args: readonly string[], env: Readonly<Record<string, string>> = TEST) =>
  testSessionCommand(["--user", "ada@example.com", ...args], runtimeOf(env));

const make = (options: Partial<TestSessionOptions> = {}, env: Readonly<Record<string, string>> = TEST) =>
  testSession({ user: "ada@example.com", ...options }, runtimeOf(env));

async function sessionOf(auth: Pick<ReturnType<typeof createAuth>, "handler">, origin: string, cookie: string) {
  const answer = await auth.handler(new Request(`${origin}/auth/session`, { headers: { cookie } }));
  return await answer.json();
}

describe("testSession()", () => {
  test("makes a cookie that the service accepts, by http and by https, under any name", async () => {
    for (const url of ["http://localhost:3000", "https://localhost", "http://127.0.0.1:8080"]) {
      for (const cookie of [undefined, "mine"]) {
        const auth = createAuth(testConfig({ ...(cookie && { cookies: { sessionToken: { name: cookie } } }) }));
        const args = ["--url", url, "--name", "Ada", ...(cookie ? ["--cookie", cookie] : [])];
        const { code, output } = await run(args);
        assert.equal(code, 0);
        const { user, expires } = await sessionOf(auth, url, output.trim());
        assert.deepEqual([user.name, user.email], ["Ada", "ada@example.com"]);
        assert.ok(Date.parse(expires) > Date.now());
      }
    }
  });

  test("is a session of a stored user", async () => {
    const adapter = memoryAdapter();
    const user = await adapter.createUser?.({ id: "", name: "Ada", email: "ada@example.com", emailVerified: null });
    assert.ok(user);
    const auth = createAuth(testConfig({ adapter, session: { strategy: "jwt" } }));
    const { output } = await run(["--id", user.id]);
    const cookie = output.trim();
    assert.equal((await sessionOf(auth, "http://localhost:3000", cookie)).user.email, "ada@example.com");
  });

  test("signs with the newest secret, and lasts a day", async () => {
    const { cookies, expires } = await make({ secret: ["new and longer than 32 characters, too", SECRET] });
    const [cookie] = cookies;
    const auth = createAuth(testConfig());
    assert.equal(await sessionOf(auth, "http://localhost:3000", `${cookie?.name}=${cookie?.value}`), null);
    const hours = (Date.parse(expires) - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours <= 24);
  });

  test("refuses production, and every environment that does not say that it is a test", async () => {
    const wrong: readonly Readonly<Record<string, string>>[] = [
      { NODE_ENV: "production" },
      { DENO_ENV: "production" },
      { NODE_ENV: "production", DENO_ENV: "test" },
      { NODE_ENV: "test", DENO_ENV: "production" },
      { NODE_ENV: "staging" },
      { NODE_ENV: "development" },
      { NODE_ENV: "" },
      {},
      { NODE_ENV: "test", VERCEL: "1" },
      { NODE_ENV: "test", DENO_DEPLOYMENT_ID: "x" },
    ];
    for (const env of wrong) {
      await assert.rejects(
        make({}, { AUTH_SECRET: SECRET, ...env }),
        /^InvalidConfig: Cannot make a session/,
        JSON.stringify(env),
      );
    }
    for (const env of [{ NODE_ENV: "test" }, { DENO_ENV: "test" }]) {
      await make({}, { AUTH_SECRET: SECRET, ...env });
    }
  });

  test("refuses a site that is not on this machine, whether it is asked for or configured", async () => {
    for (
      const url of [
        "https://example.com",
        "http://localhost.example.com",
        "http://10.0.0.1",
        "ftp://localhost",
        "x",
        "",
      ]
    ) {
      await assert.rejects(make({ url }), /another machine: set --url/, url);
    }
    for (const AUTH_URL of ["https://example.com", "example.com"]) {
      await assert.rejects(make({}, { ...TEST, AUTH_URL }), /another machine: set AUTH_URL/);
      await assert.rejects(
        make({ url: "http://localhost:3000" }, { ...TEST, AUTH_URL }),
        /another machine: set AUTH_URL/,
      );
    }
    assert.equal(
      (await make({}, { ...TEST, AUTH_URL: "https://app.localhost:8443/auth" })).url,
      "https://app.localhost:8443",
    );
  });
});

describe("the command test-session", () => {
  test("writes what Playwright and Cypress read", async () => {
    const state = JSON.parse((await run(["--playwright", "--url", "https://localhost:8443"])).output);
    const [{ value, expires, ...cookie }] = state.cookies;
    assert.deepEqual([cookie, state.origins], [{
      name: "__Secure-authjs.session-token",
      domain: "localhost",
      path: "/",
      httpOnly: true,
      secure: true,
      sameSite: "Lax",
    }, []]);
    assert.ok(value.length > 100 && Number.isInteger(expires));
    const [{ name, options }] = JSON.parse((await run(["--cypress"])).output);
    assert.deepEqual([name, options.secure, options.sameSite, options.domain], [
      "authjs.session-token",
      false,
      "lax",
      "localhost",
    ]);
    assert.match((await run(["--header"])).output, /^authjs\.session-token=[\w.-]+\n$/);
    assert.equal(JSON.parse((await run(["--json"])).output).version, 1);
  });

  test("ends with 2 and one sentence for what it cannot use, and never takes a secret as an argument", async () => {
    for (
      const [args, says] of [
        [["x"], /^Name the user with --user/],
        [["--header", "--cypress"], /^Choose one of --header/],
        [["--cookie", "a b"], /^Cannot use --cookie/],
        [["--cookie", "__Host-x"], /^Cannot use --cookie/],
        [["--user", ""], /^Name the user with --user/],
      ] as const
    ) {
      await assert.rejects(run(args), (error: Error) => error.name === "InvalidConfig" && says.test(error.message));
    }
    const { code, output, error } = await runCommand(["test-session", "--user", "a", "--secret=canary"]);
    assert.deepEqual([code, output], [2, ""]);
    assert.match(error, /^[^\n]+\nSee npx @x\/auth test-session --help\n$/);
    assert.doesNotMatch(error, /canary/);
  });
});
