/**
 * One interface for the supported clients of Redis: `ioredis`, `redis` and `@upstash/redis`.
 *
 * @module
 */
import { toHex, utf8 } from "../../src/crypto/encoding.ts";
import { withDeadline } from "../../src/kernel/deadline.ts";
import { AdapterError, InvalidConfig, Timeout } from "../../src/kernel/errors.ts";
import { isThenable, kindOf } from "../../src/kernel/objects.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { ANY } from "./scripts.ts";

/** A `Redis` or `Cluster` of `ioredis`, or one of its shape, such as of `iovalkey`. */
export interface IoRedisLike {
  /** Sends any command. */
  call(command: string, ...args: string[]): Promise<unknown>;
}

/** What `createClient()` of `redis` returns, or an object of its shape. */
export interface NodeRedisLike {
  /** Sends any command. */
  sendCommand(args: string[]): Promise<unknown>;
}

/** What `createCluster()` of `redis` returns, or an object of its shape. */
export interface NodeRedisClusterLike {
  /** Sends any command to the node that has a key. */
  sendCommand(key: string | undefined, isReadonly: boolean | undefined, args: string[]): Promise<unknown>;
  /** Where its nodes are. */
  readonly slots: unknown;
}

/** A `Redis` of `@upstash/redis`, or one of its shape. */
export interface UpstashLike {
  /** Runs a program. */
  eval(script: string, keys: string[], args: string[]): Promise<unknown>;
  /** Runs a program that the server knows, by its SHA-1. */
  evalsha(sha1: string, keys: string[], args: string[]): Promise<unknown>;
}

/** A client of Redis, recognized by its shape. */
export type RedisClient = IoRedisLike | NodeRedisLike | NodeRedisClusterLike | UpstashLike;

/** What is asked of Redis. Each method throws `AdapterError` if it fails or takes too long. */
export interface Redis {
  /** Sends a command about one key. Its answer is a text, a number or nothing. */
  send(command: string, key: string, ...args: string[]): Promise<string | null>;
  /** Sends a command about one key that answers with a list. */
  list(command: string, key: string): Promise<string[]>;
  /** Runs a program on one key. */
  run(script: string, key: string, ...args: string[]): Promise<string | null>;
  /** Asks for facts on the server. `null` if the client cannot. */
  info(section: string): Promise<string | null>;
}

/** How a client sends commands. */
interface Driver {
  readonly sendTo: (key: string | undefined, args: string[]) => Promise<unknown>;
  readonly knowsAll: boolean;
}

/** Recognizes a client by its shape. @throws {InvalidConfig} for any other object. */
export function redisOf(client: RedisClient, timeout: number): Redis {
  const { sendTo, knowsAll } = driverOf(client);
  const ask = async (key: string | undefined, args: string[]) => {
    try {
      return await withDeadline(systemRuntime, timeout, "Redis", () => sendTo(key, args));
    } catch (error) {
      throw failed(error, timeout);
    }
  };
  const run = async (script: string, key: string, ...args: string[]) => {
    try {
      return await ask(key, ["EVALSHA", await sha1Of(script), "1", key, ...args]);
    } catch (error) {
      // It was never sent there, the server was started again, or somebody has removed all programs.
      if (!(error instanceof AdapterError && error.message.includes("NOSCRIPT"))) throw error;
      return await ask(key, ["EVAL", script, "1", key, ...args]);
    }
  };
  const send = (command: string, key: string, ...args: string[]) => {
    return knowsAll ? ask(key, [command, key, ...args]) : run(ANY, key, command, ...args);
  };
  return {
    run: async (...args) => textOf(await run(...args)),
    send: async (...args) => textOf(await send(...args)),
    list: async (command, key) => {
      const answer = await send(command, key);
      if (answer instanceof Set || Array.isArray(answer)) return [...answer].flatMap((each) => textOf(each) ?? []);
      throw unknownAnswer();
    },
    info: async (section) => knowsAll ? textOf(await ask(undefined, ["INFO", section])) : null,
  };
}

/** Reads an answer: clients may be set to return bytes. */
function textOf(answer: unknown): string | null {
  if (answer === null || answer === undefined) return null;
  if (typeof answer === "string") return answer;
  if (typeof answer === "number" || typeof answer === "bigint") return String(answer);
  if (answer instanceof Uint8Array) return new TextDecoder().decode(answer);
  // It must not count as no session.
  throw unknownAnswer();
}

function unknownAnswer(): AdapterError {
  return new AdapterError("Cannot use Redis: the client returned neither text nor a number", {
    logCode: "adapter-failed",
  });
}

const WANTED = "a client of `ioredis`, `redis` or `@upstash/redis`, as in `redisSessions(new Redis(url))`";

function driverOf(client: RedisClient): Driver {
  const refuse = (problem: string) =>
    new InvalidConfig(`Cannot use client: ${problem}`, { logCode: "driver-unusable" });
  if (isThenable(client)) throw refuse("it is a promise; `await` it");
  // What else is given may be a URL with a password: it is not shown.
  if (typeof client !== "object" || client === null) throw refuse(`it is ${kindOf(client)}; pass ${WANTED}`);
  if ("call" in client && typeof client.call === "function") {
    return { knowsAll: true, sendTo: (_, [command = "", ...args]) => client.call(command, ...args) };
  }
  if ("slots" in client && "sendCommand" in client) {
    return { knowsAll: true, sendTo: (key, args) => client.sendCommand(key, false, args) };
  }
  if ("sendCommand" in client) return { knowsAll: true, sendTo: (_, args) => client.sendCommand(args) };
  if ("eval" in client && "evalsha" in client) {
    return {
      knowsAll: false,
      sendTo: (_, [command, program = "", _count, key = "", ...args]) =>
        command === "EVAL" ? client.eval(program, [key], args) : client.evalsha(program, [key], args),
    };
  }
  throw refuse(`pass ${WANTED}`);
}

/** The SHA-1 of each program, which is its name on the server. */
const names = new Map<string, string>();

async function sha1Of(script: string): Promise<string> {
  const known = names.get(script);
  if (known !== undefined) return known;
  const name = toHex(new Uint8Array(await crypto.subtle.digest("SHA-1", utf8(script))));
  names.set(script, name);
  return name;
}

/** What `@upstash/redis` puts before what the server said. */
const WRAPPED = /^Command (?:\d+ \[ \w+ \] )?failed: /;

// Clients put the command and its values into their errors, and a value is a session: only the beginning of what the
// server or the system said is kept.
function failed(error: unknown, timeout: number): AdapterError {
  const { message, code } = Object(error) as { readonly message?: unknown; readonly code?: unknown };
  const text = typeof message === "string" ? message.replace(WRAPPED, "") : "";
  const [said] = /^[^:,'"`\[{(]{1,120}/.exec(text) ?? [];
  const reason = error instanceof Timeout ? `it did not answer within ${timeout} s` : said?.trim();
  const isCode = typeof code === "string" && /^[A-Z_]{3,30}$/.test(code) && !reason?.includes(code);
  return new AdapterError(`Cannot use Redis: ${reason || "the client failed"}${isCode ? ` (${code})` : ""}`, {
    logCode: "adapter-failed",
  });
}
