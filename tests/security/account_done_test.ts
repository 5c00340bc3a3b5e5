/** What the account page says was done: only what was done just now, by whoever looks at it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { ACCOUNT_ACTS } from "../../src/account/table.ts";
import { type AccountSite, byLink, openAccountSite } from "../_support/account_site.ts";
import type { Visitor } from "../_support/visitors.ts";

const ORIGIN = "http://localhost:3000";

/** Asks for a page as a browser does, and sends a form if there are fields. */
async function browse(
  { service }: AccountSite,
  { cookies }: Visitor,
  path: string,
  fields?: Readonly<Record<string, string>>,
): Promise<Response> {
  const headers = new Headers({ "accept": "text/html", "sec-fetch-site": "same-origin", "origin": ORIGIN });
  headers.set("cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
  if (!fields) return await service.send(new Request(ORIGIN + path, { headers }));
  const body = new URLSearchParams({ csrfToken: service.csrfToken, ...fields });
  return await service.send(new Request(ORIGIN + path, { method: "POST", headers, body }));
}

async function saidAt(site: AccountSite, visitor: Visitor, path: string): Promise<string | null> {
  const html = await (await browse(site, visitor, path)).text();
  assert.match(html, /<h1[^>]*>Your account/);
  return /<p class="done" role="status">([^<]*)/.exec(html)?.[1] ?? null;
}

async function openWithAda(config: Parameters<typeof openAccountSite>[0] = { adapter: memoryAdapter() }) {
  const site = await openAccountSite(config);
  const ada = site.service.visitor();
  await byLink(site, ada);
  /** Sends a form, and gives where the browser goes then. */
  const press = async (fields: Readonly<Record<string, string>>, visitor = ada): Promise<string> => {
    const response = await browse(site, visitor, "/auth/account", fields);
    assert.equal(response.status, 303);
    const { pathname, search } = new URL(response.headers.get("location") ?? "");
    return pathname + search;
  };
  return { site, ada, press };
}

test("a link does not make the page say that something was done", async () => {
  const { site, ada } = await openWithAda();
  for (const done of Object.keys(ACCOUNT_ACTS)) {
    assert.equal(await saidAt(site, ada, `/auth/account?done=${done}`), null, done);
    const mark = `${Math.floor(site.runtime.now() / 1000)}.00000000-0000-8000-8000-000000000000`;
    assert.equal(await saidAt(site, ada, `/auth/account?done=${done}&mark=${mark}`), null, done);
  }
});

for (
  const [act, fields, said] of [
    ["rename", { name: "Ada King" }, "Your change was saved."],
    ["endOthers", {}, "You are signed out on all other devices."],
    ["cancelEmail", {}, "Your email address stays as it is."],
  ] as const
) {
  test(`the page says what was done just now, to whoever did it: ${act}`, async () => {
    const { site, ada, press } = await openWithAda();
    const back = await press({ act, ...fields });
    assert.equal(new URL(back, ORIGIN).searchParams.get("done"), act);
    assert.equal(await saidAt(site, ada, back), said);
    const others = back.replace(`done=${act}`, "done=keep");
    assert.equal(await saidAt(site, ada, others), null, "of another act");
    const bob = site.service.visitor();
    await byLink(site, bob, "bob@example.com");
    assert.equal(await saidAt(site, bob, back), null, "to somebody else");
    site.runtime.advance(61);
    assert.equal(await saidAt(site, ada, back), null, "a minute later");
  });
}

test("the page says what was done also after the secret has changed", async () => {
  const adapter = memoryAdapter();
  const [former, later] = ["0".repeat(48), "1".repeat(48)];
  const { ada, press } = await openWithAda({ adapter, secret: former });
  const back = await press({ act: "rename", name: "Ada King" });
  const site = await openAccountSite({ adapter, secret: [later, former] });
  assert.equal(await saidAt(site, ada, back), "Your change was saved.");
});
