import { test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, createAuth, customFetch, isEmailProven, type OAuthProvider } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Browser } from "../_support/browser.ts";
import { mailbox } from "../_support/mailbox.ts";
import { password, testConfig } from "../_support/service.ts";

const EMAIL = "ada@example.com";

function vouching(claims: Readonly<Record<string, unknown>>): OAuthProvider {
  const answers: Readonly<Record<string, unknown>> = {
    "/token": { access_token: "a-token", token_type: "bearer" },
    "/userinfo": { sub: "1", email: EMAIL, ...claims },
  };
  return {
    id: "mock",
    name: "Mock",
    type: "oauth",
    clientId: "a-client",
    clientSecret: "a-secret",
    authorization: "https://mock.test/authorize",
    token: "https://mock.test/token",
    userinfo: "https://mock.test/userinfo",
    profile: ({ sub, email }) => ({ id: sub ?? "", email: email ?? null }),
    [customFetch]: (input: RequestInfo | URL) => {
      return Promise.resolve(Response.json(answers[new URL(new Request(input).url).pathname]));
    },
  };
}

function consent(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const query = new URLSearchParams({ code: "a-code", state: searchParams.get("state") ?? "" });
  const location = `${searchParams.get("redirect_uri")}?${query}`;
  return Promise.resolve(new Response(null, { status: 302, headers: { location } }));
}

function open(config: AuthConfig) {
  const asked: string[] = [];
  const ask = (where: string, user: Parameters<typeof isEmailProven>[0]) => {
    if (user) asked.push(`${where} ${isEmailProven(user)}`);
  };
  const { handler } = createAuth(testConfig({
    callbacks: {
      signIn: ({ user, email }) => (ask(email ? "request" : "signIn", user), true),
      jwt: ({ token, user }) => (ask("jwt", user), token),
      session: ({ session, user }) => (ask("session", user), { expires: session.expires, user: {} }),
    },
    events: {
      signIn: ({ user }) => ask("event", user),
      createUser: ({ user }) => ask("created", user),
    },
    ...config,
  }));
  const browser = new Browser(handler, { mayFail: true }).allow("https://mock.test", consent);
  return { browser, asked };
}

/** An adapter of others: no transaction, and no column that Auth.js does not have. */
function foreign() {
  const { commit: _, once: __, createUser, ...rest } = memoryAdapter();
  return { ...rest, createUser };
}

for (
  const [where, config, events] of [
    ["without an adapter", () => ({}), ["signIn", "jwt", "event"]],
    ["with sealed sessions", () => ({ adapter: memoryAdapter(), session: { strategy: "jwt" } }), [
      "signIn",
      "created",
      "jwt",
      "event",
    ]],
    ["with stored sessions", () => ({ adapter: memoryAdapter() }), ["signIn", "created", "event", "session"]],
    ["with an adapter of others", () => ({ adapter: foreign() as never, session: { strategy: "jwt" } }), [
      "signIn",
      "created",
      "jwt",
      "event",
    ]],
  ] as readonly (readonly [string, () => AuthConfig, readonly string[]])[]
) {
  for (const [says, isProven] of [[true, true], [false, false], [undefined, false]] as const) {
    test(`a provider that says ${says} of the address proves it: ${isProven} (${where})`, async () => {
      const { browser, asked } = open({ ...config(), providers: [vouching({ email_verified: says })] });
      await browser.signIn("mock");
      await browser.session();
      assert.deepEqual(asked, events.map((event) => `${event} ${isProven}`));
    });
  }
}

test("a link proves the address when it is opened, and not when it is asked for", async () => {
  const box = mailbox();
  const { browser, asked } = open({ adapter: memoryAdapter(), providers: [box.provider] });
  await browser.signIn("email", { email: EMAIL });
  await browser.open(box.link().href);
  await browser.session();
  assert.deepEqual(asked, ["request false", "signIn true", "created true", "event true", "session true"]);
});

test("of a user whom authorize returns, a date says that the address is proven, and nothing else", async () => {
  for (const [emailVerified, isProven] of [[new Date(0), true], [true, false], ["2020-01-01", false]] as const) {
    const authorize = () => ({ id: "1", email: EMAIL, emailVerified });
    const { browser, asked } = open({ providers: [password({ authorize: authorize as never })] });
    await browser.signIn("credentials", { username: "ada" });
    assert.deepEqual(asked, [`signIn ${isProven}`, `jwt ${isProven}`, `event ${isProven}`]);
  }
});
