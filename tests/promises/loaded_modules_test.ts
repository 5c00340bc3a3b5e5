import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/npm/run.ts";

/** What belongs to the features that a provider has to ask for, and the rest of what few services need. */
const ON_DEMAND: readonly string[] = [
  "src/config/check_client.ts",
  "src/config/webauthn.ts",
  "src/logout/mod.ts",
  "src/oauth_client/account_fetch.ts",
  "src/oauth_client/decryption.ts",
  "src/oauth_client/dpop.ts",
  "src/oauth_client/fapi2.ts",
  "src/oauth_client/pushed_request.ts",
  "src/oauth_client/request_object.ts",
  "src/oauth_client/signed_response.ts",
  "src/service/access_token.ts",
  "src/service/session_actions.ts",
  "src/stores/former_store.ts",
  "src/stores/mod.ts",
];

/** Folders of which every file belongs to such a feature. */
const FOLDERS = /^src\/(?:logout|tokens|email|webauthn)\//;

/** The files of ours that a program has loaded, by the profile of its coverage. */
async function loadedBy(program: string): Promise<readonly string[]> {
  const profiles = await mkdtemp(join(tmpdir(), "loaded-"));
  try {
    await run(Deno.execPath(), ["run", "--no-prompt", "--allow-all", "--no-check", `--coverage=${profiles}`, program]);
    const names = (await readdir(profiles)).filter((name) => name.endsWith(".json"));
    const texts = await Promise.all(names.map((name) => readFile(join(profiles, name), "utf8")));
    const root = new URL("../../", import.meta.url).href;
    return texts.map((text) => String(JSON.parse(text).url)).filter((url) => url.startsWith(root))
      .map((url) => url.slice(root.length));
  } finally {
    await rm(profiles, { recursive: true });
  }
}

test("a whole sign-in with an ordinary provider loads nothing of what other providers demand", async () => {
  const loaded = await loadedBy("tests/promises/_sign_in_probe.ts");
  for (const path of ["src/oauth/callback.ts", "src/oauth_client/lazy.ts", "src/service/sign_out.ts"]) {
    assert.ok(loaded.includes(path), `${path} is not among what was loaded`);
  }
  for (const path of ON_DEMAND) await readFile(new URL(`../../${path}`, import.meta.url)); // it has not moved
  assert.deepEqual(loaded.filter((path) => ON_DEMAND.includes(path) || FOLDERS.test(path)), []);
});

test("a language is loaded when a page in it is asked for, and no other one is", async () => {
  const TEXTS = /^src\/texts\/([a-z_]+)\.ts$/;
  const others = ["choose", "languages", "load", "mail", "texts"];
  const languagesIn = (paths: readonly string[]) => {
    return paths.flatMap((path) => TEXTS.exec(path)?.[1] ?? []).filter((name) => !others.includes(name)).toSorted();
  };
  assert.deepEqual(languagesIn(await loadedBy("tests/promises/_language_probe.ts")), ["de", "en"]);
  assert.deepEqual(languagesIn(await loadedBy("tests/promises/_sign_in_probe.ts")), ["en"]);
});
