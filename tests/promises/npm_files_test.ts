import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { prismaSchema } from "../../cli/main.ts";
import { buildNpm } from "../../scripts/build_npm.ts";
import { chunksOf, type ModuleLinks, SHARED } from "../../scripts/npm/chunks.ts";
import { run } from "../../scripts/npm/run.ts";

const START = `
import { createAuth } from "@x/auth";
import { github } from "@x/auth/providers/github";

const { handler } = createAuth({
  providers: [github({ clientId: "id", clientSecret: "secret" })],
  secret: "a random text of at least 32 characters",
  trustHost: true,
});
console.log(await (await handler(new Request("http://localhost/auth/session"))).text());
`;

/** Every entry that runs without a framework; what they export as text. */
const ENTRIES = `
const entries = ["", "/errors", "/jwt", "/mail", "/node", "/adapters/memory", "/hono", "/providers/google"];
const all = await Promise.all(entries.map((entry) => import("@x/auth" + entry)));
`;

const CLASSES = `${ENTRIES}
const [main, errors] = all;
const wrong = Object.entries(errors).filter(([name, value]) => main[name] !== value || value.name !== name);
console.log(JSON.stringify(wrong.map(([name, value]) => [name, value.name])));
`;

/** Our error class crosses the border between a file of an entry and one that is loaded late. */
const REFUSAL = `
import { createAuth, skipCSRFCheck } from "@x/auth";
import { CredentialsSignin } from "@x/auth/errors";
import { credentials } from "@x/auth/providers/credentials";

class LockedOut extends CredentialsSignin {
  code = "locked_out";
}
const { handler } = createAuth({
  providers: [credentials({ credentials: {}, authorize: () => { throw new LockedOut("Account is locked"); } })],
  secret: "a random text of at least 32 characters",
  trustHost: true,
  skipCSRFCheck,
  logger: { error() {}, warn() {}, debug() {} },
});
const headers = { origin: "http://localhost", "content-type": "application/x-www-form-urlencoded" };
const request = new Request("http://localhost/auth/callback/credentials", { method: "POST", headers, body: "" });
console.log((await handler(request)).headers.get("location"));
`;

