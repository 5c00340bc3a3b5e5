/**
 * The account page with examples of what it shows, for pictures and tests.
 *
 * @module
 */
import type {
  AccountPage,
  AccountPasskey,
  AccountProblem,
  AccountSession,
  AccountStep,
  AccountView,
  AccountWay,
  OwnSection,
} from "../src/request/account_views.ts";
import { apple } from "../src/providers/apple.ts";
import { github } from "../src/providers/github.ts";
import { google } from "../src/providers/google.ts";

/** The origin of the pages. */
const SITE = "https://app.example";

const ADDRESS = "a…@example.com";

const GITHUB: AccountWay = { id: "way1", provider: "github", name: "GitHub", works: true, removal: "allowed" };

const GONE: AccountWay = { id: "way2", provider: "old", name: "GitHub", works: false, removal: "allowed" };

const NAMED: AccountPasskey = {
  id: "key1",
  credentialId: "AAEC",
  name: "Work phone",
  createdAt: new Date("2026-03-04T00:00:00Z"),
  usedAt: new Date("2026-11-05T00:00:00Z"),
  isSynced: true,
  removal: "allowed",
};

const UNNAMED: AccountPasskey = { ...NAMED, id: "key2", name: null, createdAt: null, usedAt: null, isSynced: false };

const HERE: AccountSession = {
  id: "session1",
  isCurrent: true,
  signedInAt: new Date("2026-11-05T00:00:00Z"),
  expires: new Date("2026-12-05T00:00:00Z"),
  provider: "GitHub",
  browser: "Firefox",
  system: "Linux",
  place: "Berlin",
};

const THERE: AccountSession = {
  ...HERE,
  id: "session2",
  isCurrent: false,
  signedInAt: new Date("2026-10-02T00:00:00Z"),
  provider: null,
  browser: "Safari",
  system: "iOS",
  place: null,
};

const UNKNOWN: AccountSession = { ...THERE, id: "session3", signedInAt: null, browser: null, system: null };

/** Somebody who has everything. */
export const ACCOUNT_VIEW: AccountView = {
  user: { id: "1", name: "Ada Lovelace", email: ADDRESS, image: null, isEmailProven: true },
  mayRename: true,
  mayChangeEmail: true,
  waitingEmail: null,
  ways: [GITHUB],
  addable: [
    { provider: "google", name: "Google", url: `${SITE}/auth/signin/google` },
    { provider: "apple", name: "Apple", url: `${SITE}/auth/signin/apple` },
    { provider: "work", name: "Work", url: `${SITE}/auth/signin/work` },
  ],
  passkeys: [NAMED, UNNAMED],
  passkeyUrl: `${SITE}/auth/signin/passkey`,
  passkeySignals: null,
  password: { isSet: true, setAt: new Date("2026-03-04T00:00:00Z"), url: `${SITE}/auth/password` },
  secondFactor: { isOn: true, recoveryCodes: 9, url: `${SITE}/auth/factors` },
  sessions: [HERE, THERE, UNKNOWN],
  mayExport: true,
  mayDelete: true,
  deletedAt: null,
};

/** Somebody of whom little is known, at a site that has little. */
const LITTLE: AccountView = {
  ...ACCOUNT_VIEW,
  user: { id: "2", name: null, email: null, image: null, isEmailProven: false },
  mayRename: false,
  mayChangeEmail: false,
  ways: null,
  addable: [],
  passkeys: null,
  passkeyUrl: null,
  password: null,
  secondFactor: null,
  sessions: [HERE],
  mayExport: false,
  mayDelete: false,
};

/** Somebody who has only just come. */
const NEW: AccountView = {
  ...ACCOUNT_VIEW,
  user: { ...ACCOUNT_VIEW.user, name: null, isEmailProven: false },
  ways: [{ ...GITHUB, removal: "last" }],
  passkeys: [],
  password: { isSet: false, setAt: null, url: `${SITE}/auth/password` },
  secondFactor: { isOn: false, recoveryCodes: null, url: `${SITE}/auth/factors` },
  sessions: [HERE],
};

/** A section with a form. */
export const OWN_SECTION: OwnSection = {
  id: "letters",
  title: "Newsletter",
  html: '<p class="hint">Once a month.</p><div class="field tick"><label for="news">Send it</label>' +
    '<input id="news" name="news" type="checkbox" value="1"/></div>' +
    '<button type="submit" class="button"><span class="name">Save it</span></button>',
  hasForm: true,
  problem: null,
};

const PLAN: OwnSection = { id: "plan", title: "Plan", html: "<p>Free of charge.</p>", hasForm: false, problem: null };

const PAGE: AccountPage = {
  name: "account",
  csrfToken: "token",
  action: `${SITE}/auth/account`,
  callbackUrl: `${SITE}/auth/account`,
  view: ACCOUNT_VIEW,
  step: { kind: "overview", done: null },
  sections: [],
  styles: { github: github().style ?? {}, google: google().style ?? {}, apple: apple().style ?? {} },
  problem: null,
  signOutUrl: `${SITE}/auth/signout`,
  siteUrl: SITE,
};

