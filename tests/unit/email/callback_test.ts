import { test } from "node:test";
import assert from "node:assert/strict";
import { sha256Hex } from "../../../src/crypto/digest.ts";
import { confirmLink, openLink } from "../../../src/email/callback.ts";
import { requireStorage } from "../../../src/request/require_storage.ts";
import { checkProof, hashToken, issueProof, rememberRequested } from "../../../src/sign_in/address_proof.ts";
import { startEmail } from "../../../src/email/start.ts";
import { Verification } from "../../../src/kernel/errors.ts";
import { changed } from "../_builders.ts";
import { ADDRESS, type Bench, bench, type BenchOptions, cookiesAfter, TARGET } from "./_bench.ts";

type Cookies = Readonly<Record<string, string>>;

/** A link that was requested, and the cookies of the browser that requested it. */
async function sent(options: BenchOptions = {}): Promise<Bench & { readonly url: string; readonly cookies: Cookies }> {
  const made = bench(options);
  const ctx = made.context();
  await startEmail(ctx, { provider: made.provider, fields: { email: ADDRESS }, redirectUrl: TARGET });
  made.calls.length = 0;
  return { ...made, url: made.mails[0]?.url ?? "", cookies: cookiesAfter(ctx) };
}

function open(made: Bench, url: string, cookies: Cookies = {}, follow = openLink) {
  const ctx = made.context(url, cookies);
  const done = follow(ctx, { provider: made.provider, query: new URL(url).searchParams, redirectUrl: TARGET });
  return { ctx, done };
}

const ENTERED = { kind: "redirect", to: TARGET, status: 302 };

test("openLink() shows any other browser the address and a button, and does not use up the token", async () => {
  const made = await sent();
  const { ctx, done } = open(made, `${made.url}&a&utm_source=mail`);
  const outcome = await done;
  assert.ok(outcome.kind === "page" && outcome.page.name === "confirm-email" && outcome.status === 200);
  const { csrfToken, ...page } = outcome.page;
  assert.match(csrfToken ?? "", /^[0-9a-f]{64}$/);
  assert.deepEqual(page, {
    name: "confirm-email",
    action: made.url,
    callbackUrl: TARGET,
    email: ADDRESS,
    siteUrl: "https://app.test/",
  });
  assert.deepEqual(made.calls, ["getVerificationToken"]);
  assert.deepEqual(changed(ctx.cookies).set, ["__Host-authjs.csrf-token"]);
});

test("a link works until the millisecond it expires", async () => {
  for (const [seconds, works] of [[599.999, true], [600, false], [601, false]] as const) {
    const made = await sent();
    made.runtime.advance(seconds);
    const { done } = open(made, made.url, {}, confirmLink);
    if (works) assert.deepEqual(await done, ENTERED);
    else await assert.rejects(done, Verification);
  }
});

test("a cookie that outlives its link signs nobody in", async () => {
  const made = await sent();
  made.runtime.advance(605);
  await assert.rejects(open(made, made.url, made.cookies).done, Verification);
});

test("a link that fails leaves the cookie for the next one", async () => {
  const made = await sent();
  const other = made.url.replace(/token=[^&]+/, `token=${"0".repeat(64)}`);
  const { ctx, done } = open(made, other, made.cookies, confirmLink);
  await assert.rejects(done, Verification);
  assert.deepEqual(changed(ctx.cookies).removed, []);
});

const REQUESTED: readonly (readonly [what: string, claims: (hash: string) => Readonly<Record<string, unknown>>])[] = [
  ["another provider", (hash) => ({ provider: "other", identifier: ADDRESS, hash })],
  ["another address", (hash) => ({ provider: "email", identifier: "bob@example.com", hash })],
  ["another link", () => ({ provider: "email", identifier: ADDRESS, hash: "0".repeat(64) })],
  ["no link", () => ({ provider: "email", identifier: ADDRESS })],
  ["a list of links", (hash) => ({ provider: "email", identifier: ADDRESS, hash: [hash] })],
];

