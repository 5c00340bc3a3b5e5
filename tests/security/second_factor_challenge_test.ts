/** The second proof: each way right, wrong, used again, too late, of somebody else, and in another browser. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { AdapterError } from "../../src/kernel/errors.ts";
import { factorRecords, recordOf } from "../../src/second_factor/factors.ts";
import { useRecoveryCode } from "../../src/second_factor/recovery.ts";
import { requireFor, type RequireOptions } from "../../src/service/require.ts";
import { Authenticator, type CeremonyOptions } from "../_support/authenticator.ts";
import {
  ADA,
  BOB,
  codeAt,
  enrol,
  type FactorSite,
  openFactorSite,
  proofOf,
  RECOVERY,
  resolvedFor,
  TOTP_SECRET,
} from "../_support/second_factor.ts";
import { testRuntime } from "../_support/runtime.ts";
import type { Visitor } from "../_support/visitors.ts";

const ORIGIN = "http://localhost:3000";
const CHALLENGE = "/auth/challenge";
const PENDING = "authjs.pending";
const ALL = { methods: ["passkey", "totp", "email-code"] } as const;

const STRATEGIES = ["jwt", "database"] as const;

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

async function asked(visitor: Visitor, query = ""): Promise<Answer> {
  return await read(await visitor.get(CHALLENGE + query));
}

async function prove(visitor: Visitor, fields: Readonly<Record<string, string>>, query = ""): Promise<Answer> {
  return await read(await visitor.post(CHALLENGE + query, fields));
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}

/** A six-digit code that is not one of the application now. */
async function wrongCode({ runtime }: FactorSite): Promise<string> {
  const right = await Promise.all([-1, 0, 1].map((drift) => codeAt(runtime, drift)));
  return ["000000", "000001", "000002", "000003"].find((code) => !right.includes(code)) ?? assert.fail();
}

function sentCode({ mails }: FactorSite): string {
  return /^\d{6}/.exec(mails.at(-1)?.subject ?? "")?.[0] ?? assert.fail();
}

async function addPasskey(site: FactorSite, email: string): Promise<Visitor> {
  const owner = await site.begin(email);
  assert.ok(await owner.register(email));
  return owner;
}

async function options(visitor: Visitor, query = "?method=passkey"): Promise<CeremonyOptions> {
  const { body } = await asked(visitor, query);
  return body.passkeyOptions as CeremonyOptions ?? assert.fail(JSON.stringify(body));
}

