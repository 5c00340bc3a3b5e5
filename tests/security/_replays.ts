/** V84: one answer of an authenticator, sent by many at the same time with the same cookies. */
import assert from "node:assert/strict";
import type { CompleteAdapter } from "@x/auth";
import { ADDRESS, leadsTo, openPasskeys } from "../_support/passkeys.ts";

const CALLERS = 64;

/** Sends one answer 64 times, and once more: whoever is first is signed in, and nobody else is. */
export async function replay(adapter: CompleteAdapter): Promise<void> {
  const { person, site, runtime } = openPasskeys({ adapter, authenticator: { counts: false, synced: true } });
  const ada = person();
  assert.equal(leadsTo(await ada.register()), "/");
  await ada.browser.signOut();
  const { options } = await ada.offered({ action: "authenticate" });
  const fields = { csrfToken: await ada.browser.csrf(), action: "authenticate", data: await ada.device.get(options) };
  const url = new URL("/auth/callback/passkey", ada.browser.origin);
  const cookie = ada.browser.cookies.headerFor(url, { sameSite: true, safe: false }) ?? "";
  const send = () =>
    site(
      new Request(url, {
        method: "POST",
        headers: { cookie, origin: url.origin, "content-type": "application/x-www-form-urlencoded" },
        body: String(new URLSearchParams(fields)),
      }),
    );
  const answers = await Promise.all(Array.from({ length: CALLERS }, send));
  answers.push(await send());
  const ends = answers.map(leadsTo).toSorted();
  assert.deepEqual(ends, ["/", ...Array(CALLERS).fill("/auth/error?error=Verification")]);
  const user = await adapter.getUserByEmail(ADDRESS);
  assert.equal((await adapter.listSessionsByUserId(user?.id ?? "")).length, 1);
  assert.equal(runtime.timers(), 0);
}
