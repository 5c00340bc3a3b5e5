import { test } from "node:test";
import assert from "node:assert/strict";
import { Server } from "node:http";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chdir, cwd } from "node:process";
import { pathToFileURL } from "node:url";
import { type AuthConfig, createAuth, customFetch, type OAuthProvider, type ProviderInput } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import { blocksOf } from "../../scripts/docs/blocks.ts";
import { Authenticator } from "../_support/authenticator.ts";
import { Browser } from "../_support/browser.ts";
import { mailbox } from "../_support/mailbox.ts";
import { recordLog, SECRET } from "../_support/service.ts";

const ADA = "ada@example.com";

/** What each user's row holds besides what the recipes know of. */
const HASH = "a-hash-of-a-password";

interface Recipe {
  readonly name: string;
  readonly config: AuthConfig;
  /** Whether it decides who may come in, or else what they are. */
  readonly isGate: boolean;
  /** Whether it decides anything by an address. */
  readonly decides: boolean;
  /** The program as it is printed. */
  readonly code: string;
}

const HOME = resolve("npm/recipes_attack");

/** Runs each program as it is printed, and takes the configuration that it passes. */
async function readRecipes(page: string): Promise<Recipe[]> {
  const markdown = readFileSync(page, "utf8");
  const recipes: Recipe[] = [];
  const before = cwd();
  const folder = mkdtempSync(join(tmpdir(), "recipes-"));
  const { listen } = Server.prototype;
  rmSync(HOME, { recursive: true, force: true });
  mkdirSync(HOME, { recursive: true });
  const shim = `${HOME}/shim.ts`;
  writeFileSync(
    shim,
    `import * as real from "${pathToFileURL(resolve("mod.ts")).href}";
export * from "${pathToFileURL(resolve("mod.ts")).href}";
export const taken: unknown[] = [];
export function createAuth(config: never) { taken.push(config); return real.createAuth(config); }\n`,
  );
  const { taken } = await import(pathToFileURL(shim).href) as { readonly taken: AuthConfig[] };
  try {
    Object.assign(Server.prototype, { listen: () => ({}) });
    for (const { line, code } of blocksOf(page, markdown)) {
      if (!code.includes("callbacks: {") || !code.includes("createAuth(")) continue;
      const file = `${HOME}/block_${line}.ts`;
      writeFileSync(file, code.replaceAll(/from "@x\/auth";/g, `from "./shim.ts";`));
      chdir(folder);
      await import(pathToFileURL(file).href);
      chdir(before);
      const config = taken.pop();
      assert.ok(config && typeof config === "object", `${page}:${line} passes a configuration`);
      const isGate = Boolean(config.callbacks?.signIn);
      recipes.push({
        name: `${page}:${line}`,
        config,
        isGate,
        decides: isGate || /"(?:admin|staff)"/.test(code),
        code,
      });
    }
  } finally {
    chdir(before);
    Object.assign(Server.prototype, { listen });
    rmSync(folder, { recursive: true, force: true });
  }
  return recipes;
}

const recipes = [...await readRecipes("docs/recipes.md"), ...await readRecipes("docs/typed-sessions.md")];

/** A provider where people enter what they like. It says what it is asked to say, in the members that rows have, too. */
function liar(claims: Readonly<Record<string, unknown>>): OAuthProvider {
  const answers: Readonly<Record<string, unknown>> = {
    "/token": { access_token: "a-token", token_type: "bearer" },
    "/userinfo": { sub: "mallory", name: "Mallory", email: ADA, ...claims },
  };
  return {
    id: "liar",
    name: "Liar",
    type: "oauth",
    clientId: "a-client",
    clientSecret: "a-secret",
    authorization: "https://liar.test/authorize",
    token: "https://liar.test/token",
    userinfo: "https://liar.test/userinfo",
    profile: (profile) => ({ ...profile, id: String(profile.sub) }) as { id: string },
    [customFetch]: (input: RequestInfo | URL) => {
      return Promise.resolve(Response.json(answers[new URL(new Request(input).url).pathname]));
    },
  };
}

const LIES: readonly (readonly [name: string, claims: Readonly<Record<string, unknown>>])[] = [
  ["says nothing of the address", {}],
  ["says that the address is not verified", { email_verified: false }],
  ["says so in the members of a row", {
    vouchedEmail: ADA,
    emailVerified: "2020-01-01T00:00:00.000Z",
    securityStamp: "mallory",
    role: "guest",
  }],
];

