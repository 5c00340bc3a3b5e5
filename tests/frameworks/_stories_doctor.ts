/** What the command `doctor` says of the examples. */
import assert from "node:assert/strict";
import { examine } from "../../cli/main.ts";
import type { Story } from "./_words.ts";

export const doctor: readonly Story[] = [
  ["the doctor finds no error, and nothing to warn of", async (site) => {
    const { basePath, findings } = await examine(site.home);
    assert.equal(basePath, site.basePath);
    assert.deepEqual(findings.filter(({ level }) => level !== "note").map(({ id, says }) => `${id}: ${says}`), []);
  }],
];
