// Programs as users of Auth.js write them compile after the change of their imports. scripts/npm/authjs_types.ts compiles
// them against the package of npm, too.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { rm } from "node:fs/promises";
import { AUGMENTING, PLAIN, withOurImports } from "../_support/authjs_snippets.ts";

const root = JSON.parse(await Deno.readTextFile("deno.json"));
const folder = await Deno.makeTempDir();
after(() => rm(folder, { recursive: true }));

const tree = new URL("../../", import.meta.url).href;
const ours = Object.entries(root.exports as Readonly<Record<string, string>>).map(([subpath, file]) => {
  return ["@x/auth" + subpath.slice(".".length), new URL(file, tree).href];
});
const config = {
  imports: { ...root.imports, ...Object.fromEntries(ours) },
  // As applications have it.
  compilerOptions: { strict: true, noImplicitOverride: false, lib: root.compilerOptions.lib },
  nodeModulesDir: "none",
  unstable: root.unstable,
};
await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(config));

/**
 * Says what the compiler has against programs. What it has against the files of this package is left out: an application
 * gets them as declarations, or from a registry, and Deno reports nothing of either.
 */
async function complaints(programs: readonly string[]): Promise<string[]> {
  const files = await Promise.all(programs.map(async (program, index) => {
    const file = `${folder}/program_${index}.ts`;
    await Deno.writeTextFile(file, withOurImports(program));
    return file;
  }));
  const { stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--config", `${folder}/deno.json`, ...files],
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  const said = new TextDecoder().decode(stderr).split(/\n\n(?=TS\d+ )/);
  assert.match(said[0] ?? "", /^Check /);
  // The place of a complaint stands below it, before the places that it refers to.
  return said.filter((text) => /\n {4}at (\S+)/.exec(text)?.[1]?.includes("/program_"));
}

test("the compiler is heard", async () => {
  const [said = "", ...others] = await complaints([`
    import NextAuth from "next-auth";
    const { auth } = NextAuth({ providers: [], session: { strategy: "jwt" } });
    export const wrong: number = await auth();
  `]);
  assert.match(said, /TS2322/);
  assert.equal(others.length, 0);
});

test("there are 25 programs, and none of them imports Auth.js after the change", () => {
  const programs = [...Object.values(PLAIN), ...Object.values(AUGMENTING)];
  assert.equal(programs.length, 25);
  for (const program of programs) assert.doesNotMatch(withOurImports(program), /"(?:next-auth|@auth\/)/);
});

test("programs of Auth.js compile after the change of their imports", async () => {
  assert.deepEqual(await complaints(Object.values(PLAIN)), []);
});

for (const [name, program] of Object.entries(AUGMENTING)) {
  test(`a program that adds to the types compiles after the change of its imports: ${name}`, async () => {
    assert.deepEqual(await complaints([program]), []);
  });
}
