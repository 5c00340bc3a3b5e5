import { afterEach, mock, test } from "node:test";
import assert from "node:assert/strict";
import process from "node:process";
import { InvalidConfig } from "../../../src/kernel/errors.ts";
import { consoleEmail } from "../../../src/providers/console_email.ts";

const before = process.env.NODE_ENV;

afterEach(() => {
  mock.restoreAll();
  if (before === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = before;
});

test("consoleEmail() prints the link and warns that it is for development", async () => {
  const lines: string[] = [];
  mock.method(console, "info", (line: string) => void lines.push(line));
  const provider = consoleEmail();
  await provider.sendVerificationRequest?.({
    identifier: "ada@example.com",
    url: "https://app.test/auth/callback/console-email?token=0f",
    expires: new Date(0),
    token: "0f",
    provider: {
      ...provider,
      signinUrl: "https://app.test/auth/signin/x",
      callbackUrl: "https://app.test/auth/callback/x",
    },
    theme: {},
    request: new Request("https://app.test/"),
  });
  assert.equal(lines.length, 1);
  assert.match(
    lines[0] ?? "",
    /FOR DEVELOPMENT ONLY.* ada@example\.com:\n\n {2}https:\/\/app\.test\/auth\/callback\/\S+token=0f\n/s,
  );
});

test("consoleEmail() refuses to run in production", () => {
  process.env.NODE_ENV = "production";
  assert.throws(() => consoleEmail(), InvalidConfig);
  process.env.NODE_ENV = "development";
  assert.equal(consoleEmail({ maxAge: 60 }).options?.maxAge, 60);
});
