/** Attacks on the account page: what a thief, a stranger or another site tries, and what does not come of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, AuthConfig } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { accountSection, html } from "../../src/account.ts";
import { secondFactor } from "../../src/second_factor.ts";
import { linkTo, NEW, press, proveNew, send } from "../_support/account_mail.ts";
import {
  type AccountJson,
  type AccountSite,
  act,
  ADA,
  byLink,
  look,
  openAccountSite,
  read,
  waysIn,
} from "../_support/account_site.ts";
import { enrolAtOnce, prove } from "../_support/enrolling.ts";
import type { Visitor } from "../_support/visitors.ts";

const ORIGIN = "http://localhost:3000";
const DAY = 24 * 60 * 60;

type Config = Partial<Parameters<typeof openAccountSite>[0]>;

interface Scene {
  readonly site: AccountSite;
  readonly ada: Visitor;
  readonly id: string;
}

async function open(config: Config = {}): Promise<Scene> {
  const site = await openAccountSite({ adapter: memoryAdapter(), ...config });
  const ada = site.service.visitor();
  await byLink(site, ada);
  return { site, ada, id: await ada.inside() ?? assert.fail("nobody is in") };
}

/** Sends JSON, as a script of the site could. */
async function sendJson({ site, ada }: Scene, fields: object): Promise<Response> {
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, origin: ORIGIN, "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const body = JSON.stringify({ csrfToken: site.service.csrfToken, ...fields });
  return await site.service.send(new Request(`${ORIGIN}/auth/account`, { method: "POST", headers, body }));
}

test("no form says that the application has asked before", async () => {
  const scene = await open();
  const answer = await sendJson(scene, { act: "delete", isMeant: true, byApplication: true });
  assert.equal((await read(answer)).problem, "typed");
  assert.ok(await scene.site.adapter.getUser?.(scene.id));
});

test("a place that is never said keeps nobody from signing in", async () => {
  const site = await openAccountSite({
    adapter: memoryAdapter(),
    options: { place: () => new Promise(() => {}) },
    timeouts: { total: 0.4 },
  });
  const ada = site.service.visitor();
  await ada.ask(ADA);
  const entered = await ada.open(site.service.links.get(ADA) ?? assert.fail());
  assert.doesNotMatch(entered.headers.get("location") ?? "error", /error/);
  assert.equal((await look(ada)).view?.sessions?.[0]?.place, null);
});

test("a long place is cut between characters", async () => {
  const { ada } = await open({ options: { place: () => `${"x".repeat(127)}😀` } });
  const place = (await look(ada)).view?.sessions?.[0]?.place;
  assert.ok(place?.isWellFormed());
});

test("a section that is never drawn is left out", async () => {
  const sections = [
    accountSection({ id: "slow", title: "Slow", render: () => new Promise(() => {}) }),
    accountSection({ id: "fast", title: "Fast", render: () => html`<p>Here</p>` }),
  ];
  const { ada } = await open({ options: { sections }, timeouts: { total: 0.4 } });
  assert.deepEqual((await look(ada)).sections.map(({ id }) => id), ["fast"]);
});

test("what the application throws before a deletion deletes nobody, and is its own", async () => {
  const scene = await open({
    options: {
      delete: () => {
        throw new Error("the bank is closed");
      },
    },
  });
  const answer = await send(scene.ada, { act: "delete", typed: ADA });
  assert.equal(answer.error, "Configuration");
  assert.ok(await scene.site.adapter.getUser?.(scene.id));
  assert.equal(scene.site.service.errors.at(-1)?.name, "CallbackRouteError");
});
