/** Takes each guard out, one at a time, in a copy of this project, and expects a test to go red. */
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { printLine } from "../../scripts/print.ts";
import { inCopies, makeCopies, runIn } from "../mutants/_copies.ts";
import { patch } from "../mutants/_patch.ts";
import { type Mutant, MUTANTS } from "../mutants/all.ts";

/** How many copies there are. */
const WORKERS = 2;

/** Seconds that the tests of one mutant may take, and those of all without a flaw. */
const DEADLINE = 120;
const DEADLINE_OF_ALL = 900;

// `MUTANTS` is a part of their names; `MUTANTS_SHARE=1/8` takes every eighth of them, from the second on.
const wanted = Deno.env.get("MUTANTS") ?? "";
const [which = 0, of = 1] = (Deno.env.get("MUTANTS_SHARE") ?? "0/1").split("/").map(Number);
const chosen = MUTANTS.filter(({ name }) => name.includes(wanted)).filter((_, at) => at % of === which);

const copies = await makeCopies(WORKERS);
after(() => rm(copies.base, { recursive: true, force: true }));

test("the tests that guard against flaws are green without one", async () => {
  const files = [...new Set(chosen.flatMap(({ tests }) => tests))];
  const shares = [...Map.groupBy(files, (file) => files.indexOf(file) % WORKERS).values()];
  await inCopies(copies, shares, async (copy, share) => {
    const { code, output } = await runIn(copy, share, DEADLINE_OF_ALL);
    assert.equal(code, 0, output.slice(-5000));
  });
});

test("every flaw that is put back is seen by a test", async () => {
  const unseen: string[] = [];
  let seen = 0;
  await inCopies(copies, chosen, async (copy, mutant) => {
    const { witness, complaint } = await tryOn(copy, mutant);
    if (witness) seen++;
    else unseen.push(`${mutant.name}: ${complaint}`);
    printLine(`${mutant.name}\n    ${witness ? `red: ${witness}` : `NOT RED: ${complaint}`}`);
  });
  printLine(`mutants: ${seen} of ${chosen.length} seen red`);
  assert.deepEqual(unseen, []);
  assert.ok(chosen.length > 0, `no mutant is named ${wanted}`);
});

/** The test that saw a flaw, or what happened instead. */
interface Verdict {
  readonly witness?: string | undefined;
  readonly complaint?: string;
}

async function tryOn(copy: string, { file, find, replace, tests, only, seconds = DEADLINE }: Mutant): Promise<Verdict> {
  const path = join(copy, file);
  const whole = await readFile(path, "utf8");
  let flawed;
  try {
    flawed = patch(whole, find, replace);
  } catch (error) {
    return { complaint: `the patch does not fit ${file}: ${error}` };
  }
  await writeFile(path, flawed);
  const { code, output } = await runIn(copy, [...(only ? ["--filter", only] : []), ...tests], seconds);
  await writeFile(path, whole);
  if (code !== 0) return judge(output);
  return { complaint: /\| 0 passed/.test(output) ? "no test has such a name" : "all tests stay green" };
}

// A run that fails because the flaw is no program proves nothing.
function judge(output: string): Verdict {
  const broken = /ReferenceError: .*|error: .*could not be parsed.*|.*\(uncaught error\).*/.exec(output);
  if (broken) return { complaint: `the tests do not run: ${broken[0]}` };
  const summary = /^FAILED \| \d+ passed/m.test(output);
  const [, witness] = /^(.+) \.\.\. FAILED \(.+\)$/m.exec(output) ?? [];
  return summary && witness ? { witness } : { complaint: `no test failed:\n${output.slice(-2000)}` };
}
