/**
 * Ids of users in the type that storage has for them: some databases number their users, and some of their clients refuse
 * a number that is written as text.
 *
 * @module
 */
import type { Adapter } from "../contract/adapter.ts";
import { isObject } from "../kernel/objects.ts";

/** Operations whose answer is a user, or has one. */
const ANSWER_USERS = new Set<keyof Adapter>([
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "getSessionAndUser",
  "updateUser",
]);

/** Where an operation is given the id of a user: as its first argument, or as this member of it. */
const GIVEN_IDS: Readonly<Partial<Record<keyof Adapter, "first" | "id" | "userId">>> = {
  getUser: "first",
  deleteUser: "first",
  listAuthenticatorsByUserId: "first",
  updateUser: "id",
  linkAccount: "userId",
  createSession: "userId",
  createAuthenticator: "userId",
};

const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,18})$/;

/** What one adapter has shown of the ids of its users. */
export class UserIds {
  #toStored: ((id: string) => unknown) | null = null;

  /** Notes how ids look in an answer. */
  note(name: keyof Adapter, answer: unknown): void {
    const user = name === "getSessionAndUser" && isObject(answer) ? answer.user : answer;
    if (!ANSWER_USERS.has(name) || !isObject(user)) return;
    if (typeof user.id === "number") this.#toStored = toNumber;
    if (typeof user.id === "bigint") this.#toStored = BigInt;
  }

  /** Gives the arguments of an operation with ids as storage has them. */
  restore<Args extends readonly unknown[]>(name: keyof Adapter, args: Args): Args {
    return this.#toStored ? convert(name, args, this.#toStored) : args;
  }

  /** Gives the arguments of an operation that failed with text, for another try with a number; `null` if it is hopeless. */
  retry<Args extends readonly unknown[]>(name: keyof Adapter, args: Args): Args | null {
    const [id] = args;
    const isNumeric = typeof id === "string" && WHOLE_NUMBER.test(id) && typeof toNumber(id) === "number";
    return name === "getUser" && !this.#toStored && isNumeric ? convert(name, args, toNumber) : null;
  }
}

// A larger number would be rounded, to the id of another user.
function toNumber(id: string): unknown {
  return Number.isSafeInteger(Number(id)) ? Number(id) : id;
}

function convert<Args extends readonly unknown[]>(
  name: keyof Adapter,
  args: Args,
  toStored: (id: string) => unknown,
): Args {
  const [first, ...others] = args;
  const place = GIVEN_IDS[name];
  const change = (id: unknown) => typeof id === "string" && WHOLE_NUMBER.test(id) ? toStored(id) : id;
  if (place === "first") return [change(first), ...others] as unknown as Args;
  if (!place || !isObject(first)) return args;
  return [{ ...first, [place]: change(first[place]) }, ...others] as unknown as Args;
}
