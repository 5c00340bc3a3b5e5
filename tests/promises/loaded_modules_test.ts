import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/npm/run.ts";

/** What belongs to the features that a provider has to ask for, and the rest of what few services need. */
const ON_DEMAND: readonly string[] = [
  "src/logout/mod.ts",
  "src/oauth_client/account_fetch.ts",
  "src/oauth_client/authorization_request.ts",
  "src/oauth_client/decryption.ts",
  "src/oauth_client/dpop.ts",
  "src/oauth_client/fapi2.ts",
  "src/oauth_client/signed_response.ts",
  "src/service/access_token.ts",
  "src/service/session_actions.ts",
  "src/session_stores/former_store.ts",
  "src/session_stores/mod.ts",
];

/** Folders of which every file belongs to such a feature. */
const FOLDERS = /^src\/(?:logout|access_tokens|email|webauthn)\//;

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
  for (const path of ["src/oauth/callback.ts", "src/oauth_client/late_modules.ts", "src/service/sign_out.ts"]) {
    assert.ok(loaded.includes(path), `${path} is not among what was loaded`);
  }
  for (const path of ON_DEMAND) await readFile(new URL(`../../${path}`, import.meta.url)); // it has not moved
  assert.deepEqual(loaded.filter((path) => ON_DEMAND.includes(path) || FOLDERS.test(path)), []);
});

/** What a start loads only where something is wrong, or may be. */
const IF_WRONG: readonly string[] = [
  "src/config/check_config.ts",
  "src/kernel/known_errors.ts",
  "src/request/error_routes.ts",
  "src/service/error_outcomes.ts",
  "src/service/wrong_request.ts",
];

/** What the first request of a service loads. Nothing imports it that is loaded before. */
const AT_FIRST: readonly string[] = ["src/config/resolve.ts", "src/kernel/logger.ts", "src/kernel/redact.ts"];

test("a start loads neither the rules about configurations nor what answers failures, nor any flow", async () => {
  const loaded = await loadedBy("tests/promises/_start_probe.ts");
  for (const path of [...AT_FIRST, "src/service/setup.ts"]) assert.ok(loaded.includes(path), path);
  for (const path of IF_WRONG) await readFile(new URL(`../../${path}`, import.meta.url)); // it has not moved
  const unwanted = [...ON_DEMAND, ...IF_WRONG, "src/service/flows.ts"];
  const isUnwanted = (path: string) => unwanted.includes(path) || /^src\/(?:pages|views|texts|oauth)/.test(path);
  assert.deepEqual(loaded.filter(isUnwanted), []);
});

test("what resolves a configuration is no part of what an application imports", async () => {
  const loaded = await loadedBy("mod.ts");
  assert.ok(loaded.includes("src/service/engine.ts"));
  assert.deepEqual(loaded.filter((path) => [...AT_FIRST, ...IF_WRONG].includes(path)), []);
});

test("a language is loaded when a page in it is asked for, and no other one is", async () => {
  const TEXTS = /^src\/texts\/([a-z_]+)\.ts$/;
  const others = ["account", "choose", "duration", "languages", "load", "mail", "passwords", "texts"];
  const languagesIn = (paths: readonly string[]) => {
    return paths.flatMap((path) => TEXTS.exec(path)?.[1] ?? []).filter((name) => !others.includes(name)).toSorted();
  };
  assert.deepEqual(languagesIn(await loadedBy("tests/promises/_language_probe.ts")), ["de", "en"]);
  assert.deepEqual(languagesIn(await loadedBy("tests/promises/_sign_in_probe.ts")), ["en"]);
});
