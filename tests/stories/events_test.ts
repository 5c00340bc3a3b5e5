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
