import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { installHostileGlobals, installKeepingResponse } from "../_support/hostile_globals.ts";
import { openAllProviders, visitInTurns } from "../_support/two_visitors.ts";

const ORIGIN = "http://localhost:3000";

let restore = (): void => {};
before(() => void (restore = installHostileGlobals()));
after(() => restore());

for (const strategy of ["jwt", "database"] as const) {
  test(`a Response that shares what it is given shows nobody what is another's, with sessions of ${strategy}`, async () => {
    const answer = openAllProviders(strategy, ORIGIN);
    for (const seed of [1, 2, 3]) {
      await visitInTurns((path, init) => answer(new Request(ORIGIN + path, init)), { origin: ORIGIN, seed, steps: 60 });
    }
  });
}

test("a Response that shares what it is given has the headers of every answer", async () => {
  const answer = openAllProviders("jwt", ORIGIN);
  for (const path of ["/auth/session", "/auth/providers", "/auth/nothing", "/auth/signin"]) {
    const first = await answer(new Request(ORIGIN + path));
    first.headers.append("set-cookie", "of=the first");
    first.headers.set("vary", "spoiled");
    const second = await answer(new Request(ORIGIN + path));
    assert.equal(second.headers.get("vary"), "Cookie", path);
    assert.ok(!second.headers.getSetCookie().includes("of=the first"), path);
  }
});

test("a Response that keeps what it makes can write on no answer but its own", async () => {
  const answer = openAllProviders("jwt", ORIGIN);
  const { kept, restore } = installKeepingResponse();
  try {
    for (let round = 0; round < 3; round++) {
      for (const path of ["/auth/session", "/auth/providers", "/auth/nothing", "/auth/callback/github"]) {
        const { headers } = await answer(new Request(ORIGIN + path));
        assert.deepEqual([headers.get("vary"), headers.get("x-late")], ["Cookie", null], path);
        for (const { headers } of kept) headers.set("x-late", "1");
      }
    }
  } finally {
    restore();
  }
});

test("a Response that has only the headers it was made with has them in every answer", async () => {
  const answer = openAllProviders("jwt", ORIGIN);
  const { Response: before } = globalThis;
  restore();
  const { Response: own } = globalThis;
  globalThis.Response = class extends own {
    override get headers(): Headers {
      return new Headers(super.headers);
    }
  };
  try {
    for (const path of ["/auth/session", "/auth/providers", "/auth/nothing", "/auth/signin"]) {
      const { headers } = await answer(new Request(ORIGIN + path));
      assert.equal(headers.get("vary"), "Cookie", path);
      assert.equal(headers.get("x-content-type-options"), "nosniff", path);
    }
  } finally {
    globalThis.Response = before;
  }
});
