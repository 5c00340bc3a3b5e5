/** Errors of @auth/core that an application throws lead where they lead with Auth.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as others from "@auth/core/errors";
import Credentials from "@auth/core/providers/credentials";
import * as own from "@x/auth/errors";
import { bothServices, Client } from "../_support/both_services.ts";

type MakeError = new (message?: string) => Error;

/** Its type is internal there. */
const { isClientError: theirs } = others as unknown as { isClientError: (error: unknown) => boolean };

/** Every class of errors of @auth/core. */
const CLASSES = Object.entries(others as Readonly<Record<string, unknown>>)
  .filter((entry): entry is [string, MakeError] => typeof entry[1] === "function" && /^[A-Z]/.test(entry[0]));

class LockedOut extends others.CredentialsSignin {
  override code = "locked_out";
}

class Wrong extends others.CredentialsSignin {
  override code = "Invalid identifier or password";
}

class Odd extends others.AuthError {
  static type = "Odd";
}

const THROWN: readonly (readonly [name: string, error: () => unknown])[] = [
  ...CLASSES.map(([name, Class]) => [name, () => new Class("no")] as const),
  ["a subclass with a code", () => new LockedOut()],
  ["a subclass whose code is a sentence", () => new Wrong()],
  ["a subclass with a type of its own", () => new Odd()],
  ["an error", () => new Error("no")],
  ["text", () => "no"],
];

/** What leads somewhere else on purpose. */
const DIFFERENT: Readonly<Record<string, string>> = {
  // The sign-in page says that the email could not be sent.
  EmailSignInError: "/auth/signin?error=EmailSignin",
  // The back button, or too long a stay at the provider: no fault of the configuration.
  InvalidCheck: "/auth/error?error=Verification",
  // Only a word is sent: a sentence may hold what the person typed.
  "a subclass whose code is a sentence": "/auth/signin?error=CredentialsSignin&code=credentials",
  // It has no type, so nothing tells it from any other error.
  SignInError: "/auth/error?error=Configuration",
};

async function leadsTo(make: () => object): Promise<readonly [here: string, there: string]> {
  const [here = "", there = ""] = await Promise.all(
    bothServices(make).map(async (side) => {
      const location = await new Client(side).post("/auth/callback/credentials", { password: "x" });
      const { pathname, search } = new URL(location ?? "", "http://localhost:3000");
      return pathname + search;
    }),
  );
  return [here, there];
}

const ada = () => ({ id: "1", name: "Ada" });

for (const [name, error] of THROWN) {
  for (const where of ["authorize", "callbacks.signIn"]) {
    test(`${name} of @auth/core, thrown by \`${where}\`, leads where it leads with Auth.js`, async () => {
      const fail = () => {
        throw error();
      };
      const [here, there] = await leadsTo(() => ({
        providers: [Credentials({ authorize: where === "authorize" ? fail : ada })],
        ...(where === "callbacks.signIn" && { callbacks: { signIn: fail } }),
      }));
      assert.equal(here, DIFFERENT[name] ?? there, `${there} with Auth.js`);
    });
  }
}

test("whatever @auth/core exports of errors is exported here", () => {
  assert.deepEqual(Object.keys(others).filter((name) => !(name in own)), []);
});

test("isClientError() tells errors apart as @auth/core does", () => {
  const ownByName = own as unknown as Readonly<Record<string, MakeError>>;
  for (const [name, Other] of CLASSES) {
    const Own = ownByName[name];
    assert.ok(Own);
    assert.equal(own.isClientError(new Own()), theirs(new Other()), name);
  }
  for (const value of [null, undefined, "AccessDenied", {}, { type: "AccessDenied" }]) {
    assert.equal(own.isClientError(value), theirs(value));
  }
});
