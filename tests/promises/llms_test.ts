import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fullPages, fullText, indexText, plainText, rulesIn } from "../../scripts/docs/llms.ts";
import { pages, readBlocks } from "../../scripts/docs/run.ts";

test("llms.txt is what scripts/docs/llms.ts writes", () => {
  assert.equal(readFileSync("llms.txt", "utf8"), indexText());
});

test("llms.txt names every guide by its address", () => {
  const guides = pages().filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
  const index = indexText();
  assert.deepEqual(guides.filter((page) => !index.includes(`(https://github.com/x/auth/blob/main/${page})`)), []);
});

test("llms-full.txt has every guide with its programs, and says where the others are", () => {
  const text = fullText();
  const left = pages().filter((page) => !fullPages().includes(page));
  assert.deepEqual(left, [
    "README.md",
    "docs/README.md",
    "docs/command.md",
    "docs/doctor.md",
    "docs/providers.md",
    "docs/stability.md",
  ]);
  for (const page of left) assert.ok(text.includes(`\n- ${page}: `), page);
  for (const page of fullPages()) assert.ok(text.includes(`<!-- ${page} -->\n\n${plainText(page)}`), page);
  const programs = readBlocks(fullPages()).map(({ code }) => code.trimEnd().split("\n").map((line) => line.trim()));
  const lines = new Set(text.split("\n").map((line) => line.trim()));
  assert.deepEqual(programs.flat().filter((line) => !lines.has(line)), []);
});

test("llms-full.txt has no comments for tests, no padding of tables, and no relative link", () => {
  const prose = fullText().replaceAll(/^ *```[^]*?^ *```$/gm, "");
  assert.equal(/<!-- run:/.test(prose), false);
  assert.equal(/ {3,}\|$/m.test(prose), false);
  assert.deepEqual(prose.replaceAll(/`[^`\n]+`/g, "").match(/\]\((?!https?:|#)[^)]+\)/g), null);
});

const page = readFileSync("docs/assistants.md", "utf8");

test("there are twelve rules, each with what never to write and a program that is asked for something", () => {
  const rules = rulesIn(page);
  assert.deepEqual(rules.map(({ title }) => Number.parseInt(title)), Array.from({ length: 12 }, (_, at) => at + 1));
  for (const { title, never, programs } of rules) {
    assert.match(never, /^Never \w/, title);
    assert.equal(programs.length, 1, title);
    assert.match(programs[0] ?? "", /^<!-- run: .*(?:GET|POST|VISIT) \//, title);
  }
});

/** What the rules forbid, as far as the text of a program shows it. */
const FORBIDDEN: Readonly<Record<string, RegExp>> = {
  "a service that is made in a handler": /=>\s*createAuth\(|await createAuth\(/,
  "a secret in the code": /\bsecret: "|AUTH_SECRET *(?:\?\?|\|\|) *"[^"]/,
  "a key in the code": /\bclientSecret: "(?!secret"|an?-)/,
  "a default export that Node does not read": /export default \{[^}]*fetch/,
  "a session that nobody waited for": /(?:if \(|= )auth\(req(?:uest)?\)/,
  "a comparison of paths as a guard": /pathname[^\n]*&& !session|!session && [^\n]*pathname/,
  "a check that is off": /skipCSRFCheck[,:]|checks: \[(?:"none")?\]|allowDangerousEmailAccountLinking: true/,
  "a redirect to whatever was asked for": /redirect(?:: |\()\(?\{ ?url[^}]*\}\)?[^\n]*(?:=> url\b|return url;)/,
};

/** Programs that show what a rule is about, and why they may. */
const SHOWN: Readonly<Record<string, string>> = {
  "docs/platforms/cloudflare.md a default export that Node does not read": "it is for Cloudflare, where it is read",
  "docs/platforms/vercel.md a default export that Node does not read": "it is for Vercel, where it is read",
};

for (const [what, pattern] of Object.entries(FORBIDDEN)) {
  test(`no program of the guides has ${what}`, () => {
    const found = readBlocks(pages()).filter(({ page, code, runsOn }) =>
      !runsOn.includes("browser") && pattern.test(code) && !Object.hasOwn(SHOWN, `${page} ${what}`)
    );
    assert.deepEqual(found.map(({ page, line }) => `${page}:${line}`), []);
  });
}

test("a program that breaks a rule is found", () => {
  const broken: Readonly<Record<keyof typeof FORBIDDEN, string>> = {
    "a service that is made in a handler": "serve((request) => createAuth(config).handler(request));",
    "a secret in the code": 'createAuth({ secret: process.env.AUTH_SECRET ?? "secret" });',
    "a key in the code": 'github({ clientId: "Iv1.0123", clientSecret: "s" })',
    "a default export that Node does not read": "export default { port: 3000, fetch: handler };",
    "a session that nobody waited for": "if (auth(request)) show();",
    "a comparison of paths as a guard": 'if (pathname.startsWith("/members") && !session) return refuse();',
    "a check that is off": "createAuth({ skipCSRFCheck, providers: [] });",
    "a redirect to whatever was asked for": "callbacks: { redirect: ({ url }) => url }",
  };
  assert.deepEqual(Object.keys(broken), Object.keys(FORBIDDEN));
  for (const [what, code] of Object.entries(broken)) assert.match(code, FORBIDDEN[what] ?? /^$/, what);
});
