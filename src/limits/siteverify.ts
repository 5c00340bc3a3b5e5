/**
 * Asks a service whether a solution is right. Whatever goes wrong there, the challenge is not solved.
 *
 * @module
 */
import { sha256Hex } from "../crypto/digest.ts";
import type { ChallengeKeys } from "../contract/challenge.ts";
import { MOST_BY_STRANGERS } from "../config/warning.ts";
import { AuthError, InvalidConfig, OAuthProviderError } from "../kernel/errors.ts";
import { readUniqueObject } from "../oauth_client/json.ts";
import { limitedFetch } from "../oauth_client/outbound.ts";
import type { RequestContext } from "../request/context.ts";
import { spend } from "./spent.ts";

/** What differs between services. */
export interface Service {
  /** The name of the function that makes the challenge, in lower case its id. */
  readonly name: string;
  /** The field that the solution comes back in. */
  readonly field: string;
  /** Class of the element that its script looks for. */
  readonly className: string;
  /** Attributes of that element, besides the key. */
  readonly data?: Readonly<Record<string, string>>;
  /** URL of its script. */
  readonly script: string;
  /** Sources that its script and its frames are loaded from: origins, perhaps with a path. */
  readonly origins: readonly string[];
  /** Where a solution is judged. */
  readonly verifyUrl: string;
  /** The `action` that the answer has to name. */
  readonly action?: string;
  /** Whether the answer repeats the `cdata` of the element. */
  readonly repeatsData?: boolean;
  /** Whether the site key is sent along. */
  readonly sendsSiteKey?: boolean;
}

/** What {@linkcode isSolved} needs. */
export interface Solution {
  readonly service: Service;
  readonly keys: ChallengeKeys;
  /** What came back. */
  readonly solution: string;
  /** The `cdata` of the element. */
  readonly data: string;
}

/** Milliseconds that a solution is remembered: longer than any service accepts it. */
const REMEMBERED = 10 * 60 * 1000;

/** Whether a solution is right, for this page and this subject, and came for the first time. */
export async function isSolved(ctx: RequestContext, { service, keys, solution, data }: Solution): Promise<boolean> {
  const answer = await ask(ctx, { service, keys, solution, data });
  if (answer?.success !== true) return false;
  if (service.action !== undefined && answer.action !== service.action) return false;
  if (service.repeatsData && answer.cdata !== data) return false;
  if (!isOurs(ctx, service, keys, answer.hostname)) return false;
  // Services accept a solution once. Nothing else says so here.
  const expires = new Date(ctx.config.runtime.now() + REMEMBERED);
  return await spend(ctx, `solved:${await sha256Hex(`${service.name}:${solution}`)}`, expires);
}

type Answer = Readonly<Record<string, unknown>>;

async function ask(ctx: RequestContext, { service, keys, solution }: Solution): Promise<Answer | null> {
  const { config } = ctx;
  const { siteKey, secretKey } = keys;
  const url = new URL(service.verifyUrl);
  const body = new URLSearchParams({
    ...{ secret: secretKey, response: solution },
    ...(service.sendsSiteKey && { sitekey: siteKey }),
  });
  try {
    const response = await limitedFetch(config, {})(url, { method: "POST", body });
    const answer = await readAnswer(url, response);
    const codes = answer["error-codes"];
    if (Array.isArray(codes) && codes.some((code) => OUR_MISTAKES.has(code))) {
      throw new InvalidConfig(`Cannot judge the challenge: ${url.host} refused the keys of \`${service.name}()\``);
    }
    return answer;
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    config.logger.error(error, ctx);
    return null;
  }
}

/** What services call keys that are wrong. Everything else may be the mistake of whoever has sent the solution. */
const OUR_MISTAKES: ReadonlySet<unknown> = new Set([
  ...["missing-input-secret", "invalid-input-secret", "sitekey-secret-mismatch", "not-using-dummy-passcode"],
]);

async function readAnswer(url: URL, response: Response): Promise<Answer> {
  // It refuses what two readers could read differently.
  const answer = readUniqueObject(await response.arrayBuffer())?.exact;
  if (answer && response.status < 500) return answer;
  throw new OAuthProviderError(`Cannot use ${url.host}: its answer is not one of this service`, {
    cause: { kind: "malformed", status: response.status },
    logCode: "provider-unreachable",
  });
}

function isOurs(ctx: RequestContext, { name }: Service, { hostnames }: ChallengeKeys, given: unknown): boolean {
  const allowed = hostnames ?? [ctx.url.hostname];
  if (typeof given === "string" && allowed.includes(given.toLowerCase())) return true;
  const where = typeof given === "string" ? given : "a page without a host";
  const message =
    `A challenge of \`${name}()\` was solved on ${where}, which is none of its hosts. If it is a page of ` +
    "yours, add it to `hostnames`";
  ctx.warn?.(["challenge-hostname", message], MOST_BY_STRANGERS);
  return false;
}
