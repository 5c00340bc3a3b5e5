import type { Mutant } from "./_mutant.ts";

const PAGES = ["tests/security/password_own_pages_test.ts"];
const CLIENT = ["tests/unit/client/password_test.ts"];
const KIT = ["tests/stories/testing_password_test.ts"];
const LINKS = ["tests/unit/request/links_test.ts"];
const LOOKS = ["tests/stories/mistakes/looks_test.ts"];

/** What passwords on pages of an application, and in its tests, must never do. */
export const passwordPages: readonly Mutant[] = [
  {
    name: "PWP-1: a page of the application gets no token of a link, so nobody can choose a password there",
    file: "src/passwords/endpoints/view.ts",
    find: 'const token = "token" in view ? view.token : null;',
    replace: "const token = null;",
    tests: PAGES,
  },
  {
    name: "PWP-1: the address of whoever is signed in is in a URL",
    file: "src/passwords/endpoints/view.ts",
    find: 'page === "password" ? null : readEmail(view.email)',
    replace: "readEmail(view.email)",
    tests: PAGES,
  },
  {
    name: "PWP-1: whatever somebody has typed as an address is in a URL",
    file: "src/passwords/endpoints/view.ts",
    find: 'page === "password" ? null : readEmail(view.email)',
    replace: 'page === "password" ? null : view.email',
    tests: PAGES,
  },
  {
    name: "PWP-1: a page of the application does not learn what is wrong",
    file: "src/passwords/endpoints/view.ts",
    find: ", error, code: failed?.problem });",
    replace: ", error });",
    tests: PAGES,
  },
  {
    name: "PWP-1: the link of a registration of another browser leads to the page for a forgotten password",
    file: "src/passwords/endpoints/view.ts",
    find: 'const OWN_PAGES = { reset: "reset", claim: "signUp"',
    replace: 'const OWN_PAGES = { reset: "reset", claim: "reset"',
    tests: PAGES,
  },
  {
    name: "PWP-2: strangers do not see the page to register where every path is protected",
    file: "src/service/access.ts",
    find: '"error", "signUp", "reset"] as const',
    replace: '"error", "reset"] as const',
    tests: PAGES,
  },
  {
    name: "PWP-2: a page that is that of the service leads to itself",
    file: "src/config/check_looks.ts",
    find: '  signUp: "signup",\n',
    replace: "",
    tests: LOOKS,
  },
  {
    name: "PWP-2: the built-in page for a new password has another address",
    file: "src/request/links.ts",
    find: '  reset: "reset",\n',
    replace: '  reset: "signup",\n',
    tests: LINKS,
  },
  {
    name: "PWP-3: a page that has a password refused is told to go to the sign-in page",
    file: "client/core/password.ts",
    find: "...url && !problem && { url: url.href }",
    replace: "...url && { url: url.href }",
    tests: CLIENT,
  },
  {
    name: "PWP-3: a page does not solve the challenge",
    file: "client/core/password.ts",
    find: "(solution) => post(page, path, { ...form, ...solution }, signal)",
    replace: "() => post(page, path, form, signal)",
    tests: CLIENT,
  },
  {
    name: "PWP-3: whoever has chosen a password is led back to the page with the token",
    file: "client/core/password.ts",
    find: 'redirectTo ?? new URL(href).searchParams.get("callbackUrl")',
    replace: "redirectTo ?? href",
    tests: CLIENT,
  },
  {
    name: "PWP-3: somebody without a password looks as if they had one",
    file: "client/core/password.ts",
    find: 'isSet: purpose === "change"',
    replace: "isSet: true",
    tests: CLIENT,
  },
  {
    name: "PWP-4: a visitor without an account asks for a password without a token",
    file: "testing/kit/password.ts",
    find: "if (token !== null) await",
    replace: "await",
    tests: KIT,
  },
  {
    name: "PWP-4: a visitor forgets where they wanted to go",
    file: "testing/kit/password.ts",
    find: 'await post(place, "signup", { email, password, name, callbackUrl });',
    replace: 'await post(place, "signup", { email, password, name });',
    tests: KIT,
  },
];
