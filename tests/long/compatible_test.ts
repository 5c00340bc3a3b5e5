/** Breaks what the package promises, one promise at a time, in a copy of this project, and expects the gate to refuse it. */
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { readOverrides, readSnapshot } from "../compatibility/_files.ts";
import { report } from "../compatibility/_report.ts";
import { weigh } from "../compatibility/_snapshot.ts";
import { SNAPSHOTS } from "../compatibility/all.ts";
import { BREACHES } from "../compatibility/breaking.ts";
import { compile } from "../compatibility/programs.ts";
import { makeCopies } from "../mutants/_copies.ts";
import { patch } from "../mutants/_patch.ts";

const { version } = JSON.parse(await readFile("deno.json", "utf8")) as { readonly version: string };
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
  const args = ["run", "--no-check", "--allow-all", "scripts/compatible.ts", "--quick"];
  const { stdout, code } = await new Deno.Command(Deno.execPath(), { args, cwd: copy, stdin: "null" }).output();
  assert.equal(code, 0, new TextDecoder().decode(stdout));
});

for (const snapshot of SNAPSHOTS.filter(({ needs }) => needs === "history")) {
  test(`the ${snapshot.id} that were promised are kept`, async () => {
    const [before, after] = [readSnapshot(snapshot.id), await snapshot.current()];
    const findings = weigh(snapshot, before, after, readOverrides());
    assert.deepEqual(findings, [], `\n${report(snapshot, after.length, findings, version).join("\n")}`);
  });
}

test("programs are compiled against the sources, and what the compiler says is told of each", async () => {
  const folder = resolve("npm/compatible/some");
  await mkdir(folder, { recursive: true });
  const texts = {
    right:
      'import { createAuth } from "@x/auth";\nexport const auth = createAuth({ providers: [], trustHost: true });\n',
    wrong:
      'import { createAuth } from "@x/auth";\n\nexport const auth = createAuth({ providers: [], trustHost: "a" });\n',
    apart: 'import type {} from "@x/auth";\ndeclare module "@x/auth" {\n  interface User { team?: string }\n}\n',
    missing: 'import { signUp } from "@x/auth";\nsignUp();\n',
  };
  const programs = await Promise.all(
    Object.entries(texts).map(async ([name, text]) => {
      const file = join(folder, name, "main.ts");
      await mkdir(join(folder, name), { recursive: true });
      await writeFile(file, text);
      return { name, file, folder: join(folder, name) };
    }),
  );
  const errors = await compile(programs);
  const said = programs.map(({ name, file }) =>
    `${name}: ${errors.get(file)?.replace(/'"file:.*\/mod\.ts"'/, "mod.ts")}`
  );
  assert.deepEqual(said, [
    "right: undefined",
    "wrong: TS2322: Type 'string' is not assignable to type 'boolean | undefined'.",
    "apart: undefined",
    "missing: TS2305: Module mod.ts has no exported member 'signUp'.",
  ]);
});