const SIGN_IN = `${SITE}/auth/signin`;

const AWAY = { view: null } as const;

/** Examples of the page, by their names. */
export const ACCOUNT_EXAMPLES = {
  "account": PAGE,
  "account-new": over({ view: NEW, step: { kind: "overview", done: "keep" } }),
  "account-little": over({ view: LITTLE, csrfToken: null, step: { kind: "overview", done: "endSession" } }),
  "account-picture": over({
    view: { ...ACCOUNT_VIEW, user: { ...ACCOUNT_VIEW.user, image: picture() }, ways: [GITHUB, GONE], sessions: null },
    step: { kind: "overview", done: "unlink" },
  }),
  "account-no-ways": over({
    view: { ...ACCOUNT_VIEW, ways: [], passkeys: [{ ...NAMED, removal: "last" }] },
    problem: "last-way",
  }),
  "account-kept": over({
    view: { ...ACCOUNT_VIEW, ways: [{ ...GITHUB, removal: "kept" }], passkeys: [{ ...NAMED, removal: "kept" }] },
    step: { kind: "overview", done: "endOthers" },
  }),
  "account-waiting": over({ view: waiting(false), step: { kind: "overview", done: "keep" } }),
  "account-due": over({ view: waiting(true), problem: "too-many", retryAfter: 500 }),
  "account-leaving": over({
    view: { ...waiting(false), deletedAt: new Date("2026-12-05T00:00:00Z") },
    step: { kind: "overview", done: "endOthers" },
  }),
  "account-own": over({ sections: [OWN_SECTION, PLAN], step: { kind: "overview", done: "section" } }),
  "account-own-wrong": over({ sections: [{ ...OWN_SECTION, problem: "Once a month." }], problem: "section" }),
  "account-rename": step({ kind: "rename" }),
  "account-rename-wrong": step({ kind: "rename" }, "name"),
  "account-email": step({ kind: "email", to: null, lostDays: 7 }),
  "account-email-wrong": step({ kind: "email", to: ADDRESS }, "email"),
  "account-email-same": step({ kind: "email", to: ADDRESS }, "same-email"),
  "account-email-not-sent": { ...step({ kind: "email", to: ADDRESS }, "not-sent"), view: NEW },
  "account-sent": step({ kind: "email-sent", to: ADDRESS, waitsFor: "new" }),
  "account-sent-former": step({ kind: "email-sent", to: ADDRESS, waitsFor: "former" }),
  "account-take": step({ kind: "confirm-email", token: "0f", to: ADDRESS, at: "new" }),
  "account-allow": over({ ...AWAY, step: { kind: "confirm-email", token: "0f", to: ADDRESS, at: "former" } }),
  "account-allow-expired": over({
    ...AWAY,
    step: { kind: "confirm-email", token: "0f", to: ADDRESS, at: "former" },
    problem: "expired",
  }),
  "account-away": over({ ...AWAY, step: { kind: "overview", done: "cancelEmail" } }),
  "account-allowed": over({ ...AWAY, step: { kind: "overview", done: "allowEmail" } }),
  "account-unlink": step({ kind: "unlink", way: GITHUB }),
  "account-unlink-gone": step({ kind: "unlink", way: GITHUB }, "not-found"),
  "account-rename-passkey": step({ kind: "rename-passkey", passkey: NAMED }),
  "account-remove-passkey": step({ kind: "remove-passkey", passkey: UNNAMED }),
  "account-delete": step({ kind: "delete", typed: ADDRESS, graceDays: 0 }),
  "account-delete-later": step({ kind: "delete", typed: ADDRESS, graceDays: 30 }, "typed"),
  "account-undo": over({ ...AWAY, step: undo(true) }),
  "account-undo-sign-in": over({ ...AWAY, step: undo(false) }),
  "account-undone": over({ ...AWAY, step: { kind: "undone", signInUrl: SIGN_IN } }),
} as const satisfies Readonly<Record<string, AccountPage>>;

function over(changes: Partial<AccountPage>): AccountPage {
  return { ...PAGE, ...changes };
}

function step(step: AccountStep, problem: AccountProblem | null = null): AccountPage {
  return over({ step, problem });
}

function undo(isProven: boolean): AccountStep {
  return { kind: "undo", token: "0f", isProven, signInUrl: SIGN_IN };
}

function waiting(isDue: boolean): AccountView {
  return { ...ACCOUNT_VIEW, waitingEmail: { to: ADDRESS, at: new Date("2026-12-05T00:00:00Z"), isDue } };
}

function picture(): string {
  const shape = "<circle cx='32' cy='25' r='12' fill='#fff'/><circle cx='32' cy='62' r='24' fill='#fff'/>";
  const content = `<rect width='64' height='64' fill='#7c3aed'/>${shape}`;
  const start = "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64' viewBox='0 0 64 64'>";
  return `data:image/svg+xml,${encodeURIComponent(`${start}${content}</svg>`)}`;
}
