/** Takes each guard out, one at a time, in a copy of this project, and expects a test to go red. */
import { after, test } from "node:test";
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printLine } from "../../scripts/print.ts";
import { patch } from "../mutants/_patch.ts";
import { type Mutant, MUTANTS } from "../mutants/all.ts";

/** Copies, in each of which one flaw is tried at a time. */
const WORKERS = 2;

/** Seconds that the tests of one mutant may take, and those of all without a flaw. */
const DEADLINE = 120;
const DEADLINE_OF_ALL = 900;

// Without it `__proto__` is a member like any other in Deno, and what guards other runtimes against it has no effect.
const PROTOTYPES = ["--unstable-unsafe-proto"];

// `MUTANTS` is a part of their names; `MUTANTS_SHARE=1/6` takes every sixth of them, from the second on.
const wanted = Deno.env.get("MUTANTS") ?? "";
const [which = 0, of = 1] = (Deno.env.get("MUTANTS_SHARE") ?? "0/1").split("/").map(Number);
const chosen = MUTANTS.filter(({ name }) => name.includes(wanted)).filter((_, at) => at % of === which);

const base = await mkdtemp(join(tmpdir(), "mutants-"));
after(() => rm(base, { recursive: true, force: true }));

// The second is copied from the first, so that both are of the same moment.
const copies = Array.from({ length: WORKERS }, (_, number) => join(base, String(number)));
for (const [at, copy] of copies.entries()) {
  await cp(copies[at - 1] ?? ".", copy, { recursive: true, filter: (path) => !/(?:^|\/)\.git$|^npm$/.test(path) });
}

test("the tests that guard against flaws are green without one", async () => {
  const files = [...new Set(chosen.flatMap(({ tests }) => tests))];
  const runs = await Promise.all(copies.map(async (copy, number) => {
    const share = files.filter((_, at) => at % WORKERS === number);
    return share.length > 0 ? await run(copy, share, { seconds: DEADLINE_OF_ALL }) : { code: 0, output: "" };
  }));
  for (const { code, output } of runs) assert.equal(code, 0, output.slice(-5000));
});

test("every flaw that is put back is seen by a test", async () => {
  const queue = [...chosen];
  const unseen: string[] = [];
  let seen = 0;
  await Promise.all(copies.map(async (copy) => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      const { witness, complaint } = await tryOn(copy, mutant);
      if (witness) seen++;
      else unseen.push(`${mutant.name}: ${complaint}`);
      printLine(`${mutant.name}\n    ${witness ? `red: ${witness}` : `NOT RED: ${complaint}`}`);
    }
  }));
  printLine(`mutants: ${seen} of ${chosen.length} seen red`);
  assert.deepEqual(unseen, []);
  assert.ok(chosen.length > 0, `no mutant is named ${wanted}`);
});

/** The test that saw a flaw, or what happened instead. */
interface Verdict {
  readonly witness?: string | undefined;
  readonly complaint?: string;
}

async function tryOn(copy: string, { file, find, replace, tests, ...options }: Mutant): Promise<Verdict> {
  const path = join(copy, file);
  const whole = await readFile(path, "utf8");
  let flawed;
  try {
    flawed = patch(whole, find, replace);
  } catch (error) {
    return { complaint: `the patch does not fit ${file}: ${error}` };
  }
  await writeFile(path, flawed);
  const { code, output } = await run(copy, tests, options);
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

async function run(
  cwd: string,
  tests: readonly string[],
  { only, seconds = DEADLINE }: { readonly only?: string; readonly seconds?: number },
): Promise<{ code: number; output: string }> {
  const filter = only === undefined ? [] : ["--filter", only];
  const signal = AbortSignal.timeout(seconds * 1000);
  const command = new Deno.Command(Deno.execPath(), {
    args: ["test", "--no-check", "--no-prompt", "--allow-all", ...PROTOTYPES, "--fail-fast", ...filter, ...tests],
    cwd,
    env: { NO_COLOR: "1" },
    stdin: "null",
    signal,
  });
  const { code, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  const late = signal.aborted ? `\nThe tests took longer than ${seconds} seconds` : "";
  return { code, output: text.decode(stdout) + text.decode(stderr) + late };
}
