/**
 * The pages of passwords with examples of what they show, for pictures and tests.
 *
 * @module
 */
import type {
  NewPasswordPage,
  PasswordPage,
  PasswordProblem,
  ResetPage,
  SignUpPage,
} from "../src/request/password_views.ts";

/** The origin of the pages. */
const SITE = "https://app.example";

const COMMON = {
  csrfToken: "token",
  callbackUrl: SITE,
  problem: null,
  signInUrl: `${SITE}/auth/signin`,
  siteUrl: SITE,
} as const;

const LENGTH = { min: 15, max: 256 };

const SIGN_UP: SignUpPage = {
  ...COMMON,
  name: "signup",
  action: `${SITE}/auth/signup`,
  email: null,
  typedName: null,
  length: LENGTH,
};

const RESET: ResetPage = { ...COMMON, name: "reset", action: `${SITE}/auth/reset`, email: null };

const CHOOSE: NewPasswordPage = {
  ...COMMON,
  name: "new-password",
  action: `${SITE}/auth/reset`,
  purpose: "reset",
  email: "a…@example.com",
  token: "0".repeat(64),
  length: LENGTH,
  canRemove: false,
};

const PROBLEMS: readonly PasswordProblem[] = ["short", "long", "common", "breached", "reused", "busy"];

/** The pages. */
export const PASSWORD_EXAMPLES: Readonly<Record<string, PasswordPage>> = {
  "signup": SIGN_UP,
  "signup-email": { ...SIGN_UP, problem: "email", email: "a…@example.com", typedName: "GitHub" },
  "reset": RESET,
  "reset-expired": { ...RESET, problem: "expired", email: "a…@example.com" },
  "reset-too-many": { ...RESET, problem: "too-many", retryAfter: 300 },
  "choose-reset": CHOOSE,
  "choose-claim": { ...CHOOSE, purpose: "claim", action: `${SITE}/auth/signup` },
  "choose-set": { ...CHOOSE, purpose: "set", action: `${SITE}/auth/password`, token: null },
  "choose-change": { ...CHOOSE, purpose: "change", action: `${SITE}/auth/password`, token: null, canRemove: true },
  "choose-saved": {
    ...{ ...CHOOSE, purpose: "change", action: `${SITE}/auth/password`, token: null, canRemove: true },
    done: "saved",
  },
  "choose-removed": { ...CHOOSE, purpose: "set", action: `${SITE}/auth/password`, token: null, done: "removed" },
  ...Object.fromEntries(PROBLEMS.map((problem) => [`choose-${problem}`, { ...CHOOSE, problem }])),
};
