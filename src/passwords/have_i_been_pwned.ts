/**
 * Passwords that have leaked, as Have I Been Pwned knows them.
 *
 * @module
 */
import { toHex, utf8 } from "../crypto/encoding.ts";
import { readBytes } from "../http/bytes.ts";
import { withDeadline } from "../kernel/deadline.ts";
import { InvalidConfig, OAuthProviderError } from "../kernel/errors.ts";
import type { BreachAnswer, BreachCheck, BreachRuntime } from "./breach.ts";

/** Options of {@linkcode haveIBeenPwned}. */
export interface HaveIBeenPwnedOptions {
  /** Sends the request. @default {fetch} */
  readonly fetch?: ((input: URL, init: RequestInit) => Promise<Response>) | undefined;
  /** Seconds after which the password is accepted without an answer. `timeouts.request` limits it, too. @default {1} */
  readonly timeout?: number | undefined;
}

const HOST = "api.pwnedpasswords.com";

/** Bytes of an answer: ten times the usual ones. */
const MOST_BYTES = 512 * 1024;

/** Seconds that somebody waits for at most. */
const LONGEST = 10;

/** The rest of a digest, and how often it was found. */
const LINE = /^([0-9A-F]{35}):(\d{1,10})$/i;

/**
 * Asks Have I Been Pwned whether a password has leaked. It learns five of forty digits of the SHA-1 of the password, which
 * hundreds of leaked passwords have in common, and not whose it is. If it does not answer in time, or not as it should,
 * the password is accepted, and the log says so.
 *
 * @throws {InvalidConfig} if an option is out of bounds.
 * @see {@link https://haveibeenpwned.com/API/v3#PwnedPasswords | Pwned Passwords}
 */
export function haveIBeenPwned(options: HaveIBeenPwnedOptions = {}): BreachCheck {
  const { fetch, timeout = 1 } = options;
  if (!(timeout > 0 && timeout <= LONGEST)) {
    throw new InvalidConfig(
      `Cannot use \`timeout\` of \`haveIBeenPwned()\`: it must be above 0 and at most ${LONGEST} s`,
    );
  }
  return {
    id: "have-i-been-pwned",
    async check(text, runtime) {
      const digest = toHex(new Uint8Array(await crypto.subtle.digest("SHA-1", utf8(text.normalize("NFC")))));
      const [prefix, rest] = [digest.slice(0, 5).toUpperCase(), digest.slice(5).toUpperCase()];
      const own: BreachRuntime = fetch ? { ...runtime, fetch: (url, init) => fetch(url as URL, init ?? {}) } : runtime;
      try {
        return answerOf(await ask(own, prefix, timeout), rest);
      } catch (thrown) {
        return unknown(thrown, prefix);
      }
    },
  };
}

/** Asks for all digests that begin with a prefix. */
async function ask(runtime: BreachRuntime, prefix: string, timeout: number): Promise<string> {
  const controller = new AbortController();
  const { signal } = controller;
  try {
    return await withDeadline(runtime, timeout, HOST, async () => {
      const url = new URL(`https://${HOST}/range/${prefix}`);
      // All answers are padded to about the same length: it would tell who listens which prefix it was.
      const headers = { "Add-Padding": "true" };
      const response = await runtime.fetch(url, { headers, signal, redirect: "manual" });
      if (response.status !== 200) throw new TypeError(`its status is ${response.status}`);
      const bytes = await readBytes(response.body, MOST_BYTES, signal);
      if (!bytes) throw new TypeError("its answer is too long");
      return new TextDecoder().decode(bytes);
    });
  } finally {
    // Also ends an answer that nobody reads to its end.
    controller.abort();
  }
}

/** @param rest What comes after the prefix. */
function answerOf(text: string, rest: string): BreachAnswer {
  let count = 0;
  for (const line of text.trimEnd().split(/\r?\n/)) {
    const [, found, times] = LINE.exec(line) ?? [];
    if (found === undefined) throw new TypeError("its answer is not a list of digests");
    // Digests of the padding have a count of 0.
    if (found.toUpperCase() === rest) count = Number(times);
  }
  return count > 0 ? { kind: "breached", count } : { kind: "clear" };
}

function unknown(thrown: unknown, prefix: string): BreachAnswer {
  // The runtime may name the URL, and its end says much of somebody's password.
  const why = (thrown instanceof Error ? thrown.message : "something was thrown").replaceAll(prefix, "…");
  const error = new OAuthProviderError(`Cannot ask ${HOST} whether a password has leaked: ${why}`, {
    logCode: "provider-unreachable",
  });
  return { kind: "unknown", error };
}
