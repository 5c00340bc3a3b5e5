/** The recipe for several tenants, as it is printed, with two of them and somebody who takes a cookie to the other. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import process from "node:process";
import { after, before, describe, test } from "node:test";
import { encode } from "@x/auth/jwt";
import { blocksOf } from "../../scripts/docs/blocks.ts";

type Handler = (request: Request) => Promise<Response>;

describe("the recipe for several tenants", () => {
  let folder = "";
  let handler: Handler;
  let env: Readonly<Record<string, string>> = {};
  before(async () => {
    const page = "docs/recipes.md";
    const block = blocksOf(page, await readFile(page, "utf8")).find(({ file }) => file === "tenants.ts");
    assert.ok(block);
    // Below the project, so that the configuration is found.
    await mkdir("npm", { recursive: true });
    folder = await mkdtemp("npm/tenants-");
    await writeFile(`${folder}/tenants.ts`, block.code);
    env = block.env;
    Object.assign(process.env, env, { AUTH_SECRET: "a secret that all tenants would share, if they had none" });
    ({ handler } = await import(`../../${folder}/tenants.ts`));
  });
  after(async () => {
    for (const name of [...Object.keys(env), "AUTH_SECRET"]) delete process.env[name];
    await rm(folder, { recursive: true });
  });

  /** Who is signed in at a tenant, with the cookie that another one made, under any name. */
  async function seenAt(tenant: string, from: string, cookieName: string): Promise<string | null> {
    const secret = env[`${from.toUpperCase()}_SECRET`] ?? "";
    const token = await encode({ token: { sub: "1", name: "Ada" }, secret, salt: `${from}.session-token` });
    const headers = { cookie: `${cookieName}=${token}` };
    const answer = await handler(new Request(`https://${tenant}.example.com/auth/session`, { headers }));
    assert.equal(answer.status, 200);
    return (await answer.json())?.user?.name ?? null;
  }

  test("lets each tenant's people in", async () => {
    for (const tenant of ["one", "two", "one"]) {
      assert.equal(await seenAt(tenant, tenant, `${tenant}.session-token`), "Ada");
    }
  });

  test("gives a session of one tenant no meaning at the other, whatever the cookie is called", async () => {
    for (const [tenant, from] of [["two", "one"], ["one", "two"]] as const) {
      for (const name of [`${from}.session-token`, `${tenant}.session-token`, "__Secure-authjs.session-token"]) {
        assert.equal(await seenAt(tenant, from, name), null, name);
      }
    }
  });

  test("opens nothing with the secret that tenants without one of their own would share", async () => {
    env = { ...env, NOBODY_SECRET: process.env.AUTH_SECRET ?? "" };
    assert.equal(await seenAt("one", "nobody", "one.session-token"), null);
  });

  test("has no session and no way to sign in for a host that is no tenant's", async () => {
    env = { ...env, THREE_SECRET: env.ONE_SECRET ?? "" };
    for (const name of ["one", "three"]) {
      for (const cookie of [`${name}.session-token`, "__Secure-authjs.session-token"]) {
        assert.equal(await seenAt("three", name, cookie), null);
      }
    }
    const answer = await handler(new Request("https://three.example.com/auth/providers"));
    assert.deepEqual(await answer.json(), {});
  });
});
