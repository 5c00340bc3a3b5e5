/**
 * Shows the sign-in page in German. The test that runs it looks at what was loaded meanwhile.
 *
 * @module
 */
import assert from "node:assert/strict";
import { createAuth } from "@x/auth";
import { testConfig } from "../_support/service.ts";

const { handler } = createAuth(testConfig());
const headers = { accept: "text/html", "accept-language": "de" };
const response = await handler(new Request("http://localhost:3000/auth/signin", { headers }));
assert.match(await response.text(), /<html lang="de"/);
