/** What the handlers of `events` and the callbacks are given, compared with Auth.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Credentials from "@auth/core/providers/credentials";
import { bothServices, Client, type Side } from "../_support/both_services.ts";
import { liveIssuer, mapAdapter, providerOf, signInAt } from "../_support/sign_in_twice.ts";

type Message = Readonly<Record<string, unknown>>;

/** Records the messages of a service by the name of the function that was given them. */
function recordMessages() {
  const messages: Record<string, Message[]> = {};
  const record = (name: string) => (message: Message) => {
    (messages[name] ??= []).push(message);
  };
  return { messages, record };
}

async function compare(run: (side: Side["name"]) => Promise<unknown>): Promise<void> {
  assert.deepEqual(await run("here"), await run("there"));
}

function sideOf(name: Side["name"], make: () => object): Client {
  const [here, there] = bothServices(make);
  return new Client(name === "here" ? here : there);
}

test("the event linkAccount is given the user that `profile` returned", async () => {
  await compare(async (side) => {
    const issuer = liveIssuer();
    const { messages, record } = recordMessages();
    const client = sideOf(side, () => ({
      adapter: mapAdapter(),
      providers: [
        providerOf(issuer, {
          profile: (claims: Message) => ({
            id: claims.sub,
            name: claims.name,
            email: claims.email,
            image: null,
            role: "admin",
          }),
        }),
      ],
      events: { linkAccount: record("linkAccount") },
    }));
    assert.equal(new URL(await signInAt(client, issuer) ?? "", client.origin).pathname, "/");
    const [message] = messages.linkAccount ?? [];
    const { id, ...profile } = message?.profile as Message;
    assert.match(String(id), /^[0-9a-f-]{36}$/);
    assert.deepEqual(profile, { name: "Ada", email: "ada@example.com", image: null, role: "admin" });
    return profile;
  });
});

test("the callback jwt is told that nobody who signs in with credentials is new", async () => {
  await compare(async (side) => {
    const { messages, record } = recordMessages();
    const client = sideOf(side, () => ({
      providers: [Credentials({ authorize: () => ({ id: "1", name: "Ada" }) })],
      callbacks: {
        jwt: (params: Message) => {
          record("jwt")(params);
          return params.token;
        },
      },
      events: { signIn: record("signIn") },
    }));
    await client.post("/auth/callback/credentials");
    const [jwt] = messages.jwt ?? [];
    const [signIn] = messages.signIn ?? [];
    assert.equal(jwt?.isNewUser, false);
    return [jwt?.isNewUser, jwt?.trigger, signIn?.isNewUser, Object.hasOwn(signIn ?? {}, "isNewUser")];
  });
});

for (const strategy of ["jwt", "database"] as const) {
  test(`the event session is given what \`callbacks.session\` returned, dates and all, with strategy ${strategy}`, async () => {
    await compare(async (side) => {
      const issuer = liveIssuer();
      const { messages, record } = recordMessages();
      const client = sideOf(side, () => ({
        adapter: mapAdapter(),
        session: { strategy },
        providers: [providerOf(issuer)],
        callbacks: {
          session: ({ session }: { readonly session: Message }) => ({
            ...session,
            expires: "2999-01-01T00:00:00.000Z",
            since: new Date(0),
            roles: new Set(["admin"]),
          }),
        },
        events: { session: record("session") },
      }));
      await signInAt(client, issuer);
      await client.json("/auth/session");
      const [message, ...more] = messages.session ?? [];
      const { session, ...others } = message ?? {};
      const { since, roles, user } = session as Message;
      assert.deepEqual([since, roles], [new Date(0), new Set(["admin"])]);
      return [Object.keys(others), more, (user as Message).name, (user as Message).email];
    });
  });
}

test("the event session is told of a session that has a function, which the answer leaves out", async () => {
  const { messages, record } = recordMessages();
  const client = sideOf("here", () => ({
    providers: [Credentials({ authorize: () => ({ id: "1", name: "Ada" }) })],
    callbacks: { session: ({ session }: { readonly session: Message }) => ({ ...session, can: () => true }) },
    events: { session: record("session") },
  }));
  await client.post("/auth/callback/credentials");
  await client.json("/auth/session");
  assert.deepEqual((messages.session?.[0]?.session as Message).user, { name: "Ada" });
});
