/**
 * An application as it is written for @auth/solid-start, run with it and, with other imports, with this package: on
 * SolidStart 2, for which `@auth/solid-start` was not made, but on which it works.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { run } from "../../scripts/npm/run.ts";
import { fetchRuntime } from "../../scripts/npm/runtimes.ts";
import { freePort } from "../_support/free_port.ts";
import { nodeEnvironment } from "./_examples.ts";
import {
  assertOnlyImportsChanged,
  ENVIRONMENT,
  type Installed,
  installSwitched,
  json,
  partOf,
  Servers,
  SIDES,
  Visitor,
} from "./_switched.ts";

const SOURCE = "tests/frameworks/authjs/solid-start";

/** Where every application of @auth/solid-start has the service: its client knows no other path. */
const BASE = "/api/auth";

const ADA = { username: "ada", password: "lovelace" };

/** What a visitor does, and what is compared. */
const STORIES: Readonly<Record<string, (visitor: Visitor) => Promise<unknown>>> = {
  "the CSRF token is a text of 64 digits, beside its cookie": async (visitor) => {
    const answer = await visitor.send(`${BASE}/csrf`);
    return [answer.status, answer.type, answer.text.replace(/[0-9a-f]{64}/, "TOKEN"), visitor.cookies];
  },
  "the providers are the same, in the same order": async (visitor) => {
    const answer = await visitor.send(`${BASE}/providers`);
    return [json(answer), Object.keys(JSON.parse(answer.text))];
  },
  "a stranger has no session, and is sent away from the page for members": async (visitor) => {
    const session = json(await visitor.send(`${BASE}/session`));
    const { status, location } = await visitor.send("/members");
    return [session, json(await visitor.send("/api/session")), await mainOf(visitor, "/"), status, location];
  },
  "a sign-in with a provider leads there with the same parameters": async (visitor) => {
    const asked = { "x-auth-return-redirect": "1" };
    const fields = { callbackUrl: "/members" };
    const answer = await visitor.send(`${BASE}/signin/github?prompt=consent`, fields, asked);
    const { origin, pathname, searchParams } = new URL(JSON.parse(answer.text).url);
    const names = ["client_id", "redirect_uri", "response_type", "scope", "prompt", "code_challenge_method"];
    return [answer.status, origin + pathname, names.map((name) => searchParams.get(name))];
  },
  "credentials sign in, the session is that of the callbacks, and a sign-out ends it": async (visitor) => {
    const signedIn = await visitor.send(`${BASE}/callback/credentials`, { ...ADA, callbackUrl: "/members" });
    const told: unknown[] = [signedIn.status, signedIn.location, visitor.cookies];
    told.push(json(await visitor.send(`${BASE}/session`)), json(await visitor.send("/api/session")));
    const members = await mainOf(visitor, "/members");
    assert.equal(members, "<main>For ada@example.com, admin</main>");
    told.push(members, await mainOf(visitor, "/"));
    const { status, location } = await visitor.send(`${BASE}/signout`, { callbackUrl: "/" });
    told.push(status, location, visitor.cookies, json(await visitor.send("/api/session")));
    return told;
  },
  "a wrong user name and a wrong password lead back with the code of the application": async (visitor) => {
    const unknown = await visitor.send(`${BASE}/callback/credentials`, { ...ADA, username: "bob" });
    const wrong = await visitor.send(`${BASE}/callback/credentials`, { ...ADA, password: "wrong" });
    return [unknown.status, unknown.location, wrong.status, wrong.location, json(await visitor.send("/api/session"))];
  },
  "a script gets the URL in JSON": async (visitor) => {
    const asked = { "x-auth-return-redirect": "1" };
    const wrong = await visitor.send(`${BASE}/callback/credentials`, { ...ADA, password: "wrong" }, asked);
    const right = await visitor.send(`${BASE}/callback/credentials`, { ...ADA, callbackUrl: "/members" }, asked);
    return [json(wrong), json(right), json(await visitor.send(`${BASE}/signout`, { callbackUrl: "/" }, asked))];
  },
  "a callbackUrl of another site is not followed": async (visitor) => {
    const fields = { ...ADA, callbackUrl: "https://evil.test/" };
    return (await visitor.send(`${BASE}/callback/credentials`, fields)).location;
  },
};

/** What a page shows, without the marks of Solid. */
async function mainOf(visitor: Visitor, path: string): Promise<string> {
  const { text } = await visitor.send(path);
  return partOf("main", text.replace(/<!--.*?-->/g, "").replace(/ data-hk="?\w+"?/g, ""));
}

describe("an application of @auth/solid-start with other imports", () => {
  const servers = new Servers();
  let folders: Installed;

  before(async () => {
    folders = await installSwitched("solid-start", SOURCE);
    await Promise.all(SIDES.map(async (side) => {
      const env = { ...await nodeEnvironment(), ...ENVIRONMENT };
      await servers.start(side, { cwd: folders[side], env }, { port: await freePort(), said: "Listening on" });
    }));
  });
  after(async () => {
    await servers.stop();
  });

  test("nothing but import lines has changed, and nothing of Auth.js is left but its adapter", () => {
    assertOnlyImportsChanged(SOURCE, folders.ours);
  });

  test("TypeScript accepts both", async () => {
    const { command } = await fetchRuntime("node-24", "npm/runtimes");
    const compiler = `${folders.theirs}/node_modules/typescript/bin/tsc`;
    await Promise.all(SIDES.map(async (side) => {
      const files = await run(command, [compiler, "-p", ".", "--listFiles"], { cwd: folders[side] });
      assert.ok(files.includes(`${folders[side]}/src/auth.ts`));
    }));
  });

  servers.testStories(STORIES, (origin) => new Visitor(origin, BASE));

  test("the handlers of events were called for the same", () => {
    const [theirs, ours] = servers.eventLines();
    assert.ok(theirs && theirs.length > 3);
    assert.deepEqual(ours, theirs);
  });
});
