/** Every way in which one call to storage goes wrong. */
import type { Adapter } from "../../src/contract/adapter.ts";

/** A call to storage. */
export interface Call {
  readonly name: keyof Adapter;
  /** What storage would have done. */
  readonly honest: () => unknown;
}

/** A way to fail. */
export interface Fault {
  readonly name: string;
  /** The operations that can fail so; all, if not said. */
  readonly fits?: ReadonlySet<keyof Adapter>;
  /** Whether nothing comes of the call, ever. */
  readonly hangs?: boolean;
  readonly run: (call: Call) => unknown;
}

const UNREADABLE = Object.freeze({
  get message(): string {
    throw new Error("unreadable");
  },
});

const THROWN: Readonly<Record<string, unknown>> = {
  "an error": new Error("the database is gone"),
  "a text": "gone",
  "null": null,
  "nothing": undefined,
  "an object that cannot be read": UNREADABLE,
  "a frozen error": Object.freeze(new TypeError("gone")),
};

/** The two that tell most: the call that did nothing, and the one whose answer was lost. */
export const LOST: readonly Fault[] = [before("an error"), after("an error")];

/** Calls that fail and say so, or say nothing. */
export const LOUD: readonly Fault[] = [
  ...Object.keys(THROWN).flatMap((what) => [before(what), after(what)]),
  {
    name: "throws at once",
    run: () => {
      throw THROWN["an error"];
    },
  },
  { name: "never answers", hangs: true, run: never },
  { name: "never answers, and has done it", hangs: true, run: async (call) => (await call.honest(), await never()) },
];

function before(what: string): Fault {
  return { name: `fails with ${what}`, run: () => Promise.reject(THROWN[what]) };
}

function after(what: string): Fault {
  return {
    name: `fails with ${what}, and has done it`,
    run: async ({ honest }) => {
      await honest();
      throw THROWN[what];
    },
  };
}

function never(): Promise<never> {
  return new Promise(() => {});
}

type Row = Record<string, unknown>;

const PAIRS = new Set(["getSessionAndUser"] as const);
const USERS = new Set(["createUser", "getUser", "getUserByEmail", "getUserByAccount", "updateUser"] as const);
const ENDING = new Set(["getSessionAndUser", "updateSession", "useVerificationToken", "getVerificationToken"] as const);
const LISTS = new Set(["listAccountsByUserId", "listAuthenticatorsByUserId"] as const);
const ROWS: ReadonlySet<keyof Adapter> = new Set([...USERS, ...ENDING]);
// Storage that confuses people when it is asked whose an account is cannot be seen through: there is nothing to compare.
// So what it makes up must stay away where it would have found nobody.
const TELLING: ReadonlySet<keyof Adapter> = new Set([...PAIRS, ...USERS].filter((name) => name !== "getUserByAccount"));

/** Somebody who is in storage and has nothing to do with it. */
export const MALLORY = { id: "mallory", name: "Mallory", email: "mallory@example.com", emailVerified: null };

class Model {
  readonly #row: Row;
  constructor(row: Row) {
    this.#row = row;
  }
  get id(): unknown {
    return this.#row.id;
  }
  get name(): unknown {
    return this.#row.name;
  }
  get email(): unknown {
    return this.#row.email;
  }
  get emailVerified(): unknown {
    return this.#row.emailVerified;
  }
}

/** Answers that are not what was asked for. */
export const JUNK: readonly Fault[] = [
  gives("nothing for a row", ROWS, () => undefined),
  gives("a text for a row", ROWS, () => "row"),
  gives("a list for a row", ROWS, (row) => [row]),
  gives("an empty row", ROWS, () => ({})),
  gives("null for a list", LISTS, () => null),
  gives("a list of nothing", LISTS, () => [null]),
  gives("null for a verdict", new Set(["commit", "once"]), () => null),
  gives("a text for a verdict", new Set(["commit", "once"]), () => "maybe"),
  ofUser("somebody else's row", TELLING, (row) => ({ ...row, ...MALLORY, userId: MALLORY.id })),
  ofUser("a row without an id", USERS, ({ id: _, ...row }) => row),
  ofUser("a user without an id", PAIRS, ({ id: _, ...row }) => row),
  ofUser("a row without an address", USERS, ({ email: _, ...row }) => row),
  ofUser("an id that is a big number", TELLING, (row) => ({ ...row, id: 7n })),
  ofUser("a name that is a big number", ROWS, (row) => ({ ...row, name: 7n })),
  ofUser("a row that says more", ROWS, (row) => ({ ...JSON.parse('{"__proto__":{"admin":true}}'), ...row })),
  ofUser("an instance of a class", new Set([...USERS, ...PAIRS]), (row) => new Model(row)),
  ofUser("a row that cannot be read", ROWS, unreadable),
  ends("a text for an end", (expires) => expires.toISOString()),
  ends("a number for an end", (expires) => expires.valueOf()),
  ends("an end that is no date", () => new Date(NaN)),
  ends("an end in the year 275760", () => new Date(864e13)),
];

/** All of them. */
export const EVERY: readonly Fault[] = [...LOUD, ...JUNK];

function gives(what: string, fits: ReadonlySet<keyof Adapter>, change: (row: Row) => unknown): Fault {
  return {
    name: `gives ${what}`,
    fits,
    run: async ({ name, honest }) => {
      const row = await honest() as Row | null;
      return row || name !== "getUserByAccount" ? change(row ?? { ...MALLORY }) : row;
    },
  };
}

function ofUser(what: string, fits: ReadonlySet<keyof Adapter>, change: (row: Row) => unknown): Fault {
  return gives(what, fits, (row) => "user" in row ? { ...row, user: change(row.user as Row) } : change(row));
}

function ends(what: string, change: (expires: Date) => unknown): Fault {
  const changed = (row: Row) => ({ ...row, expires: change(row.expires as Date ?? new Date(864e13)) });
  return gives(what, ENDING, (row) => "user" in row ? { ...row, session: changed(row.session as Row) } : changed(row));
}

function unreadable(row: Row): unknown {
  return new Proxy(row, {
    get(_, name) {
      if (name === "then") return undefined; // or it could not even be waited for
      throw new Error("unreadable");
    },
  });
}
