/** Account ids that are numbers of more than 53 bits: neighbours stay two people, wherever the number is read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OidcProvider, Profile, TokenSet, User, UserinfoHandler } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { credentials } from "@x/auth/providers/credentials";
import { signJws } from "../_support/issuer.ts";
import { leadsTo, openWays } from "../_support/ways.ts";

const IDS = ["1234567890123456789", "1234567890123456790", "-1234567890123456789"] as const;

/** Where a provider tells the id, and who reads it there. */
interface Place {
  readonly in: "id_token" | "userinfo" | "token";
  readonly options: Partial<OidcProvider>;
}

/** How an application makes text of an id, or leaves it alone. */
const SPELLINGS: Readonly<Record<string, (id: unknown) => unknown>> = {
  "as it is": (id) => id,
  "by String()": (id) => String(id),
};

function handler(read: (answer: Response) => Promise<Profile>): Partial<OidcProvider> {
  const request: UserinfoHandler = async ({ fetch, tokens }) => {
    const authorization = `Bearer ${tokens.access_token}`;
    return await read(await fetch("https://idp.test/userinfo", { headers: { authorization } }));
  };
  return { idToken: false, userinfo: { request } };
}

const conform = async (response: Response): Promise<Response> => Response.json({ ...await response.json(), more: 1 });

const PLACES: Readonly<Record<string, Place>> = {
  "in the id_token": { in: "id_token", options: {} },
  "in the answer of userinfo": { in: "userinfo", options: { idToken: false } },
  "in an answer that a handler reads": { in: "userinfo", options: handler((answer) => answer.json()) },
  "in an answer that a handler copies": { in: "userinfo", options: handler((answer) => answer.clone().json()) },
  "in a copy of a copy": { in: "userinfo", options: handler((answer) => answer.clone().clone().json()) },
  "in the answer with the tokens": { in: "token", options: {} },
  "in tokens that were conformed": { in: "token", options: { token: { conform } } },
};

function open(place: Place, profile: (told: Profile, tokens: TokenSet) => User, more: Partial<OidcProvider> = {}) {
  const google = { ...place.options, ...more, profile };
  const ways = openWays({ adapter: memoryAdapter(), idps: { google } });
  const { issuer } = ways;
  let id = "0";
  if (place.in === "id_token") {
    issuer.rewrite((token) => {
      const [header = "", claims = ""] = token.split(".", 2).map((part) => Buffer.from(part, "base64url").toString());
      const [key] = issuer.keys;
      assert.ok(key);
      return signJws(claims.replace("{", `{"user_id":${id},`), JSON.parse(header), key);
    });
  } else {
    issuer.lie(place.in, async (_request, honest) => {
      const text = await (await honest()).text();
      return new Response(text.replace("{", `{"user_id":${id},`), { headers: { "content-type": "application/json" } });
    });
  }
  return {
    ...ways,
    come: async (userId: string) => {
      id = userId;
      const browser = ways.visitor();
      return { browser, came: leadsTo(await ways.come(browser, "google", { sub: "ada-1" })) };
    },
  };
}

for (const [where, place] of Object.entries(PLACES)) {
  for (const [how, spell] of Object.entries(SPELLINGS)) {
    test(`people with neighbouring ids ${where} stay who they are, when the id is taken ${how}`, async () => {
      const { come, adapter, log } = open(place, (told, tokens) => {
        const { user_id } = place.in === "token" ? tokens : told;
        return { id: spell(user_id) as string, name: `User ${user_id}` };
      });
      for (const id of [...IDS, ...IDS]) {
        const { browser, came } = await come(id);
        assert.equal(came, "/");
        assert.equal((await browser.session())?.user?.name, `User ${id}`);
      }
      const owners = await Promise.all(IDS.map(async (id) => (await adapter.getAccount(id, "google"))?.userId));
      assert.equal(new Set(owners).size, IDS.length);
      assert.ok(!owners.includes(undefined));
      assert.deepEqual(log.errors, []);
    });
  }
}

test("ids that are small numbers are what they were", async () => {
  for (const place of Object.values(PLACES)) {
    const seen: unknown[] = [];
    const { come, adapter } = open(place, (told, tokens) => {
      const { user_id } = place.in === "token" ? tokens : told;
      seen.push(user_id);
      return { id: user_id as string };
    });
    for (const id of ["7", "0", "9007199254740991"]) assert.equal((await come(id)).came, "/");
    assert.deepEqual(seen, [7, 0, 9007199254740991]);
    for (const id of ["7", "0", "9007199254740991"]) assert.ok(await adapter.getAccount(id, "google"));
  }
});

test("a number that a handler rounded is nobody's id, and the log says what to do", async () => {
  const options = handler(async (answer) => JSON.parse(await answer.text()));
  const { come, log } = open({ in: "userinfo", options }, ({ user_id }) => ({ id: user_id as string }));
  for (const id of ["9007199254740992", ...IDS]) {
    const { browser, came } = await come(id);
    assert.match(came, / /);
    assert.equal(await browser.session(), null);
  }
  assert.equal(log.errors.length, 4);
  for (const error of log.errors) assert.match(String(error), /rounded number as `id`: read it as text/);
});

test("a number that authorize rounded is nobody's id, and the log says what to do", async () => {
  const authorize = () => ({ id: JSON.parse(IDS[0]), name: "Ada" });
  const password = credentials({ id: "password", credentials: { name: {} }, authorize });
  const { visitor, log } = openWays({ providers: [password], session: { strategy: "jwt" }, mayFail: true });
  const browser = await visitor().signIn("password", { name: "ada" });
  assert.equal(await browser.session(), null);
  assert.match(String(log.errors[0]), /`id` is a number beyond 2\^53.*Read it as a string/);
});