for (const strategy of STRATEGIES) {
  const open = (more: Parameters<typeof openFactorSite>[0] = {}) => {
    return openFactorSite({ session: { strategy }, factor: ALL, ...more });
  };

  test(`a code of the application lets somebody in: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA);
    const ada = await site.begin(ADA);
    assert.equal(await proofOf(ada), null);
    assert.deepEqual((await asked(ada)).body, {
      purpose: "sign-in",
      method: "totp",
      methods: ["totp", "email-code", "recovery-code"],
      trustDays: null,
    });
    const { status } = await prove(ada, { method: "totp", code: await codeAt(site.runtime) });
    assert.equal(status, 302);
    assert.deepEqual(await proofOf(ada), { methods: ["fed", "mfa", "otp"], level: 2 });
    assert.equal(ada.cookies.has(PENDING), false);
  });

  test(`a code of the application is refused that is wrong, used or old: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA);
    const ada = await site.begin(ADA);
    const wrong = await prove(ada, { method: "totp", code: await wrongCode(site) });
    assert.deepEqual([wrong.status, wrong.body.error, wrong.body.problem], [401, "CredentialsSignin", "wrong"]);
    const old = await codeAt(site.runtime, -2);
    assert.equal((await prove(ada, { method: "totp", code: old })).status, 401);
    assert.equal(await proofOf(ada), null);
    const code = await codeAt(site.runtime);
    assert.equal((await prove(ada, { method: "totp", code })).status, 302);
    const thief = await site.begin(ADA);
    assert.equal((await prove(thief, { method: "totp", code })).status, 401);
    assert.equal((await prove(thief, { method: "totp", code: await codeAt(site.runtime, -1) })).status, 401);
    assert.equal(await proofOf(thief), null);
  });

  test(`a code is right whose clock is one step ahead or behind: ${strategy}`, async () => {
    for (const drift of [-1, 1]) {
      const site = await open();
      await site.join(ADA);
      const ada = await site.begin(ADA);
      assert.equal((await prove(ada, { method: "totp", code: await codeAt(site.runtime, drift) })).status, 302);
    }
  });

  test(`a recovery code lets somebody in once: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA);
    const ada = await site.begin(ADA);
    const wrong = { method: "recovery-code", code: "1-AAAA-AAAA-AAAA" };
    assert.equal((await prove(ada, wrong)).body.problem, "wrong");
    const { status } = await prove(ada, { method: "recovery-code", code: RECOVERY[0].toLowerCase() });
    assert.equal(status, 302);
    assert.deepEqual(await proofOf(ada), { methods: ["fed", "mfa", "rcv"], level: 2 });
    const again = await site.begin(ADA);
    assert.equal((await prove(again, { method: "recovery-code", code: RECOVERY[0] })).status, 401);
    assert.equal((await prove(again, { method: "recovery-code", code: RECOVERY[1] })).status, 302);
  });

  test(`a code that was sent lets somebody in once, in the browser that asked for it: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA);
    const ada = await site.begin(ADA);
    assert.equal((await asked(ada, "?method=email-code")).body.sentTo, undefined);
    assert.equal(site.mails.length, 0);
    const sent = await prove(ada, { method: "email-code" });
    assert.deepEqual([sent.status, sent.body.sentTo], [200, "a•••@example.com"]);
    assert.deepEqual(site.mails.map(({ to }) => to), [ADA]);
    const code = sentCode(site);
    const other = await site.begin(ADA);
    assert.equal((await prove(other, { method: "email-code", code })).body.problem, "expired");
    other.cookies.set("authjs.email", ada.cookies.get("authjs.email") ?? "");
    assert.equal((await prove(other, { method: "email-code", code })).body.problem, "expired");
    const cookies = new Map(ada.cookies);
    assert.equal((await prove(ada, { method: "email-code", code })).status, 302);
    assert.deepEqual(await proofOf(ada), { methods: ["fed", "mail", "mfa"], level: 2 });
    const replayed = site.service.visitor();
    for (const [name, value] of cookies) replayed.cookies.set(name, value);
    assert.notEqual((await prove(replayed, { method: "email-code", code })).status, 302);
    assert.equal(await proofOf(replayed), null);
  });

  test(`a code that was sent is worth five guesses and ten minutes: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA);
    const ada = await site.begin(ADA);
    await prove(ada, { method: "email-code" });
    const code = sentCode(site);
    const wrong = code === "123456" ? "654321" : "123456";
    for (let guess = 1; guess <= 5; guess++) {
      const { body } = await prove(ada, { method: "email-code", code: wrong });
      assert.equal(body.problem, guess < 5 ? "wrong" : "expired");
    }
    assert.equal((await prove(ada, { method: "email-code", code })).body.problem, "expired");
    site.runtime.advance(60 * 60);
    const later = await site.begin(ADA);
    await prove(later, { method: "email-code" });
    const second = sentCode(site);
    const kept = new Map(later.cookies);
    site.runtime.advance(10 * 60 + 1);
    const late = await site.begin(ADA);
    late.cookies.set("authjs.email", kept.get("authjs.email") ?? "");
    assert.equal((await prove(late, { method: "email-code", code: second })).body.problem, "expired");
  });

  test(`nobody who began by mail is sent a code: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA);
    const ada = site.service.visitor();
    await ada.ask(ADA);
    await ada.open(site.service.links.get(ADA) ?? assert.fail());
    assert.deepEqual((await asked(ada)).body.methods, ["totp", "recovery-code"]);
    assert.equal((await prove(ada, { method: "email-code" })).status, 401);
    assert.equal(site.mails.length, 0);
  });

  test(`a passkey whose user is verified lets somebody in: ${strategy}`, async () => {
    const site = await open();
    const owner = await addPasskey(site, ADA);
    await enrolled(site, ADA);
    const ada = await site.begin(ADA);
    const offered = await options(ada);
    assert.equal(offered.userVerification, "required");
    assert.equal((offered.allowCredentials as readonly unknown[]).length, 1);
    const data = await owner.device.get(offered);
    assert.equal((await prove(ada, { method: "passkey", data })).status, 302);
    assert.deepEqual(await proofOf(ada), { methods: ["fed", "mfa", "swk", "user"], level: 2 });
    const replay = await site.begin(ADA);
    assert.equal((await prove(replay, { method: "passkey", data })).status, 401);
  });

  test(`a passkey is refused without verification, of somebody else, or with another challenge: ${strategy}`, async () => {
    const site = await open();
    const owner = await addPasskey(site, ADA);
    const stranger = await addPasskey(site, BOB);
    await enrolled(site, ADA);
    const ada = await site.begin(ADA);
    const refused = async (data: string) => {
      assert.equal((await prove(ada, { method: "passkey", data })).status, 401);
      assert.equal(await proofOf(ada), null);
    };
    await refused(await owner.device.get(await options(ada), { clear: 4 }));
    await refused(await stranger.device.get(await options(ada)));
    await refused(await owner.device.get(await options(ada), { challenge: "AAAA" }));
    await refused("{}");
    await refused("");
    const offered = await options(ada);
    site.runtime.advance(6 * 60);
    await refused(await owner.device.get(offered));
  });

  test(`a challenge of a second proof signs nobody in, and the reverse: ${strategy}`, async () => {
    const site = await open();
    const owner = await addPasskey(site, ADA);
    await enrolled(site, ADA);
    const ada = await site.begin(ADA);
    const second = await owner.device.get(await options(ada));
    await ada.post("/auth/callback/passkey", { action: "authenticate", data: second });
    assert.equal(await proofOf(ada), null);
    const { options: first } = await (await ada.get("/auth/webauthn-options/passkey?action=authenticate")).json();
    const data = await owner.device.get(first);
    assert.equal((await prove(ada, { method: "passkey", data })).status, 401);
    assert.equal(await proofOf(ada), null);
  });

  test(`an application that nobody has shown to work proves nothing: ${strategy}`, async () => {
    const site = await open();
    const id = await site.join(ADA);
    const key = { kind: "factor", id: `totp-${id}` };
    const record = await site.adapter.getRecord?.(key) ?? assert.fail();
    await site.adapter.putRecord?.({ ...record, data: { ...record.data, isConfirmed: false } });
    const ada = await site.begin(ADA);
    assert.deepEqual((await asked(ada)).body.methods, ["email-code", "recovery-code"]);
    assert.equal((await prove(ada, { method: "totp", code: await codeAt(site.runtime) })).status, 401);
    assert.equal(await proofOf(ada), null);
  });

  test(`the factor of another user proves nothing: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA, ["recovery"]);
    await site.join(BOB);
    const ada = await site.begin(ADA);
    assert.equal((await prove(ada, { method: "totp", code: await codeAt(site.runtime) })).status, 401);
    assert.equal(await proofOf(ada), null);
  });

  test(`what waits in a browser opens no session there, and waits in no other: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA);
    const ada = await site.begin(ADA);
    const key = ada.cookies.get(PENDING) ?? assert.fail();
    const thief = site.service.visitor();
    thief.token = key;
    assert.equal(await thief.session(), null);
    thief.token = undefined;
    assert.equal((await asked(thief)).status, 401);
    assert.equal((await prove(thief, { method: "totp", code: await codeAt(site.runtime) })).status, 401);
    assert.equal((await prove(ada, { method: "totp", code: await codeAt(site.runtime) })).status, 302);
    thief.cookies.set(PENDING, key);
    assert.equal((await asked(thief)).status, 401);
  });

  test(`a sign-in waits for ten minutes: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA);
    const ada = await site.begin(ADA);
    const key = ada.cookies.get(PENDING) ?? "";
    site.runtime.advance(10 * 60);
    ada.cookies.set(PENDING, key);
    assert.equal((await prove(ada, { method: "totp", code: await codeAt(site.runtime) })).status, 401);
    assert.equal(await proofOf(ada), null);
  });

  test(`one of many requests with the same code gets in: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA);
    const code = await codeAt(site.runtime);
    const visitors = await Promise.all(Array.from({ length: 6 }, () => site.begin(ADA)));
    const answers = await Promise.all(visitors.map((visitor) => prove(visitor, { method: "totp", code })));
    assert.equal(answers.filter(({ status }) => status === 302).length, 1);
    assert.equal((await Promise.all(visitors.map(proofOf))).filter((proof) => proof !== null).length, 1);
  });

  test(`one of many requests with the same code that was sent gets in: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA);
    const ada = await site.begin(ADA);
    await prove(ada, { method: "email-code" });
    const code = sentCode(site);
    const copies = Array.from({ length: 64 }, () => {
      const copy = site.service.visitor();
      for (const [name, value] of ada.cookies) copy.cookies.set(name, value);
      return copy;
    });
    await Promise.all(copies.map((copy) => prove(copy, { method: "email-code", code })));
    assert.equal((await Promise.all(copies.map(proofOf))).filter((proof) => proof !== null).length, 1);
  });

  test(`two people who prove it at once get in as themselves: ${strategy}`, async () => {
    const site = await open();
    const ids = [await site.join(ADA), await site.join(BOB)];
    const visitors = await Promise.all([ADA, BOB].map((email) => site.begin(email)));
    const code = await codeAt(site.runtime);
    await Promise.all(visitors.map((visitor) => prove(visitor, { method: "totp", code })));
    assert.deepEqual(await Promise.all(visitors.map((visitor) => visitor.inside())), ids);
  });

  test(`a session is raised by another proof, and its token changes: ${strategy}`, async () => {
    const site = await open();
    const ada = await site.begin(ADA);
    const before = ada.token;
    await enrolled(site, ADA);
    assert.deepEqual((await asked(ada)).body.purpose, "step-up");
    assert.equal((await prove(ada, { method: "totp", code: await wrongCode(site) })).status, 401);
    const fields = { method: "totp", code: await codeAt(site.runtime), callbackUrl: "/admin" };
    const response = await ada.post(CHALLENGE, fields);
    assert.deepEqual([response.status, response.headers.get("location")], [303, "http://localhost:3000/admin"]);
    assert.notEqual(ada.token, before);
    assert.deepEqual(await proofOf(ada), { methods: ["fed", "mfa", "otp"], level: 2 });
  });

  test(`a code that was sent raises a session once: ${strategy}`, async () => {
    const site = await open();
    const ada = await site.begin(ADA);
    await enrolled(site, ADA);
    await prove(ada, { method: "email-code" });
    const asking = ada.cookies.get("authjs.email") ?? assert.fail();
    const code = sentCode(site);
    assert.equal((await ada.post(CHALLENGE, { method: "email-code", code })).status, 303);
    assert.deepEqual(await proofOf(ada), { methods: ["fed", "mail", "mfa"], level: 2 });
    ada.cookies.set("authjs.email", asking);
    assert.equal((await prove(ada, { method: "email-code", code })).body.problem, "expired");
  });

  test(`a page that asks for a method is offered what proves it: ${strategy}`, async () => {
    const site = await open();
    const ada = await site.begin(ADA);
    await enrolled(site, ADA);
    assert.deepEqual((await asked(ada, "?methods=otp")).body.methods, ["totp"]);
    const nothing = await asked(ada, "?methods=hwk");
    assert.equal(nothing.status, 403);
    assert.match(String(nothing.body.url), /\/auth\/factors\?/);
  });

  test(`who lacks a method is asked for what proves it, and for nothing else first: ${strategy}`, async () => {
    const site = await open();
    const ada = await addPasskey(site, ADA);
    await enrolled(site, ADA);
    assert.deepEqual((await asked(ada)).body.method, "passkey");
    const path = await stepUpPath(site, ada, { methods: ["fed", "otp"] }) ?? assert.fail();
    const { body } = await asked(ada, path.slice(CHALLENGE.length));
    assert.deepEqual([body.method, body.methods], ["totp", ["totp"]]);
    const code = await codeAt(site.runtime);
    assert.equal((await ada.post(path, { method: "totp", code })).headers.get("location"), `${ORIGIN}/admin`);
    assert.equal(await stepUpPath(site, ada, { methods: ["fed", "otp"] }), null);
  });

  test(`who needs a key of one device is not asked for one that is synchronised: ${strategy}`, async () => {
    const site = await open();
    const ada = await addPasskey(site, ADA);
    assert.deepEqual((await asked(ada, "?methods=swk")).body.methods, ["passkey"]);
    assert.equal((await asked(ada, "?methods=hwk")).status, 403);
    await ada.authenticate(ada.device.passkeys[0] ?? assert.fail());
    Object.assign(ada, { device: new Authenticator({ counts: false }) });
    const bound = await ada.register(ADA) ?? assert.fail();
    const path = await stepUpPath(site, ada, { methods: ["hwk"] }) ?? assert.fail();
    const given = await options(ada, path.slice(CHALLENGE.length));
    assert.equal(Object.values(given.allowCredentials ?? {}).length, 1);
    const data = await ada.device.get(given, {}, bound);
    assert.equal((await ada.post(path, { method: "passkey", data })).headers.get("location"), `${ORIGIN}/admin`);
    assert.equal(await stepUpPath(site, ada, { methods: ["hwk", "swk"] }), null);
  });

  test(`a code does not make a session recent that a passkey began: ${strategy}`, async () => {
    const site = await open();
    const ada = await addPasskey(site, ADA);
    await enrolled(site, ADA);
    const [key = assert.fail()] = ada.device.passkeys;
    await ada.authenticate(key);
    const recently = { methods: ["user"], maxAge: "10m" } as const;
    assert.equal(await stepUpPath(site, ada, recently), null);
    site.runtime.advance(3600);
    // Whoever has a copy of the cookie may have been told a code.
    const code = await codeAt(site.runtime);
    assert.equal((await prove(ada, { method: "totp", code })).status, 303);
    assert.match(await stepUpPath(site, ada, recently) ?? "", /^\/auth\/signin\?/);
    const data = await ada.device.get(await options(ada), {}, key);
    assert.equal((await prove(ada, { method: "passkey", data })).status, 303);
    assert.equal(await stepUpPath(site, ada, recently), null);
  });

  test(`who lacks a method that is no second proof is led to the sign-in page: ${strategy}`, async () => {
    const site = await open();
    const ada = await site.begin(ADA);
    await enrolled(site, ADA);
    const path = await stepUpPath(site, ada, { level: 2, methods: ["pwd"] }) ?? assert.fail();
    const { status, body } = await asked(ada, path.slice(CHALLENGE.length));
    const url = new URL(String(body.url));
    assert.deepEqual([status, body.error, url.pathname], [401, "SessionRequired", "/auth/signin"]);
    assert.deepEqual(url.searchParams.get("callbackUrl"), `${ORIGIN}/admin`);
    const page = await opening(site, ada)(path);
    assert.deepEqual([page.status, page.headers.get("location")], [303, url.href]);
  });

  test(`factors that a first proof of the address removes ask for nothing: ${strategy}`, async () => {
    const site = await open();
    const squatter = site.service.visitor();
    await squatter.come("plain", { sub: "thief", email: ADA });
    const user = await site.adapter.getUserByEmail?.(ADA);
    await enrol(site.config, user?.id ?? assert.fail());
    const waiting = site.service.visitor();
    await waiting.come("plain", { sub: "thief", email: ADA });
    assert.equal((await asked(waiting)).body.method, "totp");
    const ada = site.service.visitor();
    await ada.ask(ADA);
    await ada.open(site.service.links.get(ADA) ?? assert.fail());
    assert.equal((await proofOf(ada))?.level, 1);
    assert.notEqual((await prove(waiting, { method: "totp", code: await codeAt(site.runtime) })).status, 302);
    assert.equal(await proofOf(waiting), null);
  });

  test(`six wrong codes are compared at once, and the right one waits with them: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA);
    const thief = await site.begin(ADA);
    const wrong = await wrongCode(site);
    for (let guess = 1; guess <= 6; guess++) {
      assert.equal((await prove(thief, { method: "totp", code: wrong })).status, 401);
    }
    const right = { method: "recovery-code", code: RECOVERY[0] };
    const refused = await prove(thief, right);
    assert.equal(refused.status, 429);
    assert.equal(refused.body.error, "TooManyAttempts");
    assert.equal(typeof refused.body.retryAfter, "number");
    assert.equal(refused.body.challenge, undefined);
    // A code that was not compared is not used up.
    site.runtime.advance(10 * 60);
    const ada = await site.begin(ADA);
    assert.equal((await prove(ada, right)).status, 302);
  });

  test(`a browser that gave a second proof has guesses of its own: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA);
    const ada = await site.begin(ADA);
    await prove(ada, { method: "totp", code: await codeAt(site.runtime) });
    await ada.signOut();
    const thief = await site.begin(ADA);
    const wrong = await wrongCode(site);
    for (let guess = 1; guess <= 7; guess++) await prove(thief, { method: "totp", code: wrong });
    assert.equal((await prove(thief, { method: "totp", code: wrong })).status, 429);
    site.runtime.advance(30);
    await ada.come("linking", { sub: ADA, email: ADA, email_verified: true });
    assert.equal((await prove(ada, { method: "totp", code: await codeAt(site.runtime) })).status, 302);
  });

  test(`a browser in which a session was raised has guesses of its own: ${strategy}`, async () => {
    const site = await open();
    const ada = await site.begin(ADA);
    await enrolled(site, ADA);
    assert.equal((await proofOf(ada))?.level, 1);
    assert.equal((await prove(ada, { method: "totp", code: await codeAt(site.runtime) })).status, 303);
    assert.equal((await proofOf(ada))?.level, 2);
    await ada.signOut();
    const thief = await site.begin(ADA);
    const wrong = await wrongCode(site);
    for (let guess = 1; guess <= 7; guess++) await prove(thief, { method: "totp", code: wrong });
    assert.equal((await prove(thief, { method: "totp", code: wrong })).status, 429);
    site.runtime.advance(30);
    await ada.come("linking", { sub: ADA, email: ADA, email_verified: true });
    assert.equal((await prove(ada, { method: "totp", code: await codeAt(site.runtime) })).status, 302);
  });

  test(`whoever only knows the password gets no more guesses in any number of browsers: ${strategy}`, async () => {
    const site = await open();
    const before = await Promise.all(Array.from({ length: 3 }, () => site.begin(ADA)));
    for (const visitor of before) assert.equal((await proofOf(visitor))?.level, 1);
    await enrolled(site, ADA);
    const statuses: number[] = [];
    const wrong = await wrongCode(site);
    for (let at = 0; at < 12; at++) {
      const visitor = before[at % 3] ?? assert.fail();
      visitor.token = undefined;
      await visitor.come("linking", { sub: ADA, email: ADA, email_verified: true });
      statuses.push((await prove(visitor, { method: "totp", code: wrong })).status);
    }
    assert.equal(statuses.filter((status) => status === 401).length, 6);
  });

  test(`an application that knows its users by their stored ids asks for their factors: ${strategy}`, async () => {
    const site = await open();
    const id = await site.join(ADA);
    site.service.passwords.set("ada", { id, email: ADA });
    const ada = site.service.visitor();
    await ada.type("ada");
    assert.equal(await proofOf(ada), null);
    assert.deepEqual((await asked(ada)).body.methods, ["totp", "email-code", "recovery-code"]);
    assert.equal((await prove(ada, { method: "totp", code: await codeAt(site.runtime) })).status, 302);
    assert.equal((await proofOf(ada))?.level, 2);
  });

  test(`a way that somebody does not have is answered like a wrong code: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA, ["recovery"]);
    const ada = await site.begin(ADA);
    for (const method of ["totp", "passkey", "nothing", ""]) {
      const { status, body } = await prove(ada, { method, code: "123456" });
      assert.deepEqual([status, body.error, body.problem], [401, "CredentialsSignin", "wrong"], method);
    }
  });

  test(`nobody learns anything before the first proof: ${strategy}`, async () => {
    const site = await open();
    await site.join(ADA);
    const stranger = site.service.visitor();
    const fields = { method: "totp", code: "123456", email: ADA };
    for (
      const answer of [await asked(stranger), await asked(stranger, "?method=totp"), await prove(stranger, fields)]
    ) {
      assert.equal(answer.status, 401);
      assert.deepEqual(Object.keys(answer.body), ["error", "url"]);
    }
  });
}

