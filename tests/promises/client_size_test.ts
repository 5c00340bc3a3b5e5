import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { run } from "../../scripts/npm/run.ts";
import { printLine } from "../../scripts/print.ts";

/** A program that a page loads, and the most bytes it may take: minified and compressed, without the framework. */
interface Program {
  readonly name: string;
  readonly text: string;
  readonly most: number;
}

const PROGRAMS: readonly Program[] = [
  {
    name: "getSession",
    text: 'import { getSession } from "../client/client.ts"; console.log(await getSession());',
    most: 1000,
  },
  { name: "client", text: 'export * from "../client/client.ts";', most: 2350 },
  {
    name: "react",
    text: 'export * from "../client/client.ts"; export { SessionProvider, useSession } from "../client/react.ts";',
    most: 2875,
  },
  { name: "react_alone", text: 'export * from "../client/react.ts";', most: 2500 },
  ...["vue", "svelte", "solid"].map((name) => ({ name, text: `export * from "../client/${name}.ts";`, most: 2000 })),
  ...["client", "react", "vue", "svelte", "solid"].map((name) => ({
    name: `own_${name}`,
    text: `export * from "../client/account/${name}.ts";`,
    most: 2575,
  })),
];

/** What is loaded when it is first wanted. */
const LATE: Readonly<Record<string, number>> = {
  forms: 1675,
  passkeys: 1550,
  popup: 600,
  refetch: 400,
  challenge: 400,
  second_factor: 800,
  password: 650,
  account: 1150,
};

describe("the client", () => {
  let folder = "";
  before(async () => {
    // Below the project, so that the configuration is found.
    await mkdir("npm", { recursive: true });
    folder = await mkdtemp("npm/size-");
  });
  after(() => rm(folder, { recursive: true }));

  /** Bundles a program, and gives the compressed size of each file. */
  async function measure({ name, text }: Program): Promise<ReadonlyMap<string, number>> {
    const entry = `${folder}/${name}.ts`;
    await writeFile(entry, text.replaceAll("../client/", "../../client/"));
    const out = `${folder}/${name}`;
    const external = ["react", "vue", "solid-js"].map((each) => `--external=${each}`);
    const options = ["--quiet", "--frozen", "--minify", "--platform=browser", "--code-splitting", `--outdir=${out}`];
    await run(Deno.execPath(), ["bundle", ...options, ...external, entry]);
    const files = (await readdir(out)).filter((file) => file.endsWith(".js"));
    const sizes = await Promise.all(
      files.map(async (file) => [file, gzipSync(await readFile(`${out}/${file}`), { level: 9 }).length] as const),
    );
    return new Map(sizes);
  }

  for (const program of PROGRAMS) {
    test(`takes at most ${program.most} bytes as ${program.name}`, async () => {
      const sizes = await measure(program);
      const late = [...sizes].filter(([file]) =>
        /^(?:forms|passkeys|popup|refetch|challenge|second_factor|password|account)-/.test(file)
      );
      const start = [...sizes].filter(([file]) => !late.some(([name]) => name === file));
      const size = start.reduce((sum, [, size]) => sum + size, 0);
      printLine(`${program.name}: ${size} bytes, later ${late.map(([file, size]) => `${file} ${size}`).join(", ")}`);
      assert.ok(size <= program.most, `${size} bytes`);
      assert.ok(late.length > 0, "what is rarely wanted is loaded when it is");
      for (const [file, size] of late) {
        assert.ok(size <= (LATE[file.replace(/-.*/, "")] ?? 0), `${file} takes ${size} bytes`);
      }
    });
  }
});
