/** An application as it is written for @auth/sveltekit, run with it and, with other imports, with this package. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { run } from "../../scripts/npm/run.ts";
import { fetchRuntime } from "../../scripts/npm/runtimes.ts";
import { freePort } from "../_support/free_port.ts";
import { nodeEnvironment } from "./_examples.ts";
import {
  type Answer,
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

const SOURCE = "tests/frameworks/authjs/sveltekit";

const ADA = { username: "ada", password: "lovelace" };

/** What a visitor does, and what is compared. */
const STORIES: Readonly<Record<string, (visitor: FormVisitor) => Promise<unknown>>> = {
  "a stranger has no session, and is sent to the sign-in page": async (visitor) => {
    const session = json(await visitor.send("/api/session"));
    const { status, location } = await visitor.send("/members");
    return [session, json(await visitor.send("/auth/session")), status, location];
  },
  "the providers are the same, in the same order": async (visitor) => {
    const answer = await visitor.send("/auth/providers");
    return [json(answer), Object.keys(JSON.parse(answer.text))];
  },
  "a page shows the same forms": async (visitor) => {
    return [await visitor.mainOf("/"), await visitor.mainOf("/client"), await visitor.formsOf("/")];
  },
  "the form without a provider leads to the sign-in page": async (visitor) => await visitor.submit("/", 0),
  "the forms of a provider lead there with the same parameters, and with their own": async (visitor) => {
    const places = [await visitor.submit("/", 1), await visitor.submit("/", 2)].map(({ status, location }) => {
      const { origin, pathname, searchParams } = new URL(location ?? "");
      const names = ["client_id", "redirect_uri", "response_type", "scope", "prompt", "code_challenge_method"];
      const values = names.map((name) => searchParams.get(name)?.replace(/localhost:\d+/, "ORIGIN"));
      return [status, origin + pathname, values];
    });
    assert.ok(JSON.stringify(places[1]).includes("consent"));
    return places;
  },
  "the form with a password signs in, the session is that of the callbacks, and the button signs out": async (
    visitor,
  ) => {
    const signedIn = await visitor.submit("/", 3, ADA);
    const told: unknown[] = [signedIn, visitor.cookies];
    told.push(json(await visitor.send("/auth/session")), json(await visitor.send("/api/session")));
    const members = await visitor.mainOf("/members");
    assert.equal(members, "<main>For ada@example.com, admin, true by credentials</main>");
    told.push(members, await visitor.mainOf("/"), await visitor.formsOf("/"));
    told.push(await visitor.submit("/", 0), visitor.cookies, json(await visitor.send("/api/session")));
    return told;
  },
  "a wrong user name and a wrong password do not sign in": async (visitor) => {
    const unknown = await visitor.submit("/", 3, { ...ADA, username: "bob" });
    const wrong = await visitor.submit("/", 3, { ...ADA, password: "wrong" });
    return [unknown.status, wrong.status, visitor.cookies, json(await visitor.send("/api/session"))];
  },
  "a form that is sent to the service itself is answered in the same way": async (visitor) => {
    const wrong = await visitor.sendToService("/auth/callback/credentials", { ...ADA, password: "wrong" });
    const right = await visitor.sendToService("/auth/callback/credentials", { ...ADA, callbackUrl: "/members" });
    return [wrong.status, wrong.location, right.status, right.location, json(await visitor.send("/api/session"))];
  },
  "a script gets the URL in JSON": async (visitor) => {
    const asked = { "x-auth-return-redirect": "1" };
    const wrong = await visitor.sendToService("/auth/callback/credentials", { ...ADA, password: "wrong" }, asked);
    const right = await visitor.sendToService("/auth/callback/credentials", { ...ADA, callbackUrl: "/members" }, asked);
    return [json(wrong), json(right), json(await visitor.sendToService("/auth/signout", { callbackUrl: "/" }, asked))];
  },
  "a redirectTo of another site is not followed": async (visitor) => {
    return (await visitor.submit("/", 3, { ...ADA, redirectTo: "https://evil.test/" })).location;
  },
};