/** Where somebody is led whose session does not do for a page. */
async function stepUpPath({ service }: FactorSite, visitor: Visitor, options: RequireOptions): Promise<string | null> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const error = await requireFor(service.engine, new Request(`${ORIGIN}/admin`, { headers: { cookie } }), options)
    .then(() => null, (error) => error);
  if (error === null) return null;
  const { pathname, search } = new URL(error.url);
  return pathname + search;
}

async function enrolled({ adapter, config }: FactorSite, email: string): Promise<void> {
  const user = await adapter.getUserByEmail?.(email);
  await enrol(config, user?.id ?? assert.fail());
}

/** The same browser, where it asks for pages. */
function opening(site: FactorSite, visitor: Visitor, accept = "text/html") {
  return async (path: string, fields?: Readonly<Record<string, string>>): Promise<Response> => {
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = new Headers({ cookie, accept, "sec-fetch-site": "same-origin" });
    if (!fields) return await site.service.send(new Request(`http://localhost:3000${path}`, { headers }));
    headers.set("origin", "http://localhost:3000");
    headers.set("content-type", "application/x-www-form-urlencoded");
    const body = String(new URLSearchParams({ csrfToken: site.service.csrfToken, ...fields }));
    return await site.service.send(new Request(`http://localhost:3000${path}`, { method: "POST", headers, body }));
  };
}

