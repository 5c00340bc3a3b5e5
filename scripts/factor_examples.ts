/**
 * The pages of second factors with examples of what they show, for pictures and tests.
 *
 * @module
 */
import type { ChallengePage, FactorEntry, FactorsPage, FactorsStep } from "../src/request/factor_views.ts";
import { qrOf } from "../src/second_factor/qr.ts";

/** The origin of the pages. */
const SITE = "https://app.example";

const STATE = { csrfToken: "token", callbackUrl: SITE };

const CHALLENGE: ChallengePage = {
  ...STATE,
  name: "challenge",
  action: `${SITE}/auth/challenge`,
  purpose: "sign-in",
  method: "totp",
  others: [otherWay("email-code"), otherWay("recovery-code")],
  problem: null,
  trustDays: null,
  undoUrl: null,
  cancelUrl: `${SITE}/auth/signin`,
};

const APP: FactorEntry = {
  id: "7f3a",
  type: "totp",
  name: null,
  createdAt: new Date("2026-03-04T00:00:00Z"),
  usedAt: new Date("2026-11-05T00:00:00Z"),
};

const NAMED: FactorEntry = { ...APP, id: "9c01", name: "Work phone", usedAt: null };

const KEY: FactorEntry = { id: "k3y1", type: "passkey", name: null, createdAt: null, usedAt: null };

const FACTORS: FactorsPage = {
  ...STATE,
  name: "factors",
  action: `${SITE}/auth/factors`,
  purpose: "manage",
  isOn: true,
  factors: [APP, KEY],
  recoveryCodes: 9,
  add: ["totp", "passkey"],
  passkeyUrl: `${SITE}/auth/signin`,
  step: { kind: "list" },
  problem: null,
  siteUrl: SITE,
};

const NOTHING = { isOn: false, factors: [], recoveryCodes: null };

const SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

/** What an authenticator app reads. */
export const URI =
  `otpauth://totp/Acme:ada%40example.com?secret=${SECRET}&issuer=Acme&algorithm=SHA1&digits=6&period=30`;

const SETUP = { id: "7f3a", secret: SECRET.replaceAll(/.{4}(?=.)/g, "$& "), uri: URI, qr: await qrOf(URI) };

const CODES = Array.from({ length: 10 }, (_, index) => `${index + 1}-ABCD-EFGH-${2345 + index}`);

const OPTIONS = {
  challenge: "AAECAwQFBgcICQoLDA0ODw",
  timeout: 60_000,
  rpId: "app.example",
  userVerification: "required",
};

/** Examples of the page that asks for a second proof, by their names. */
export const CHALLENGE_EXAMPLES = {
  "proof-passkey": challenge({
    method: "passkey",
    passkeyOptions: OPTIONS,
    others: [otherWay("totp"), otherWay("recovery-code")],
    trustDays: 30,
  }),
  "proof-passkey-refused": challenge({ method: "passkey", passkeyOptions: OPTIONS, problem: "wrong" }),
  "proof-totp": challenge({ trustDays: 30 }),
  "proof-wrong": challenge({ problem: "wrong", trustDays: 30 }),
  "proof-expired": challenge({ problem: "expired", purpose: "step-up", others: [] }),
  "proof-too-many": challenge({ problem: "too-many", retryAfter: 500 }),
  "proof-email": challenge({ method: "email-code", others: [otherWay("totp")] }),
  "proof-email-not-sent": challenge({ method: "email-code", problem: "not-sent" }),
  "proof-email-sent": challenge({ method: "email-code", sentTo: "a…@example.com", trustDays: 7 }),
  "proof-recovery": challenge({ method: "recovery-code", lost: { hours: 24, isAsked: false } }),
  "proof-lost": challenge({
    method: "recovery-code",
    lost: { hours: 24, isAsked: true },
    undoUrl: `${SITE}/auth/factors?act=undo&token=0f`,
  }),
} as const satisfies Readonly<Record<string, ChallengePage>>;

/** Examples of the page that lists, adds and removes factors, by their names. */
export const FACTORS_EXAMPLES = {
  "factors": factors({}),
  "factors-saved": factors({ factors: [APP, NAMED], step: { kind: "list", isSaved: true } }),
  "factors-off": factors(NOTHING),
  "factors-required": factors({ ...NOTHING, purpose: "required", passkeyUrl: null }),
  "factors-half": factors({ isOn: false, factors: [APP], recoveryCodes: null, purpose: "required" }),
  "factors-done": factors({ purpose: "required" }),
  "factors-name": factors({ problem: "name" }),
  "factors-totp": factors({ ...NOTHING, step: { kind: "totp", setup: SETUP } }),
  "factors-totp-wrong": factors({ problem: "wrong", step: { kind: "totp", setup: SETUP } }),
  "factors-codes": factors({ ...NOTHING, step: { kind: "recovery-codes", codes: CODES, ask: 4 } }),
  "factors-codes-again": factors({ ...NOTHING, problem: "wrong", step: { kind: "recovery-codes-again", ask: 4 } }),
  "factors-remove": step({ kind: "remove", factor: NAMED }),
  "factors-undo": step({ kind: "undo", token: "0f", isProven: true, signInUrl: `${SITE}/auth/signin` }),
  "factors-undo-sign-in": step({ kind: "undo", token: "0f", isProven: false, signInUrl: `${SITE}/auth/signin` }),
  "factors-undone": step({ kind: "undone", signInUrl: `${SITE}/auth/signin` }),
} as const satisfies Readonly<Record<string, FactorsPage>>;

function challenge(over: Partial<ChallengePage>): ChallengePage {
  return { ...CHALLENGE, ...over };
}

function otherWay(method: ChallengePage["method"]): ChallengePage["others"][number] {
  return { method, url: `${SITE}/auth/challenge?method=${method}` };
}

function factors(over: Partial<FactorsPage>): FactorsPage {
  return { ...FACTORS, ...over };
}

function step(step: FactorsStep): FactorsPage {
  return factors({ step });
}
