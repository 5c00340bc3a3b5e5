import { test } from "node:test";
import assert from "node:assert/strict";
import { linkAt } from "../../../src/pages/urls.ts";

for (
  const link of ["/terms", "/help?from=sign-in#codes", "https://help.example.com/a b", "http://localhost:3000/terms"]
) {
  test(`linkAt() gives ${link} as it is`, () => {
    assert.equal(linkAt(link), link);
  });
}

const REFUSED = [
  ...["javascript:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "blob:https://a/b"],
  ...[
    "//evil.test",
    "/\\evil.test",
    "/\t/evil.test",
    "/.//evil.test",
    "\\\\evil.test",
    "terms",
    "?a",
    "#a",
    "",
    "https://",
  ],
  ...[undefined, null, 5, { href: "/terms" }, ["/terms"]],
];

for (const link of REFUSED) {
  test(`linkAt() refuses ${JSON.stringify(link)}`, () => {
    assert.equal(linkAt(link), undefined);
  });
}
