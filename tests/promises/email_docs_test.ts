import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MAIL_SERVICES } from "../_support/mail_services.ts";

const page = readFileSync("docs/email.md", "utf8");
const { exports } = JSON.parse(readFileSync("deno.json", "utf8")) as {
  readonly exports: Readonly<Record<string, string>>;
};

for (const { id } of MAIL_SERVICES) {
  const path = `src/providers/${id.replaceAll("-", "_")}.ts`;
  const variable = `AUTH_${id.toUpperCase().replaceAll("-", "_")}_KEY`;

  test(`${id}: it has a subpath, a row in the table of the guide, and a section with steps and an example`, () => {
    assert.equal(exports[`./providers/${id}`], `./${path}`);
    assert.match(page, new RegExp(`^\\| \`${id}\` +\\|.*\`${variable}\``, "m"));
    const [, service] = /^ {4}service: "([^"]+)",$/m.exec(readFileSync(path, "utf8")) ?? [];
    const [, section = ""] = page.split(`\n## ${service}\n`);
    const [text = ""] = section.split("\n## ");
    assert.match(text, /^1\. /m, "the section has steps");
    assert.ok(text.includes(`"@x/auth/providers/${id}"`), "the section has an example");
    assert.ok(text.includes(variable), "the section names the variable");
  });
}

test("the guide has no section of a service that is not there", () => {
  const sections = [...page.matchAll(/^## (.+)$/gm)].length;
  const others = [
    "Choosing a service",
    "The language of the email",
    "Options",
    "Codes",
    "Other emails",
    "What happens when an email is not sent",
    "Limits",
  ];
  for (const title of others) assert.ok(page.includes(`\n## ${title}\n`), title);
  assert.equal(sections, MAIL_SERVICES.length + others.length);
});
