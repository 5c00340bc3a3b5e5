/** Passwords that cannot be kept, or whose options cannot be used. */
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { credentials } from "@x/auth/providers/credentials";
import { password } from "@x/auth/providers/password";
import { type Mistake, SECRET, SERVED, tellMistakes } from "./_table.ts";

const pin = credentials({ id: "pin", credentials: { pin: {} }, authorize: () => null });
const mail = () => {};

function withoutRecords(): object {
  return {
    ...memoryAdapter(),
    getRecord: undefined,
    putRecord: undefined,
    removeRecord: undefined,
    listRecords: undefined,
  };
}

type Says = readonly [string, ...string[]];

/** The provider is left out, and the other one goes on. */
function leftOut(name: string, options: unknown, config: object, ...says: Says): Mistake {
  return {
    name,
    make: () => {
      const providers = [pin, password(options as never)];
      return createAuth({ secret: SECRET, trustHost: true, ...config, providers } as never).handler;
    },
    see: SERVED,
    log: /A provider is left out\. Cannot use /,
    code: "provider-left-out",
    level: "warn",
    says,
  };
}

/** An option that cannot be used. */
function wrong(name: string, options: unknown, ...says: Says): Mistake {
  return leftOut(name, options, { adapter: memoryAdapter(), mail }, 'provider "password"', ...says);
}

tellMistakes([
  leftOut("passwords have no storage", {}, { mail }, '"password"', "`adapter`", "set one"),
  leftOut(
    "passwords have an adapter without records",
    {},
    { mail, adapter: withoutRecords() },
    "has no records",
    "`withRecords` of @x/auth/adapters/records",
    "set `store`",
  ),
  leftOut("passwords have nothing that sends mail", {}, { adapter: memoryAdapter() }, "it sends email", "`mail`"),
  leftOut(
    "passwords have an adapter that keeps no tokens",
    {},
    { mail, adapter: { ...memoryAdapter(), useVerificationToken: undefined }, session: { strategy: "jwt" } },
    "useVerificationToken",
  ),
  wrong("`signUp` is misspelt", { signUp: "invite" }, "`signUp`", '"invited"'),
  wrong("passwords of seven characters are enough", { length: { min: 7 } }, "`length.min`", "from 8 to 256"),
  wrong("long passwords are refused", { length: { max: 20 } }, "`length.max`", "from 64 to 256"),
  wrong("the shortest password is longer than the longest", { length: { min: 100, max: 64 } }, "`length.min`", "below"),
  wrong("`breached` is a URL", { breached: "https://api.pwnedpasswords.com" }, "`breached`", "`haveIBeenPwned()`"),
  wrong("`breached` is not called", { breached: () => {} }, "`breached`", "`haveIBeenPwned()`"),
  wrong("`hash` lacks a function", { hash: { make: () => "" } }, "`hash`", "`verify`"),
  wrong("`legacy` is no list", { legacy: { matches: () => true } }, "`legacy`", "a list of formats"),
  wrong("`store` lacks a function", { store: { get: () => null } }, "`store`", "`remove`"),
  wrong("`concurrency` is zero", { concurrency: 0 }, "`concurrency`", "from 1 to 64"),
  {
    name: "`authorize` stands beside passwords that are checked here",
    make: () => {
      const providers = [pin, { ...password(), authorize: () => ({ id: "1" }) }];
      return createAuth({ secret: SECRET, trustHost: true, adapter: memoryAdapter(), mail, providers }).handler;
    },
    see: SERVED,
    log: /A provider is left out\. Cannot use /,
    code: "provider-left-out",
    level: "warn",
    says: ['"password"', "`authorize`", "`credentials()`"],
  },
  {
    name: "passwords have another id",
    make: () => {
      const providers = [pin, { ...password(), id: "pw" }];
      return createAuth({ secret: SECRET, trustHost: true, adapter: memoryAdapter(), mail, providers } as never)
        .handler;
    },
    see: SERVED,
    log: /A provider is left out\. Cannot use /,
    code: "provider-left-out",
    level: "warn",
    says: ['provider "pw"', "`id`", '"password"'],
  },
  {
    name: "an option of passwords is misspelt",
    make: () => {
      const providers = [pin, password({ signup: false } as never)];
      return createAuth({ secret: SECRET, trustHost: true, adapter: memoryAdapter(), mail, providers }).handler;
    },
    see: SERVED,
    log: /signup/,
    code: "option-unknown",
    level: "warn",
    says: ["`signup`", "`signUp`"],
  },
]);
