import assert from "node:assert/strict";
import { test } from "node:test";
import * as authjs from "@auth/core/errors";
import { ERROR_ROUTES } from "../../../src/request/error_routes.ts";
import * as errors from "../../../src/kernel/errors.ts";

type Constructor = new (message?: string, options?: { cause?: unknown }) => errors.AuthError;

const ABSTRACT = ["ConfigError", "SignInError", "DeniedError", "RequestError", "FaultError"];
const CLASSES = Object.entries(errors as unknown as Readonly<Record<string, Constructor>>)
  .filter(([name]) => !ABSTRACT.includes(name));

test("every error has a row in the table, and every row an error", () => {
  assert.deepEqual(Object.keys(ERROR_ROUTES).toSorted(), CLASSES.map(([name]) => name).toSorted());
});

for (const [name, Class] of CLASSES) {
  test(`${name} has its name as type and name, and belongs to one family`, () => {
    const error = new Class("x", { cause: "y" });
    assert.deepEqual([error.type, error.name, error.message, error.cause], [name, name, "x", { err: "y" }]);
    assert.ok(error instanceof errors.AuthError && error instanceof Error);
    const families = [
      errors.ConfigError,
      errors.SignInError,
      errors.DeniedError,
      errors.RequestError,
      errors.FaultError,
    ];
    assert.equal(families.filter((family) => error instanceof family).length, name === "AuthError" ? 0 : 1);
  });
}

test("`kind` of an error is the page that shows it, and what it is in Auth.js", () => {
  const theirs = Object.entries(
    authjs as unknown as Readonly<Record<string, Constructor & { readonly kind?: string }>>,
  );
  assert.ok(theirs.length > 25);
  for (const [name, Class] of CLASSES) {
    const { kind, type } = new Class("x");
    assert.equal(kind, ERROR_ROUTES[type].page, name);
    const [, Other] = theirs.find(([other]) => other === name) ?? [];
    if (Other) assert.equal(kind, Other.kind ?? "error", name);
  }
});

/** What the vocabulary of the service's pages tells a visitor; everything else is "Configuration". */
const TOLD: Readonly<Record<string, readonly [page: "signIn" | "error", query: string]>> = {
  CredentialsSignin: ["signIn", "CredentialsSignin"],
  OAuthSignInError: ["signIn", "Configuration"],
  OAuthCallbackError: ["signIn", "OAuthCallbackError"],
  OAuthAccountNotLinked: ["signIn", "OAuthAccountNotLinked"],
  EmailSignInError: ["signIn", "EmailSignin"],
  AccountNotLinked: ["signIn", "AccountNotLinked"],
  MissingCSRF: ["signIn", "MissingCSRF"],
  TooManyAttempts: ["signIn", "TooManyAttempts"],
  RefreshRequired: ["signIn", "SessionRequired"],
  AccessDenied: ["error", "AccessDenied"],
  Verification: ["error", "Verification"],
  WebAuthnVerificationError: ["error", "WebAuthnVerificationError"],
  // A flow that was finished before, as by the back button, is no fault of the server.
  InvalidCheck: ["error", "Verification"],
};

for (const [type, { page, query }] of Object.entries(ERROR_ROUTES)) {
  const [toldPage, told] = TOLD[type] ?? ["error", "Configuration"];
  test(`${type} shows the visitor ${told}`, () => assert.deepEqual([page, query], [toldPage, told]));
}

test("faults that may pass by themselves have status 503", () => {
  const passing = Object.entries(ERROR_ROUTES).filter(([, { status }]) => status === 503).map(([type]) => type);
  assert.deepEqual(passing, [
    "AdapterError",
    "Overloaded",
    "ProviderUnavailable",
    "SessionTokenError",
    "SignOutError",
    "Timeout",
  ]);
});

const CAUSES:
  readonly (readonly [given: ConstructorParameters<typeof errors.AuthError>, message: string, cause: unknown])[] = [
    [[], "", undefined],
    [["m"], "m", undefined],
    [["m", {}], "m", undefined],
    [["m", { cause: undefined }], "m", undefined],
    [["m", { cause: "text" }], "m", { err: "text" }],
    [["m", { cause: null }], "m", { err: null }],
    [["m", { cause: { provider: "x" } }], "m", { provider: "x" }],
    [[{ provider: "x" }], "", { provider: "x" }],
  ];

for (const [given, message, cause] of CAUSES) {
  test(`an error made of ${JSON.stringify(given)} has the cause ${JSON.stringify(cause)}`, () => {
    const error = new errors.AuthError(...given);
    assert.deepEqual([error.message, error.cause], [message, cause]);
  });
}

test("an error made of another error takes its message and keeps it as the cause", () => {
  const below = new TypeError("below");
  for (const error of [new errors.AuthError(below), new errors.AuthError({ err: below })]) {
    assert.equal(error.message, "below");
    assert.equal(error.cause?.err, below);
  }
  assert.equal(new errors.AuthError("above", { cause: below }).cause?.err, below);
});

test("an error of the application keeps the type of the one it extends", () => {
  class LockedOut extends errors.CredentialsSignin {
    override code = "locked_out";
  }
  const error = new LockedOut();
  assert.deepEqual([error.type, error.name, error.code, error.family], [
    "CredentialsSignin",
    "LockedOut",
    "locked_out",
    "sign-in",
  ]);
});
