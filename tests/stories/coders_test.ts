/** What `jwt.encode` and `jwt.decode` are given, compared with Auth.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Credentials from "@auth/core/providers/credentials";
import { bothServices, Client } from "../_support/both_services.ts";

type Members = Readonly<Record<string, unknown>>;

const FIRST = "the first secret of 32 characters or more";
const SECOND = "the second secret of 32 characters or more";

const SECRETS: readonly (readonly [name: string, config: object])[] = [
  ["text", { secret: FIRST }],
  ["a list", { secret: [FIRST, SECOND] }],
  ["text of its own", { secret: FIRST, jwt: { secret: SECOND } }],
  ["a list of its own and a lifetime", { secret: FIRST, jwt: { secret: [SECOND], maxAge: 600 } }],
];

// A function is described, and a lifetime of the claims is left out.
function described(members: Members): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => {
      if (name === "token") return [name, typeof value];
      return [name, typeof value === "function" ? "function" : value];
    }).toSorted(),
  );
}

for (const [name, config] of SECRETS) {
  test(`jwt.encode and jwt.decode are given the members that Auth.js gives, with ${name} as the secret`, async () => {
    const [here, there] = await Promise.all(
      bothServices(() => ({})).map(async ({ name: side }) => {
        const calls: Members[] = [];
        const jwt = {
          ...(config as { jwt?: object }).jwt,
          encode: (members: Members) => {
            calls.push({ call: "encode", ...described(members) });
            return btoa(JSON.stringify(members.token));
          },
          decode: (members: Members) => {
            calls.push({ call: "decode", ...described(members) });
            return JSON.parse(atob(String(members.token)));
          },
        };
        const services = bothServices(() => ({
          ...config,
          jwt,
          providers: [Credentials({ authorize: () => ({ id: "1", name: "Ada" }) })],
        }));
        const client = new Client(services[side === "here" ? 0 : 1]);
        await client.post("/auth/callback/credentials");
        const [made] = calls;
        assert.equal((await client.json("/auth/session")).user.name, "Ada");
        const opened = calls.find(({ call }) => call === "decode");
        return [made, opened];
      }),
    );
    assert.deepEqual(here, there);
  });
}

test("the other coder is given too, and does what it does alone", async () => {
  const [here] = bothServices(() => ({
    jwt: {
      // deno-lint-ignore no-explicit-any -- as one writes it in JavaScript
      encode: async ({ encode: _, decode, ...members }: any) => {
        const { encode } = await import("@x/auth/jwt");
        const token = await encode(members);
        assert.equal((await decode({ ...members, token })).name, "Ada");
        return token;
      },
    },
    providers: [Credentials({ authorize: () => ({ id: "1", name: "Ada" }) })],
  }));
  const client = new Client(here);
  await client.post("/auth/callback/credentials");
  assert.equal((await client.json("/auth/session")).user.name, "Ada");
});
