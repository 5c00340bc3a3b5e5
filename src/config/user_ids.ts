/**
 * Ids of users in the type that storage has for them: some databases number their users, and some of their clients refuse
 * a number that is written as text.
 *
 * @module
 */
import type { Adapter } from "../contract/adapter.ts";
import { isObject } from "../kernel/objects.ts";

/** Operations whose answer is a user. */
const ANSWER_USERS = new Set<keyof Adapter>([
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
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
    if (!isObject(answer)) return;
    const owner = isObject(answer.user) ? answer.user.id : answer.userId;
    const id = ANSWER_USERS.has(name) ? answer.id : owner;
    if (typeof id === "number") this.#toStored = Number;
    if (typeof id === "bigint") this.#toStored = BigInt;
  }

  /** Gives the arguments of an operation with ids as storage has them. */
  restore<Args extends readonly unknown[]>(name: keyof Adapter, args: Args): Args {
    return this.#toStored ? convert(name, args, this.#toStored) : args;
  }

  /** Gives the arguments of an operation that failed with text, for another try with a number; `null` if it is hopeless. */
  retry<Args extends readonly unknown[]>(name: keyof Adapter, args: Args): Args | null {
    const [id] = args;
    const isNumeric = typeof id === "string" && WHOLE_NUMBER.test(id) && Number.isSafeInteger(Number(id));
    return name === "getUser" && !this.#toStored && isNumeric ? convert(name, args, Number) : null;
  }
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