describe("the files of the npm package", () => {
  let root = "";
  let home = "";
  /** Path and text of each file of code. */
  let files = new Map<string, string>();
  before(async () => {
    root = await mkdtemp(join(tmpdir(), "npm-files-"));
    const { folder } = await buildNpm(root);
    home = `${root}/node_modules/@x/auth`;
    await Deno.mkdir(dirname(home), { recursive: true });
    await rename(folder, home);
    await writeFile(`${root}/package.json`, '{ "type": "module" }');
    const names = (await readdir(home, { recursive: true })).filter((name) => name.endsWith(".js"));
    files = new Map(
      await Promise.all(names.map(async (name): Promise<[string, string]> => {
        return [name.replaceAll("\\", "/"), await readFile(join(home, name), "utf8")];
      })),
    );
  });
  after(() => rm(root, { recursive: true }));

  async function runProgram(text: string, args: readonly string[] = []): Promise<string> {
    await writeFile(`${root}/main.mjs`, text);
    const given = ["run", "--no-lock", "--no-prompt", "--allow-all", "--no-check", ...args, "main.mjs"];
    return (await run(Deno.execPath(), given, { cwd: root })).trim();
  }

  /** The files that a file imports at once. */
  function importsOf(name: string): string[] {
    const found = files.get(name)?.matchAll(/^(?:import|export)\b[^;]*?\bfrom ?"(\.[^"]+)"/gm) ?? [];
    return [...found].map(([, target = ""]) => join(dirname(name), target).replaceAll("\\", "/"));
  }

  test("a start loads four of them, and reads at most 220 kB", async () => {
    assert.equal(await runProgram(START, ["--coverage=profiles"]), "null");
    const profiles = await readdir(`${root}/profiles`);
    const urls = await Promise.all(profiles.map(async (name) => {
      return String(JSON.parse(await readFile(`${root}/profiles/${name}`, "utf8")).url);
    }));
    const loaded = urls.filter((url) => url.includes("/@x/auth/")).map((url) => url.replace(/.*\/@x\/auth\//, ""))
      .sort();
    assert.deepEqual(loaded, [
      "chunks/core.js",
      "chunks/setup.js",
      "mod.js",
      "src/providers/github.js",
    ]);
    const bytes = loaded.map((name) => files.get(name)?.length ?? Infinity).reduce((sum, size) => sum + size);
    assert.ok(bytes < 220_000, `${bytes}`);
  });

  test("its command prints on Deno and Node what the sources print, and says what is wrong with an argument", async () => {
    const { bin } = JSON.parse(await readFile(`${home}/package.json`, "utf8")) as { bin: { auth: string } };
    const file = join(home, bin.auth);
    assert.match(await readFile(file, "utf8"), /^#!\/usr\/bin\/env node\n/);
    // Deno asks for no permission.
    for (const start of [["node", file], [Deno.execPath(), "run", "--no-lock", "--no-prompt", file]]) {
      const [command = "", ...args] = start;
      const answer = (...words: readonly string[]) => spawnSync(command, [...args, ...words], { encoding: "utf8" });
      const printed = answer("schema", "prisma", "--dialect", "postgres");
      assert.deepEqual([printed.status, printed.stdout], [0, prismaSchema({ dialect: "postgres" })], printed.stderr);
      const refused = answer("shcema");
      assert.deepEqual([refused.status, refused.stdout], [2, ""]);
      const read = spawnSync(command, [...args, "session"], {
        encoding: "utf8",
        input: `authjs.session-token=${"a".repeat(36)}`,
      });
      assert.deepEqual([read.status, /^authjs\.session-token: stored$/m.test(read.stdout)], [3, true], read.stderr);
      assert.match(
        refused.stderr,
        /^Unknown command "shcema": the commands are doctor, schema, secret, session, test-session\n/,
      );
    }
  });

  test("each class of an error is the same in every entry, and has the name that it is exported with", async () => {
    assert.equal(await runProgram(CLASSES), "[]");
  });

  test("an error of the application is known in a file that is loaded late", async () => {
    assert.match(await runProgram(REFUSAL), /[?&]code=locked_out/);
  });

  test("no module is in two of them", () => {
    const places = new Map<string, string[]>();
    for (const [name, text] of files) {
      for (const [, module = ""] of text.matchAll(/^\/\/ ((?:src|bindings|adapters|client)\/\S+\.js)$/gm)) {
        places.set(module, [...places.get(module) ?? [], name]);
      }
    }
    assert.ok(places.size > 300);
    assert.deepEqual([...places].filter(([, names]) => names.length > 1), []);
  });

  test("their imports form no cycle, so each runs after what it needs", () => {
    const done = new Set<string>();
    const visit = (name: string, path: readonly string[]): void => {
      assert.ok(files.has(name), `${path.at(-1)} imports ${name}, which does not exist`);
      assert.ok(!path.includes(name), [...path, name].join(" > "));
      if (done.has(name)) return;
      for (const target of importsOf(name)) visit(target, [...path, name]);
      done.add(name);
    };
    for (const name of files.keys()) visit(name, []);
    assert.equal(done.size, files.size);
  });

  test("a provider loads the core and little else, and browsers get nothing of the service", () => {
    for (const name of files.keys()) {
      const targets = importsOf(name).filter((target) => target.startsWith("chunks/"));
      const allowed = name.startsWith("src/providers/")
        ? ["chunks/common.js", "chunks/core.js", "chunks/mail.js"]
        : name.startsWith("client/")
        ? ["chunks/client.js"]
        : targets;
      assert.deepEqual(targets.filter((target) => !allowed.includes(target)), [], name);
    }
    assert.deepEqual(importsOf("chunks/client.js"), []);
  });

  test("nothing of the test kit is in a file that programs load", () => {
    const kit = [...files].filter(([name]) => /^(?:browser\/)?testing\//.test(name));
    assert.deepEqual(kit.map(([name]) => name).toSorted(), ["browser/testing/mod.js", "testing/mod.js"]);
    for (const [name, text] of files) {
      if (!kit.some(([other]) => other === name)) assert.doesNotMatch(text, /testing\/(?:kit|mod)/, name);
    }
  });

  test("classes of the test kit have names, which its users see printed", async () => {
    const named = `import * as kit from "@x/auth/testing";
      const visitor = kit.testAuth({ providers: [] }, { allow: true }).visitor();
      console.log([kit.Browser, kit.CookieJar, visitor.constructor].map(({ name }) => name).join(" "));`;
    assert.equal(await runProgram(named), "Browser CookieJar Visitor");
  });

  test("the client for React says that it is for browsers before it does anything", () => {
    for (const name of ["account/react", "next_react", "react"]) {
      assert.match(files.get(`client/${name}.js`) ?? "", /^"use client";\n/);
    }
  });

  test("they are at most 3.8 MB with the types, and the guides 0.68 MB, so that an application installs about 6.5 MB", async () => {
    const names = await readdir(home, { recursive: true });
    let bytes = 0;
    for (const name of names.filter((name) => name !== "llms-full.txt")) {
      const { isFile, size } = await Deno.stat(join(home, name));
      if (isFile) bytes += size;
    }
    assert.ok(bytes < 3_800_000, `${bytes}`);
    const guides = await Deno.stat(join(home, "llms-full.txt"));
    assert.ok(guides.size < 680_000, `${guides.size}`);
  });
});

describe("chunksOf()", () => {
  const LATER = ["src/service/setup.js", "src/service/flows.js", "src/oauth/mod.js", "src/logout/mod.js"];
  const IMPORTS: Readonly<Record<string, readonly string[]>> = {
    "mod.js": ["src/lazy.js", "src/errors.js"],
    "src/lazy.js": [],
    "src/errors.js": [],
    "src/service/setup.js": ["src/errors.js", "src/jwt.js", "src/color.js", "src/log.js"],
    "src/service/flows.js": ["src/form.js", "src/bytes.js", "src/own.js"],
    "src/oauth/mod.js": ["src/form.js", "src/keys.js", "src/row.js"],
    "src/logout/mod.js": ["src/keys.js"],
    "src/jwt.js": [],
    "src/node.js": ["src/bytes.js", "src/lazy.js"],
    "bindings/express.js": ["src/node.js", "bindings/host.js"],
    "bindings/hono.js": ["bindings/host.js"],
    "bindings/host.js": ["src/log.js"],
    "adapters/sqlite.js": ["src/row.js"],
    "src/providers/a.js": ["src/answer.js", "src/rare.js"],
    "src/providers/b.js": ["src/answer.js", "src/rare.js"],
    "src/providers/c.js": ["src/answer.js"],
    "src/providers/d.js": [],
    "cli/main.js": ["src/row.js", "cli/exit.js"],
    "cli/session.js": ["src/rare.js", "cli/exit.js"],
    "testing/mod.js": ["src/form.js", "src/own.js", "testing/clock.js", "src/log.js"],
    "src/form.js": ["src/color.js"],
  };
  const entries = Object.keys(IMPORTS).filter((path) => !LATER.includes(path) && !/lazy|host|form/.test(path));
  const modules = new Set([...Object.keys(IMPORTS), ...Object.values(IMPORTS).flat()]);
  const links = new Map([...modules].map((path): [string, ModuleLinks] => {
    return [path, { now: IMPORTS[path] ?? [], later: path === "src/lazy.js" ? LATER : [] }];
  }));
  const chunks = chunksOf(links, entries);
  const modulesIn = (name: string): string[] => {
    return [...chunks].filter((entry) => entry[1] === name).map(([path]) => path).sort();
  };

  test("puts what the main entry, most providers, and both bindings and the first request need into the core", () => {
    assert.deepEqual(modulesIn("core"), ["mod.js", "src/answer.js", "src/errors.js", "src/lazy.js", "src/log.js"]);
  });

  test("puts what else the first request needs into one file", () => {
    assert.deepEqual(modulesIn("setup"), ["src/color.js", "src/jwt.js", "src/service/setup.js"]);
    links.delete("src/service/setup.js");
    assert.throws(() => chunksOf(links, entries), /src\/service\/setup\.js does not exist/);
  });

  test("names the file of what several read after its readers", () => {
    assert.deepEqual(modulesIn("service"), ["src/form.js", "src/own.js"]);
    assert.deepEqual(modulesIn("oauth"), ["src/keys.js"]);
    assert.deepEqual(modulesIn("storage"), ["src/row.js"]);
    assert.deepEqual(modulesIn("common"), ["src/bytes.js"]);
    assert.deepEqual(modulesIn("bindings"), ["bindings/host.js"]);
    assert.deepEqual(modulesIn("mail"), ["src/rare.js"]);
  });

  test("leaves entries, and what one entry reads, to their own files", () => {
    for (const path of ["src/node.js", "src/oauth/mod.js", "bindings/hono.js"]) {
      assert.equal(chunks.get(path), undefined, path);
    }
  });

  test("puts what only the command reads into its file, and what it shares into that of who else reads it", () => {
    assert.deepEqual(modulesIn("command"), ["cli/exit.js"]);
    assert.equal(SHARED.at(-1), "command");
  });

  test("leaves what only the test kit reads to it, and what it shares with a program to the file of the program", () => {
    assert.equal(chunks.get("testing/clock.js"), undefined);
    assert.equal(chunks.get("src/own.js"), "service");
    assert.equal(SHARED.includes("testing"), false);
  });

  test("names only files that are listed, and lets each import from earlier ones only", () => {
    for (const [path, name] of chunks) {
      for (const target of IMPORTS[path] ?? []) {
        const other = chunks.get(target) ?? name;
        assert.ok(SHARED.includes(name) && SHARED.indexOf(other) <= SHARED.indexOf(name), `${path} > ${target}`);
      }
    }
  });
});
