/**
 * Ids of users in the type that storage has for them: some databases number their users, and some database clients
 * refuse a number that is given as text.
 *
 * @module
 */
import type { Adapter } from "../contract/adapter.ts";
import { isObject } from "../kernel/objects.ts";

/** Operations that return a user, alone or with a session. */
const ANSWER_USERS = new Set<keyof Adapter>([
  "createUser",
  "getUser",
  "getUserByEmail",
  "getUserByAccount",
  "getSessionAndUser",
  "updateUser",
]);

/** Where the arguments of an operation have the id of a user: the first argument, or this member of it. */
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

/** How one adapter returns the ids of its users. */
export class UserIds {
  #toStored: ((id: string) => unknown) | null = null;

  /** Calls an operation with ids as storage has them, and notes how ids look in the answer. */
  async call<Args extends readonly unknown[]>(
    name: keyof Adapter,
    args: Args,
    operation: (args: Args) => unknown,
  ): Promise<unknown> {
    const answer = await this.#call(name, args, operation);
    const user = name === "getSessionAndUser" && isObject(answer) ? answer.user : answer;
    if (ANSWER_USERS.has(name) && isObject(user)) {
      if (typeof user.id === "number") this.#toStored = toNumber;
      if (typeof user.id === "bigint") this.#toStored = BigInt;
    }
    return answer;
  }

  async #call<Args extends readonly unknown[]>(
    name: keyof Adapter,
    args: Args,
    operation: (args: Args) => unknown,
  ): Promise<unknown> {
    if (this.#toStored) return await operation(convert(name, args, this.#toStored));
    try {
      return await operation(args);
    } catch (error) {
      // The first user that is read may have a number.
      const [id] = args;
      const isNumeric = typeof id === "string" && WHOLE_NUMBER.test(id) && typeof toNumber(id) === "number";
      if (name !== "getUser" || !isNumeric) throw error;
      return await operation(convert(name, args, toNumber));
    }
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