/** A visitor who sends the forms of pages. */
class FormVisitor extends Visitor {
  /** What a page shows, without the marks of Svelte and hidden fields. A button without a text of the page has "Sign in". */
  async mainOf(path: string): Promise<string> {
    const main = partOf("main", (await this.send(path)).text.replace(/<!--.*?-->/g, ""));
    return main.replace(/<input type="hidden"[^>]*> */g, "").replace(/ +(?=<)/g, "").replace(/>Signin/g, ">Sign in");
  }

  /** The forms of a page: where they lead, and the values of their fields by name. */
  async formsOf(path: string): Promise<readonly SeenForm[]> {
    const { text } = await this.send(path);
    return [...text.matchAll(/<form[^>]* action="([^"]*)"[^>]*>(.*?)<\/form>/gs)].map(
      ([, action = "", content = ""]) => {
        const inputs = [...content.matchAll(/<input[^>]*>/g)].map(([input]) => input);
        const fields = inputs.map((
          input,
        ) => [/ name="([^"]*)"/.exec(input)?.[1], / value="([^"]*)"/.exec(input)?.[1] ?? ""]);
        // `callbackUrl` and `redirect` say again what `redirectTo` says.
        const { callbackUrl: _, redirect: __, ...others } = Object.fromEntries(fields);
        return { action, fields: others };
      },
    );
  }

  /** Sends a form to the service. On SvelteKit, Auth.js has no CSRF token. */
  async sendToService(path: string, fields: Fields, headers: Fields = {}): Promise<Answer> {
    const { text } = await this.send("/auth/csrf");
    return await this.sendForm(path, { ...fields, ...(text && JSON.parse(text)) }, "/client", headers);
  }

  /** Sends one of the forms of a page, as a browser does. */
  async submit(path: string, at: number, typed: Readonly<Record<string, string>> = {}): Promise<SeenAnswer> {
    const { action, fields } = (await this.formsOf(path))[at] ?? assert.fail();
    const { status, location } = await this.sendForm(action, { ...fields, ...typed }, path);
    return { status, location };
  }
}

type Fields = Readonly<Record<string, string>>;

interface SeenForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

interface SeenAnswer {
  readonly status: number;
  readonly location: string | null;
}

describe("an application of @auth/sveltekit with other imports", () => {
  const servers = new Servers();
  let folders: Installed;

  before(async () => {
    folders = await installSwitched("sveltekit", SOURCE);
    await Promise.all(SIDES.map(async (side) => {
      const port = await freePort();
      const env = { ...await nodeEnvironment(), ...ENVIRONMENT, ORIGIN: `http://localhost:${port}` };
      await servers.start(side, { cwd: folders[side], env }, { port, said: "Listening on" });
    }));
  });
  after(async () => {
    await servers.stop();
  });

  test("nothing but import lines has changed, and nothing of Auth.js is left but its adapter", () => {
    assertOnlyImportsChanged(SOURCE, folders.ours);
  });

  test("svelte-check accepts both", async () => {
    const { command } = await fetchRuntime("node-24", "npm/runtimes");
    await Promise.all(SIDES.map(async (side) => {
      const args = [`${folders.theirs}/node_modules/svelte-check/bin/svelte-check`, "--threshold", "error"];
      const said = await run(command, args, { cwd: folders[side] });
      assert.match(said, /found 0 errors/);
    }));
  });

  servers.testStories(STORIES, (origin) => new FormVisitor(origin));

  test("the handlers of events were called for the same", () => {
    const [theirs, ours] = servers.eventLines();
    assert.ok(theirs && theirs.length > 3);
    // Only the end of what a server has printed is known, and Auth.js prints more.
    assert.deepEqual(ours?.slice(-theirs.length), theirs);
  });
});
