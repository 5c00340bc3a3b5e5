/** Breaks what the package promises, one promise at a time, in a copy of this project, and expects the gate to refuse it. */
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BREACHES } from "../compatibility/breaking.ts";
import { makeCopies } from "../mutants/_copies.ts";
import { patch } from "../mutants/_patch.ts";

const copies = await makeCopies(1);
after(() => rm(copies.base, { recursive: true, force: true }));

for (const { name, file, find, replace, snapshots, breaks } of BREACHES) {
  test(`${name}: the gate ${breaks === null ? "lets it pass" : `says that this breaks ${breaks}`}`, async () => {
    const [copy = ""] = copies.paths;
    const path = join(copy, file);
    const whole = await readFile(path, "utf8");
    await writeFile(path, patch(whole, find, replace));
    try {
      const args = ["run", "--no-check", "--allow-all", "scripts/compatible.ts", ...snapshots];
      const command = new Deno.Command(Deno.execPath(), { args, cwd: copy, env: { NO_COLOR: "1" }, stdin: "null" });
      const { code, stdout, stderr } = await command.output();
      const said = new TextDecoder().decode(stdout);
      const all = said + new TextDecoder().decode(stderr);
      if (breaks === null) assert.ok(code === 0 && !said.includes("MAJOR"), all);
      else assert.ok(code === 1 && said.includes(`This breaks ${breaks}. Take it back, or release `), all);
    } finally {
      await writeFile(path, whole);
    }
  });
}

test("the gate lets pass what nobody has changed", async () => {
  const [copy = ""] = copies.paths;
  const args = ["run", "--no-check", "--allow-all", "scripts/compatible.ts"];
  const { stdout, code } = await new Deno.Command(Deno.execPath(), { args, cwd: copy, stdin: "null" }).output();
  assert.equal(code, 0, new TextDecoder().decode(stdout));
});