interface Site {
  readonly browser: () => Browser;
  readonly link: () => string;
  readonly adapter: ReturnType<typeof memoryAdapter> | null;
}

/** The recipe as it is printed, on a site that has other ways of signing in, too. */
function open({ config, code }: Recipe, added: readonly ProviderInput[], wantsRows: boolean): Site {
  const box = mailbox();
  const isStored = code.includes("adapter:");
  const adapter = isStored || wantsRows ? memoryAdapter() : null;
  const { handler } = createAuth({
    ...config,
    secret: SECRET,
    trustHost: true,
    logger: recordLog().logger,
    providers: [...(adapter ? [box.provider] : []), ...added],
    ...(adapter && { adapter, session: { ...config.session, strategy: isStored ? "database" : "jwt" } }),
  } as AuthConfig);
  return {
    adapter,
    browser: () => new Browser(handler, { mayFail: true }).allow("https://liar.test", consent),
    link: () => box.link().href,
  };
}

function consent(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const back = new URL(searchParams.get("redirect_uri") ?? "");
  back.search = String(new URLSearchParams({ code: "a-code", state: searchParams.get("state") ?? "" }));
  return Promise.resolve(new Response(null, { status: 302, headers: { location: back.href } }));
}

/** Keeps a hash in the row of each user. */
async function addHash({ adapter }: Site): Promise<void> {
  const user = await adapter?.getUserByEmail(ADA);
  if (user) await adapter?.updateUser({ id: user.id, passwordHash: HASH } as never);
}

async function seen(browser: Browser): Promise<string> {
  return JSON.stringify(await browser.session());
}

function assertNothingGained({ isGate }: Recipe, session: string): void {
  if (isGate) assert.equal(session, "null");
  assert.doesNotMatch(session, /admin|staff/);
  assert.doesNotMatch(session, new RegExp(HASH));
}

test("the pages have recipes that decide by an address, and each is attacked", () => {
  assert.ok(recipes.length >= 9, `only ${recipes.length} recipes`);
  assert.ok(recipes.filter(({ decides }) => decides).length >= 5, "recipes that decide");
  assert.ok(recipes.filter(({ isGate }) => isGate).length >= 2, "recipes that let people in");
});

for (const recipe of recipes) {
  test(`a stranger who registers a passkey with the address gains nothing: ${recipe.name}`, async () => {
    const site = open(recipe, [passkey()], true);
    const browser = site.browser();
    const device = new Authenticator({ origin: "http://localhost:3000" });
    const offered = await browser.get(`/auth/webauthn-options/passkey?action=register&email=${ADA}`);
    const { options } = await offered.json();
    const csrfToken = await browser.csrf();
    const data = await device.create(options);
    await browser.post("/auth/callback/passkey", { csrfToken, action: "register", data });
    await addHash(site);
    if (!recipe.isGate) assert.notEqual(await browser.session(), null);
    assertNothingGained(recipe, await seen(browser));
  });

  for (const wantsRows of [true, false]) {
    for (const [lie, claims] of LIES) {
      const where = wantsRows ? "with rows" : "as it is stored there";
      test(`a provider that ${lie} gives a stranger nothing (${where}): ${recipe.name}`, async () => {
        const site = open(recipe, [liar(claims)], wantsRows);
        const browser = await site.browser().signIn("liar");
        await addHash(site);
        if (!recipe.isGate) assert.notEqual(await browser.session(), null);
        assertNothingGained(recipe, await seen(browser));
      });
    }
  }

  test(`another provider than the recipe's cannot say that somebody is of a company: ${recipe.name}`, async () => {
    if (!recipe.code.includes("hd ===")) return;
    const browser = await open(recipe, [liar({ email_verified: true, hd: "example.com" })], false).browser().signIn(
      "liar",
    );
    assertNothingGained(recipe, await seen(browser));
  });

  test(`whoever reads the mail of the address gets what the recipe gives, and no hash: ${recipe.name}`, async () => {
    const site = open(recipe, [passkey()], true);
    const browser = await site.browser().signIn("email", { email: ADA });
    if (recipe.code.includes("hd ===")) return assert.equal(await browser.session(), null);
    await browser.open(site.link());
    await addHash(site);
    const session = await seen(browser);
    assert.notEqual(session, "null");
    assert.doesNotMatch(session, new RegExp(HASH));
    const isByAddress = /isEmailProven/.test(recipe.code) && !recipe.isGate;
    if (isByAddress) assert.match(session, /admin|staff/);
  });
}
