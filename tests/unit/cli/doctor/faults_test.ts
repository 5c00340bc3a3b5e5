import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { CHECKS } from "../../../../cli/doctor/checks.ts";
import { jsonLines, textOf } from "../../../../cli/doctor/print.ts";
import { CANARIES, startDoctorSite } from "../../../_support/doctor_site.ts";
import { FAULTS, SOUND_ISSUER } from "../../../_support/doctor_lies.ts";

describe("doctor() finds", () => {
  for (const { what, ids, says, lies, given, options } of FAULTS) {
    test(what, async () => {
      const site = await startDoctorSite(lies);
      try {
        const report = await site.doctor(given, options);
        assert.deepEqual(report.findings.map(({ id }) => id).toSorted(), ids);
        assert.ok(
          report.findings.some((each) => says.test(each.says)),
          report.findings.map((each) => each.says).join(),
        );
        const output = textOf(report, false) + jsonLines(report);
        const secrets = [...Object.values(CANARIES), ...[...site.values].filter((value) => value.length > 8)];
        for (const secret of [...secrets, "canary"]) assert.ok(!output.includes(secret), secret);
        for (const line of textOf(report, false).split("\n")) {
          assert.ok(line.length <= 80 || !line.includes(" ", 4), line);
        }
      } finally {
        await site.close();
      }
    });
  }

  test("at least one seeded fault for each check that a site by https can fail", () => {
    const seeded = new Set(FAULTS.flatMap(({ ids }) => ids));
    assert.ok(FAULTS.length >= 100);
    assert.deepEqual(CHECKS.map(({ id }) => id).filter((id) => !seeded.has(id)), [
      "certificate",
      "plain-http",
      "site-by-address",
      "cookie-on-http",
    ]);
  });

  test("nothing on a site that is sound, with a provider that publishes metadata, too", async () => {
    for (const lies of [{}, SOUND_ISSUER]) {
      const site = await startDoctorSite(lies);
      try {
        const { findings, callbacks, basePath } = await site.doctor();
        assert.deepEqual(findings, []);
        assert.equal(basePath, "/auth");
        assert.deepEqual(callbacks, [{ provider: "id", url: "https://shop.example/auth/callback/id" }]);
      } finally {
        await site.close();
      }
    }
  });
});
