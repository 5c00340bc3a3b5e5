/** What each flow asks of storage: these calls, in this order, and no other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MEMORY, PLAIN_STORE, type StoreKind } from "../_support/stores.ts";
import { type Flow, FLOWS } from "./_storage_flows.ts";
import { openWorld, type Strategy } from "./_storage_world.ts";

/** The calls of a flow where storage can do everything, and where it has the nineteen operations alone. */
interface Calls {
  readonly complete: string;
  readonly plain: string;
}

/** With stored sessions. With sealed ones there are the same, but for those of the session. */
const CALLS: Readonly<Record<string, Calls>> = {
  "somebody new, by OAuth": {
    complete: "once getUserByAccount getUserByEmail commit",
    plain: "getUserByAccount getUserByEmail getUser getUser createUser linkAccount createSession",
  },
  "somebody new, by OpenID Connect": {
    complete: "once getUserByAccount getUserByEmail commit",
    plain: "getUserByAccount getUserByEmail getUser getUser createUser linkAccount createSession",
  },
  "somebody known, by OAuth": {
    complete: "once getUserByAccount commit",
    plain: "getUserByAccount createSession",
  },
  "somebody signed in, who adds an account": {
    complete: "getSessionAndUser once getSessionAndUser getUserByAccount commit",
    plain: "getSessionAndUser getSessionAndUser getUserByAccount linkAccount getSessionAndUser",
  },
  "somebody whose address another user has": {
    complete: "once getUserByAccount getUserByEmail getUserByAccount",
    plain: "getUserByAccount getUserByEmail getUserByAccount",
  },
  "somebody whose address another user has, where addresses link": {
    complete: "once getUserByAccount getUserByEmail getUserByAccount listAccountsByUserId commit",
    plain: "getUserByAccount getUserByEmail getUserByAccount linkAccount createSession",
  },
  "somebody new, by password": {
    complete: "getAccount getUser getUserByEmail commit",
    plain: "getUserByAccount getUser getUserByEmail createUser linkAccount createSession",
  },
  "somebody known, by password": {
    complete: "getAccount getUser commit",
    plain: "getUserByAccount getUser linkAccount createSession",
  },
  "a session that is read": { complete: "getSessionAndUser", plain: "getSessionAndUser" },
  "a session that is read and renewed": {
    complete: "getSessionAndUser updateSession",
    plain: "getSessionAndUser getSessionAndUser updateSession",
  },
  "a session that is changed": {
    complete: "getSessionAndUser updateSession",
    plain: "getSessionAndUser getSessionAndUser updateSession",
  },
  "a session that is ended": { complete: "deleteSession", plain: "deleteSession" },
  "a session that has expired": {
    complete: "getSessionAndUser deleteSession",
    plain: "getSessionAndUser deleteSession",
  },
  "somebody who asks for a link": {
    complete: "getUserByEmail createVerificationToken",
    plain: "getUserByEmail createVerificationToken",
  },
  "somebody new, by a link": {
    complete: "getVerificationToken getUserByEmail commit",
    plain: "useVerificationToken getUserByEmail createUser createSession",
  },
  "somebody known and unverified, by a link": {
    complete: "getVerificationToken getUserByEmail listAccountsByUserId commit",
    plain: "useVerificationToken getUserByEmail updateUser updateUser createSession",
  },
  "somebody known and verified, by a link": {
    complete: "getVerificationToken getUserByEmail commit",
    plain: "useVerificationToken getUserByEmail createSession",
  },
};

/** What differs with sealed sessions besides: who is signed in is looked up when the account is added. */
const SEALED: Readonly<Record<string, Calls>> = {
  "somebody signed in, who adds an account": {
    complete: "once getSessionAndUser getUserByAccount commit",
    plain: "getUser getUserByAccount linkAccount getUser",
  },
};

function expectedOf(flow: Flow, kind: StoreKind, strategy: Strategy): string {
  const side = kind.hasCommit ? "complete" : "plain";
  const calls = CALLS[flow.name]?.[side] ?? "";
  return strategy === "database" ? calls : SEALED[flow.name]?.[side] ?? calls.replace(/ createSession$/, "");
}

for (const flow of FLOWS) {
  for (const kind of [MEMORY, PLAIN_STORE]) {
    for (const strategy of flow.strategies ?? ["database", "jwt"] as const) {
      test(`storage gets no more calls than needed: ${flow.name} (${kind.name}, ${strategy})`, async () => {
        const world = await openWorld(flow, kind, strategy);
        const browser = await flow.prepare(world);
        world.trap.reset();
        await flow.act(world, browser);
        assert.equal(world.trap.calls.join(" "), expectedOf(flow, kind, strategy));
      });
    }
  }
}

test("every flow has its row", () => {
  assert.deepEqual(Object.keys(CALLS).toSorted(), FLOWS.map(({ name }) => name).toSorted());
});

test("a visitor without a session causes no call to storage", async () => {
  const [flow] = FLOWS;
  assert.ok(flow);
  const { visitor, trap } = await openWorld(flow, MEMORY, "database");
  const browser = visitor();
  for (const path of ["session", "csrf", "providers", "signin", "signout", "error", "verify-request"]) {
    await browser.get(`/auth/${path}`);
  }
  await browser.post("/auth/signout", { csrfToken: await browser.csrf() });
  assert.deepEqual(trap.calls, []);
});

test("pages cause no call to storage, whoever looks at them", async () => {
  const flow = FLOWS.find(({ name }) => name === "a session that is read");
  assert.ok(flow);
  const world = await openWorld(flow, MEMORY, "database");
  const browser = await flow.prepare(world);
  world.trap.reset();
  for (const path of ["csrf", "providers", "error", "verify-request"]) await browser.get(`/auth/${path}`);
  assert.deepEqual(world.trap.calls, []);
});
