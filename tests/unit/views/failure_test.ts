import assert from "node:assert/strict";
import { test } from "node:test";
import { ERROR_ROUTES } from "../../../src/request/error_routes.ts";
import { SHOWN } from "../../../src/views/failure.ts";

test("what is remembered for the sign-in page is called as the table of errors calls it", () => {
  for (const [type, query] of SHOWN) {
    const route = ERROR_ROUTES[type as keyof typeof ERROR_ROUTES];
    assert.deepEqual([route.page, route.query], ["signIn", query]);
  }
});
