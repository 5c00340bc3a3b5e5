import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, customFetch } from "@x/auth";
import { resend } from "@x/auth/providers/resend";
import { loops } from "@x/auth/providers/loops";
import type { ResolvedConfig } from "../../../src/config/resolve.ts";
import { mailerOf } from "../../../src/request/mailer.ts";
import { createEngine } from "../../../src/service/engine.ts";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { testConfig } from "../../_support/service.ts";

const MAIL = { to: "ada@example.com", subject: "A passkey was added", text: "Hi", html: "<p>Hi</p>", language: "en" };

async function resolved(config: AuthConfig): Promise<ResolvedConfig> {
  return (await createEngine(testConfig({ adapter: memoryAdapter(), ...config })).configured(null)).config;
}

test("mailerOf() sends by the first provider that can, as that service wants it", async () => {
  const sent: unknown[] = [];
  const service = resend({
    apiKey: "key",
    from: "Site <site@example.com>",
    [customFetch]: async (input, init) => {
      sent.push(JSON.parse(await new Request(input, init).text()));
      return Response.json({ id: "1" });
    },
  });
  const mailer = mailerOf(await resolved({ providers: [loops({ apiKey: "key", transactionalId: "1" }), service] }));
  await mailer?.(MAIL);
  assert.equal(sent.length, 1);
  const [{ to, subject, text, html }] = sent as [Record<string, unknown>];
  assert.deepEqual([[to].flat(), subject, text, html], [[MAIL.to], MAIL.subject, MAIL.text, MAIL.html]);
});

test("mailerOf() prefers `mail`, and finds nothing where providers send links only", async () => {
  const sent: unknown[] = [];
  const own = mailerOf(await resolved({ providers: [], mail: (mail) => void sent.push(mail) }));
  await own?.(MAIL);
  assert.deepEqual(sent, [MAIL]);
  assert.equal(mailerOf(await resolved({ providers: [loops({ apiKey: "key", transactionalId: "1" })] })), null);
  const sendVerificationRequest = () => {};
  const link = { id: "email", name: "Email", type: "email", sendVerificationRequest } as const;
  assert.equal(mailerOf(await resolved({ providers: [link] })), null);
});
