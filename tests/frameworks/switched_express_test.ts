/** An application as it is written for Auth.js, run with Auth.js and, with other imports, with this package. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { run } from "../../scripts/npm/run.ts";
import { fetchRuntime } from "../../scripts/npm/runtimes.ts";
import { freePort } from "../_support/free_port.ts";
import { installExample, nodeEnvironment } from "./_examples.ts";
import { assertOnlyImportsChanged, ENVIRONMENT, json, Servers, SIDES, switchImports, Visitor } from "./_switched.ts";

const SOURCE = "tests/frameworks/authjs/express";

const ADA = { username: "ada", password: "lovelace" };

/** What a visitor does, and what is compared. */
const STORIES: Readonly<Record<string, (visitor: Visitor) => Promise<unknown>>> = {
  "the CSRF token is a text of 64 digits, beside its cookie": async (visitor) => {
    const answer = await visitor.send("/auth/csrf");
    return [answer.status, answer.type, answer.text.replace(/[0-9a-f]{64}/, "TOKEN"), visitor.cookies];
  },
  "the providers are the same, in the same order": async (visitor) => {
    const answer = await visitor.send("/auth/providers");
    return [json(answer), Object.keys(JSON.parse(answer.text))];
  },
  "a stranger has no session, and does not see what is for members": async (visitor) => {
    const session = json(await visitor.send("/auth/session"));
    return [session, json(await visitor.send("/api/session")), await visitor.send("/"), await visitor.send("/members")];
  },
  "a sign-in with a provider leads there with the same parameters": async (visitor) => {
    const { status, location } = await visitor.send("/auth/signin/github", { callbackUrl: "/members" });
    const { origin, pathname, searchParams } = new URL(location ?? "");
    const names = ["client_id", "redirect_uri", "response_type", "scope", "prompt", "code_challenge_method"];
    return [status, origin + pathname, names.map((name) => searchParams.get(name)?.replace(/localhost:\d+/, "ORIGIN"))];
  },
  "a wrong user name and a wrong password lead back with the code of the application": async (visitor) => {
    const unknown = await visitor.send("/auth/callback/credentials", { ...ADA, username: "bob" });
    const wrong = await visitor.send("/auth/callback/credentials", { ...ADA, password: "wrong" });
    return [unknown.status, unknown.location, wrong.status, wrong.location, json(await visitor.send("/auth/session"))];
  },
  "credentials sign in, the session has what the callbacks gave it, and a sign-out ends it": async (visitor) => {
    const signedIn = await visitor.send("/auth/callback/credentials", { ...ADA, callbackUrl: "/members" });
    const told: unknown[] = [signedIn.status, signedIn.location, visitor.cookies];
    told.push(json(await visitor.send("/auth/session")), json(await visitor.send("/api/session")));
    const members = await visitor.send("/members");
    assert.equal(members.text, "For ada@example.com, admin");
    told.push(await visitor.send("/"), members);
    const { status, location } = await visitor.send("/auth/signout", { callbackUrl: "/" });
    told.push(status, location, json(await visitor.send("/auth/session")), (await visitor.send("/members")).status);
    return told;
  },
  "a script gets the URL in JSON": async (visitor) => {
    const asked = { "x-auth-return-redirect": "1" };
    const wrong = await visitor.send("/auth/callback/credentials", { ...ADA, password: "wrong" }, asked);
    const right = await visitor.send("/auth/callback/credentials", { ...ADA, callbackUrl: "/members" }, asked);
    return [json(wrong), json(right), json(await visitor.send("/auth/signout", { callbackUrl: "/" }, asked))];
  },
  "a callbackUrl of another site is not followed": async (visitor) => {
    const { location } = await visitor.send("/auth/callback/credentials", {
      ...ADA,
      callbackUrl: "https://evil.test/",
    });
    return location;
  },
};

describe("an application of @auth/express with other imports", () => {
  const servers = new Servers();
  let folder = "";

  before(async () => {
    folder = await installExample({ name: "authjs-express", basePath: "/auth", built: false, source: SOURCE });
    mkdirSync(`${folder}/switched`, { recursive: true });
    writeFileSync(`${folder}/switched/package.json`, readFileSync(`${folder}/package.json`));
    switchImports(SOURCE, `${folder}/switched`);
    await Promise.all(SIDES.map(async (side) => {
      const env = { ...await nodeEnvironment(), ...ENVIRONMENT };
      const cwd = side === "ours" ? `${folder}/switched` : folder;
      await servers.start(side, { cwd, env }, { port: await freePort(), said: "Open http" });
    }));
  });
  after(async () => {
    await servers.stop();
  });

  test("nothing but import lines has changed, and nothing of Auth.js is left but its adapter", () => {
    assertOnlyImportsChanged(SOURCE, `${folder}/switched`);
  });

  test("TypeScript accepts both", async () => {
    const { command } = await fetchRuntime("node-24", "npm/runtimes");
    const files = await run(command, ["node_modules/typescript/bin/tsc", "-p", ".", "--listFiles"], { cwd: folder });
    for (const file of ["/main.ts", "/switched/main.ts"]) assert.ok(files.includes(folder + file), file);
  });

  servers.testStories(STORIES, (origin) => new Visitor(origin));

  test("the handlers of events were called for the same", () => {
    const [theirs, ours] = servers.eventLines();
    assert.ok(theirs && theirs.length > 3);
    assert.deepEqual(ours, theirs);
  });
});