for (const [what, claims] of REQUESTED) {
  test(`openLink() asks a browser whose cookie names ${what}`, async () => {
    const made = await sent();
    const token = new URL(made.url).searchParams.get("token") ?? "";
    const [hash = ""] = await hashToken(made.provider.secrets, token);
    const salt = "__Secure-authjs.email";
    const sealed = await made.context().config.sealer.seal(claims(hash), { salt, maxAge: 600 });
    assert.equal((await open(made, made.url, { [salt]: sealed }).done).kind, "page");
  });
}

test("openLink() asks a browser whose cookie was sealed for another name, is forged or has expired", async () => {
  const made = await sent();
  const { sealer } = made.context().config;
  const token = new URL(made.url).searchParams.get("token") ?? "";
  const [hash = ""] = await hashToken(made.provider.secrets, token);
  const claims = { provider: "email", identifier: ADDRESS, hash };
  const own = made.cookies["__Secure-authjs.email"] ?? "";
  const forged = [
    await sealer.seal(claims, { salt: "__Secure-authjs.state", maxAge: 600 }),
    await sealer.seal(claims, { salt: "__Secure-authjs.email", maxAge: -60 }),
    JSON.stringify(claims),
    `${own.slice(0, -2)}${own.endsWith("AA") ? "BB" : "AA"}`,
    "",
  ];
  for (const value of forged) {
    assert.equal((await open(made, made.url, { "__Secure-authjs.email": value }).done).kind, "page", value);
  }
});

test("hashToken() accepts every secret, and the list as Auth.js joins it", async () => {
  const { provider } = bench({ email: { secret: ["s3", "s2"] } });
  assert.deepEqual(await hashToken(provider.secrets, "t"), [
    await sha256Hex("ts3"),
    await sha256Hex("ts2"),
    await sha256Hex("ts3,s2"),
  ]);
  const { provider: one } = bench({ email: { secret: ["s3"] } });
  assert.deepEqual(await hashToken(one.secrets, "t"), [await sha256Hex("ts3")]);
});

test("a link that Auth.js sent with a list of secrets signs in", async () => {
  const made = bench({ email: { secret: ["s3", "s2"] } });
  const expires = new Date(made.runtime.now() + 60_000);
  const token = "0123456789abcdef";
  const hash = await sha256Hex(`${token}s3,s2`);
  await made.adapter.createVerificationToken({ identifier: ADDRESS, token: hash, expires });
  const url = `https://app.test/auth/callback/email?token=${token}&email=${ADDRESS}`;
  assert.deepEqual(await open(made, url, {}, confirmLink).done, ENTERED);
});

test("a token that was sent for another purpose signs nobody in, and stays", async () => {
  const made = bench({ email: { normalizeIdentifier: (address) => address } });
  const ctx = made.context();
  const storage = requireStorage(ctx);
  const about = { purpose: "reset", subject: ADDRESS, expires: new Date(made.runtime.now() + 60_000) } as const;
  const { token, proof } = await issueProof(ctx.config, storage, about);
  await rememberRequested(ctx, proof, { maxAge: 60 });
  const cookies = cookiesAfter(ctx);
  for (const email of [ADDRESS, `reset:${ADDRESS}`, `sign-in:${ADDRESS}`]) {
    const url = `https://app.test/auth/callback/email?${new URLSearchParams({ token, email })}`;
    await assert.rejects(open(made, url, cookies).done, Verification);
    await assert.rejects(open(made, url, cookies, confirmLink).done, Verification);
  }
  assert.ok(await checkProof(storage, proof, new Date(made.runtime.now())));
});

for (const query of ["", "?token=t", `?email=${ADDRESS}`, `?token=&email=${ADDRESS}`, "?token=t&email="]) {
  test(`a link with the query "${query}" is refused without a call to storage`, async () => {
    for (const follow of [openLink, confirmLink]) {
      const made = bench();
      const { done } = open(made, `https://app.test/auth/callback/email${query}`, {}, follow);
      await assert.rejects(done, (error) => error instanceof Verification && error.cause === undefined);
      assert.deepEqual(made.calls, []);
    }
  });
}

test("the confirmation page has no CSRF token if they are switched off", async () => {
  const made = await sent({ config: { skipCSRFCheck: Symbol("skip-csrf-check") } });
  const outcome = await open(made, made.url).done;
  assert.ok(outcome.kind === "page" && outcome.page.name === "confirm-email" && outcome.page.csrfToken === null);
});