test("browsers get pages: with what did not work, how long to wait, and where to go on", async () => {
  const site = await openFactorSite({ factor: ALL });
  await site.join(ADA);
  const open = opening(site, await site.begin(ADA));
  const page = await open(CHALLENGE);
  assert.deepEqual([page.status, page.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
  const wrong = await wrongCode(site);
  for (let guess = 1; guess <= 6; guess++) {
    assert.equal((await open(CHALLENGE, { method: "totp", code: wrong })).status, 401);
  }
  const limited = await open(CHALLENGE, { method: "totp", code: wrong });
  assert.equal(limited.status, 429);
  assert.ok(Number(limited.headers.get("retry-after")) > 0);
  const nobody = await opening(site, site.service.visitor())(CHALLENGE);
  assert.equal(nobody.status, 303);
  assert.match(nobody.headers.get("location") ?? "", /\/auth\/signin\?/);
});

test("whoever has enrolled in nothing that the site takes is told so, and the log says why", async () => {
  const adapter = memoryAdapter();
  const before = await openFactorSite({ adapter, factor: { methods: ["totp"] } });
  const inside = await before.begin(ADA);
  const user = await adapter.getUserByEmail?.(ADA) ?? assert.fail();
  await enrol(before.config, user.id);
  const site = await openFactorSite({ adapter, factor: { methods: ["passkey"] } });
  const waiting = await site.begin(ADA);
  for (const code of RECOVERY) {
    const another = await site.begin(ADA);
    await prove(another, { method: "recovery-code", code });
  }
  for (const visitor of [inside, waiting]) {
    const page = await opening(site, visitor)(CHALLENGE);
    assert.match(page.headers.get("location") ?? "", /\/auth\/error\?error=AccessDenied$/);
    assert.match(site.service.errors.at(-1)?.message ?? "", /`methods` of `secondFactor`/);
  }
});

test("whoever gives up is not led back to the same question", async () => {
  const protect = [{ routes: ["/*"], level: 2 }] as const;
  const cases: readonly (readonly [options: Parameters<typeof openFactorSite>[0], cancel: string])[] = [
    [{}, "/"],
    [{ protect: ["/*"] }, "/"],
    [{ protect: [{ routes: ["/admin/*"], level: 2 }] }, "/"],
    [{ protect }, "/auth/signout"],
    [{ protect: ["/*"], factor: { require: "always" } }, "/auth/signout"],
    [{ factor: { require: "always" } }, "/"],
  ];
  for (const [options, cancel] of cases) {
    // A session from before.
    const { factor = {}, ...before } = { ...options, adapter: memoryAdapter() };
    const ada = await (await openFactorSite(before)).begin(ADA);
    const site = await openFactorSite({ ...before, factor });
    await enrolled(site, ADA);
    const response = await opening(site, ada)(CHALLENGE);
    assert.equal(response.status, 200);
    assert.match(await response.text(), new RegExp(`href="${ORIGIN}${cancel}"`), JSON.stringify(options));
  }
});

test("a code that cannot be sent is not counted as sent, and the log says why", async () => {
  const mail = () => Promise.reject(new Error("the mail server is down"));
  const site = await openFactorSite({ factor: ALL, mail });
  await site.join(ADA);
  const ada = await site.begin(ADA);
  const fields = { method: "email-code" };
  const { status, body } = await read(await opening(site, ada, "application/json")(CHALLENGE, fields));
  assert.deepEqual([status, body.error, body.problem, body.sentTo], [503, "EmailSignInError", "not-sent", undefined]);
  assert.ok(site.service.errors.some(({ message }) => message.includes("Cannot send the code of a second factor")));
});

test("a site that cannot send mail offers no code by email", async () => {
  const site = await openFactorSite({ factor: ALL, sendsMail: false });
  await site.join(ADA);
  const ada = await site.begin(ADA);
  assert.deepEqual((await asked(ada)).body.methods, ["totp", "recovery-code"]);
});

test("no session, cookie or log holds a secret of a factor", async () => {
  const site = await openFactorSite({ factor: ALL, session: { strategy: "database" } });
  await site.join(ADA);
  const ada = await site.begin(ADA);
  await prove(ada, { method: "recovery-code", code: RECOVERY[1] });
  const seen = JSON.stringify([await ada.session(), [...ada.cookies], site.service.errors.map(String)]);
  for (const secret of [TOTP_SECRET, ...RECOVERY, "MNOPQRSTUVWX"]) assert.ok(!seen.includes(secret));
});

test("a recovery code whose number was used, or that never was, costs as much as one that is left", async () => {
  const runtime = testRuntime();
  const adapter = memoryAdapter({ now: runtime.now });
  const config = resolvedFor(adapter, runtime);
  await adapter.createUser({ id: "ada", email: ADA, emailVerified: null });
  const set = { id: "set", userId: "ada", version: 0, createdAt: 1, usedAt: null, isConfirmed: true };
  // It fails as soon as anything is compared with it.
  await factorRecords(config).putRecord(recordOf({ ...set, type: "recovery", hashes: { 2: "no hash" } }));
  for (const number of ["1", "2", "99"]) {
    await assert.rejects(useRecoveryCode(config, "ada", { number, secret: "ABCDEFGHIJKL" }), AdapterError);
  }
});

test("a recovery code is not right under the number of another one", async () => {
  const runtime = testRuntime();
  const adapter = memoryAdapter({ now: runtime.now });
  const config = resolvedFor(adapter, runtime);
  await adapter.createUser({ id: "ada", email: ADA, emailVerified: null });
  await enrol(config, "ada", ["recovery"]);
  for (const number of ["2", "4"]) {
    assert.equal(await useRecoveryCode(config, "ada", { number, secret: "ABCDEFGHIJKL" }), false);
  }
  assert.equal(await useRecoveryCode(config, "ada", { number: "1", secret: "ABCDEFGHIJKL" }), true);
});
