/** The sources, bundled for a browser without the npm package, as Fresh does with an island. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { rolldown } from "rolldown";
import { sourcesBelow } from "../../scripts/source_files.ts";
import { SERVER_ONLY } from "../../src/kernel/server_only.ts";

/** Each binding of a framework but that of Qwik, whose files for browsers have nothing of the service. */
const BINDINGS = [...sourcesBelow("bindings")].filter((path) => path.split("/").length === 2)
  .filter((path) => path !== "bindings/qwik.ts");

const FILES = ["mod.ts", "src/jwt.ts", "src/account_fetch.ts", ...BINDINGS];

const SECRET = "a random text of at least 32 characters";

type Call = (...given: readonly unknown[]) => unknown;

describe("the service in the sources", () => {
  let code = "";
  before(async () => {
    const entry = "\0entry";
    const text = FILES.map((file, index) => `export * as all${index} from "${Deno.cwd()}/${file}";`).join("\n");
    const bundle = await rolldown({
      input: entry,
      platform: "browser",
      external: (id) => !/^[./\0]/.test(id),
      plugins: [{
        name: "entry",
        resolveId: (id) => id === entry ? id : null,
        load: (id) => id === entry ? text : null,
      }],
      onLog: () => {},
    });
    const { output: [first] } = await bundle.generate({
      format: "iife",
      name: "service",
      // Nothing of a library is called here.
      globals: () => "library",
      codeSplitting: false,
    });
    await bundle.close();
    code = first.code;
  });

  /** Loads the bundle where there is nothing but what every browser has, and gives what a file exports. */
  function load(file: string, globals: object): Readonly<Record<string, Call>> {
    const web = { URL, URLSearchParams, Headers, Request, Response, TextEncoder, TextDecoder, console, crypto };
    const page = createContext({ ...web, library: {}, setTimeout, clearTimeout, ...globals });
    return runInContext(`${code};service`, page)[`all${FILES.indexOf(file)}`];
  }

  /** How a call fails, at once or later. */
  async function failureOf(call: () => unknown): Promise<string | null> {
    try {
      await call();
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  const window = { document: {} };
  const config = { secret: SECRET, trustHost: true, providers: [] };
  const request = new Request("http://localhost/auth/session");

  for (const file of BINDINGS) {
    test(`refuses the window of a browser at the first call of ${file}`, async () => {
      const names = Object.keys(load(file, window)).filter((name) => /^[A-Z]\w*Auth$|^getSession$/.test(name));
      assert.ok(names.some((name) => name !== "getSession"), `${names}`);
      for (const name of names) {
        const given = name === "getSession" ? [request, config] : [config];
        assert.equal(await failureOf(() => load(file, window)[name]?.(...given)), SERVER_ONLY, name);
      }
    });
  }

  test("refuses the window of a browser wherever it is given a secret", async () => {
    const { createAuth, Auth } = load("mod.ts", window);
    const { encode, decode, getToken } = load("src/jwt.ts", window);
    const token = { secret: SECRET, salt: "x" };
    for (
      const [name, call] of Object.entries({
        createAuth: () => createAuth?.(config),
        Auth: () => Auth?.(request, config),
        encode: () => encode?.({ token: {}, ...token }),
        decode: () => decode?.({ token: "x", ...token }),
        getToken: () => getToken?.({ req: request, ...token }),
      })
    ) assert.equal(await failureOf(call), SERVER_ONLY, name);
  });

  test("takes a page with what bundlers put in the place of Node's `process` for a window", async () => {
    const page = { ...window, process: { env: {}, versions: {}, browser: true } };
    assert.equal(await failureOf(() => load("mod.ts", page).createAuth?.(config)), SERVER_ONLY);
  });

  test("refuses no worker, and no test with a document on Node", async () => {
    const node = { ...window, process: { env: {}, versions: { node: "24.0.0" } } };
    for (const place of [{}, node]) {
      assert.equal(await failureOf(() => load("mod.ts", place).createAuth?.(config)), null);
    }
  });
});
