/** Attacks on second factors that were played once: each ends the same way whatever the sessions are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { sessionFunctions } from "../../src/service/session_actions.ts";
import * as enrolling from "../_support/enrolling.ts";
import { ADA, codeAt, openFactorSite, proofOf } from "../_support/second_factor.ts";

const STRATEGIES = ["jwt", "database"] as const;

for (const strategy of STRATEGIES) {
  test(`a sign-in that waits ends with all sessions of its user: strategy ${strategy}`, async () => {
    for (const by of ["the application", "another of their sessions"]) {
      const site = await openFactorSite({ session: { strategy } });
      const id = await site.join(ADA);
      const ada = await site.begin(ADA);
      await ada.post("/auth/challenge", { method: "totp", code: await codeAt(site.runtime) });
      const thief = await site.begin(ADA);
      const { revokeAll, revokeOthers } = sessionFunctions(site.service.engine);
      const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      if (by === "the application") await revokeAll(id);
      else await revokeOthers(new Request("http://localhost:3000", { headers: { cookie } }));
      site.runtime.advance(60);
      await thief.post("/auth/challenge", { method: "totp", code: await codeAt(site.runtime) });
      assert.equal(await proofOf(thief), null, by);
      assert.equal(await proofOf(ada) !== null, by !== "the application", by);
    }
  });
}

test("a thief whose sign-in waits adds nothing once the owner has undone what was added", async () => {
  for (const strategy of STRATEGIES) {
    const site = await enrolling.openFactorSite({ adapter: memoryAdapter(), session: { strategy } });
    const [ada, thief] = [site.service.visitor(), site.service.visitor()];
    await enrolling.byLink(site, ada);
    await enrolling.enrol(site, ada);
    const token = enrolling.undoLink(site).searchParams.get("token") ?? "";
    // Both have only the first proof.
    await enrolling.byLink(site, thief);
    const owner = site.service.visitor();
    await enrolling.byLink(site, owner);
    await owner.post("/auth/factors", { act: "undo", token });
    const { step } = await enrolling.read(await thief.post("/auth/factors", { act: "totp" }));
    assert.equal(step, undefined, strategy);
    assert.equal(await ada.inside(), null);
  }
});
