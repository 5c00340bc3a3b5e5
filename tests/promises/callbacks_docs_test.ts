import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { membersOf } from "../../scripts/docs/members.ts";
import { markdownTable, wordsIn } from "../_support/markdown.ts";

const page = readFileSync("docs/callbacks-and-events.md", "utf8");
const source = readFileSync("src/contract/config.ts", "utf8");

function namesOf(...interfaces: readonly string[]): string[] {
  return [...new Set(interfaces.flatMap((name) => membersOf(source, name).map(({ name }) => name)))].toSorted();
}

function namesBelow(heading: string): (string | undefined)[] {
  return markdownTable(page, heading).map(([cell = ""]) => wordsIn(cell)[0]).toSorted();
}

/** The heading of a callback, which names its arguments. */
function headingOf(name: string): string {
  return page.match(new RegExp(`^### (\`${name}\\(.*)$`, "m"))?.[1] ?? "";
}

test("the page lists the callbacks and the events", () => {
  assert.deepEqual(namesBelow("Callbacks"), namesOf("Callbacks"));
  assert.deepEqual(namesBelow("Events"), namesOf("Events"));
});

for (
  const [callback, ...interfaces] of [
    ["signIn", "SignInCallbackParams"],
    ["jwt", "JWTCallbackParams"],
    ["session", "JWTSessionParams", "DatabaseSessionParams"],
  ] as const
) {
  test(`the page lists the arguments of the callback ${callback}`, () => {
    const heading = headingOf(callback);
    const wanted = namesOf(...interfaces);
    assert.deepEqual(heading.match(/\w+(?=[,} ])/g)?.toSorted(), wanted);
    assert.deepEqual(namesBelow(heading), wanted);
  });
}
