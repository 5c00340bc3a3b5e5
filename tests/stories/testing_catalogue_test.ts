/** The test kit stands in for every provider of the catalogue. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Provider } from "@x/auth";
import { testAuth, type World } from "@x/auth/testing";
import { factoryName, readEntry, recordedFiles, subpathOf } from "../_support/catalogue_facts.ts";

const ADA = { name: "Ada", email: "ada@example.com" } as const;

/** Providers that it does not stand in for, and why. */
const EXCEPTIONS: ReadonlySet<string> = new Set(["bankid_no"]); // its id_tokens are encrypted

async function openWorld(file: string): Promise<{ world: World; id: string }> {
  const { facts, sample } = readEntry(file);
  const module: Readonly<Record<string, unknown>> = await import(`@x/auth/${subpathOf(file)}`);
  const make = module[factoryName(file)] as (options: object) => Provider;
  // The kit gives an issuer to whoever needs one.
  const { issuer: _, ...options } = { issuer: undefined, ...sample.options };
  const logger = { error: () => {}, warn: () => {}, debug: () => {} };
  const world = testAuth({ providers: [(given: object) => make({ ...given, ...options })], logger });
  return { world, id: facts.id };
}

for (const file of recordedFiles()) {
  const { facts, sample } = readEntry(file);
  if (EXCEPTIONS.has(file) || (facts.status === "renamed" && !sample.user)) continue;
  test(`signInAs() signs somebody in with ${facts.id}`, async () => {
    const { world } = await openWorld(file);
    const ada = await world.visitor().signInAs(ADA);
    assert.equal((await ada.session())?.user?.email, ADA.email);
    const [first] = world.provider(facts.id).requests;
    assert.ok(first, "the provider was asked");
  });
}

const POPULAR =
  "apple auth0 cognito discord facebook github gitlab google keycloak linkedin microsoft_entra_id okta spotify twitch";

for (const file of POPULAR.split(" ")) {
  test(`signIn() signs somebody in with ${file}, of whom it is said no more than name and address`, async () => {
    const { world, id } = await openWorld(file);
    const ada = await world.visitor().signIn(id, ADA);
    assert.ok(await ada.session(), ada.url.href);
  });
}
