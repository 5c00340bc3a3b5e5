import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const FOLDER = ".github/workflows";
const NAMES = readdirSync(FOLDER);

interface Job {
  readonly name: string;
  readonly text: string;
}

/** The jobs of a workflow. Their names are what is indented by two spaces. */
function jobsOf(workflow: string): Job[] {
  const [, jobs = ""] = workflow.split(/^jobs:\n/m);
  return jobs.split(/^ {2}(?=[\w-]+:$)/m).slice(1).map((text) => ({ name: text.split(":")[0] ?? "", text }));
}

/** The shell programs of a workflow. */
function scriptsOf(workflow: string): string[] {
  const blocks = workflow.matchAll(/^( *)(?:- )?run: \|\n((?:\1 {2,}.*\n|\n)+)/gm);
  const lines = workflow.matchAll(/^ *(?:- )?run: (?!\|)(.+)$/gm);
  return [...[...blocks].map(([, , script = ""]) => script), ...[...lines].map(([, line = ""]) => line)];
}

/** What is wrong with a workflow. */
function problemsOf(workflow: string): string[] {
  const problems: string[] = [];
  for (const [, action = ""] of workflow.matchAll(/\buses: *(\S+)/g)) {
    if (!/^[\w-]+\/[\w./-]+@[0-9a-f]{40}$/.test(action)) problems.push(`${action} is not pinned by a hash`);
  }
  const [head = ""] = workflow.split(/^jobs:\n/m);
  if (!/^permissions:(?: \{\}|\n {2}contents: read)$/m.test(head)) problems.push("jobs have rights by default");
  if (/\bsecrets\b/.test(workflow)) problems.push("a stored secret is used");
  if (/pull_request_target|workflow_run/.test(head)) problems.push("strangers can start it with rights");
  for (const { name, text } of jobsOf(workflow)) {
    if (!/^ {4}timeout-minutes: \d+$/m.test(text)) problems.push(`${name} has no time limit`);
    if (!/id-token: write/.test(text)) continue;
    if (!/^ {4}environment: release$/m.test(text)) problems.push(`${name} publishes without a reviewer`);
    if (/scripts\/|\btask\b|deno@\S+ run|npm (?:ci|test|run)/.test(text)) {
      problems.push(`${name} runs the project's own code`);
    }
  }
  for (const script of scriptsOf(workflow)) {
    // What GitHub puts into a script is not quoted. In an environment variable it is only text.
    if (script.includes("${{")) problems.push("a script is put together from values");
  }
  return problems;
}

for (const name of NAMES) {
  const workflow = readFileSync(`${FOLDER}/${name}`, "utf8");

  test(`${name} runs no code that can change unseen, and publishes only what a reviewer lets pass`, () => {
    assert.deepEqual(problemsOf(workflow), []);
    assert.ok(jobsOf(workflow).length > 0);
  });

  test(`${name} has programs that a shell can read`, () => {
    const scripts = scriptsOf(workflow);
    assert.equal(scripts.length, workflow.match(/\brun: /g)?.length);
    for (const script of scripts) execFileSync("bash", ["-n"], { input: script });
  });

  test(`${name} uses the Deno that the checks use`, () => {
    const versions = (text: string) => new Set(text.match(/deno@[\w.]+/g));
    assert.deepEqual(versions(workflow), versions(readFileSync(".ci/run", "utf8")));
  });
}

test("a workflow that anybody could misuse is found", () => {
  const workflow = readFileSync(`${FOLDER}/release.yml`, "utf8");
  const step = "    steps:\n";
  const rows: [from: string | RegExp, to: string, problem: RegExp][] = [
    [step, `${step}      - uses: actions/checkout@v5\n`, /not pinned/],
    [step, `${step}      - uses: actions/checkout@08c6903\n`, /not pinned/],
    ["permissions: {}", "permissions: write-all", /rights by default/],
    ["permissions: {}\n", "", /rights by default/],
    ["github.token", "secrets.NPM_TOKEN", /stored secret/],
    ["  push:", "  pull_request_target:", /strangers/],
    ["    timeout-minutes: 60\n", "", /build has no time limit/],
    ["    environment: release\n", "", /npm publishes without a reviewer/],
    [/deno@\S+ publish/, "deno@2.9.6 task static", /jsr runs the project's own code/],
    ['checkout --quiet "refs/tags/$TAG"', "checkout ${{ github.head_ref }}", /put together/],
  ];
  for (const [from, to, problem] of rows) {
    const changed = workflow.replace(from, () => to);
    assert.notEqual(changed, workflow, to);
    assert.match(problemsOf(changed).join("; "), problem);
  }
});
