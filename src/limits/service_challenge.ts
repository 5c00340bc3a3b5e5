/**
 * What challenges do that another service shows and judges.
 *
 * @module
 */
import { sha256Base64Url } from "../crypto/digest.ts";
import type { ChallengeKeys } from "../contract/challenge.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import type { ChallengeView } from "../kernel/challenge_view.ts";
import type { RequestContext } from "../request/context.ts";
import type { ChallengeActs, ChallengeAnswered, ChallengeAsked } from "./challenge.ts";
import { isSolved, type Service } from "./siteverify.ts";

/** Makes what the challenge of a service does. */
export function serviceActs(service: Service, keys: ChallengeKeys): ChallengeActs {
  const { name, className, data, script, origins, action, repeatsData } = service;

  async function show(_: RequestContext, { subject }: ChallengeAsked): Promise<ChallengeView> {
    assertKeys(name, keys);
    const bound = {
      ...(action !== undefined && { action }),
      ...(repeatsData && { cdata: await dataOf(subject) }),
    };
    const widget = { className, data: { sitekey: keys.siteKey, ...data, ...bound }, script };
    return { id: name, fields: {}, widget, origins };
  }

  async function verify(ctx: RequestContext, { subject, fields }: ChallengeAnswered): Promise<boolean> {
    const solution = fields[service.field];
    // What is no solution is not worth a request.
    if (typeof solution !== "string" || !SOLUTION.test(solution)) return false;
    assertKeys(name, keys);
    return await isSolved(ctx, { service, keys, solution, data: await dataOf(subject) });
  }

  return { show, verify };
}

/** Solutions are a few kB of printable ASCII. */
const SOLUTION = /^[\x21-\x7e]{1,8192}$/;

/** What binds a solution to a subject, in the characters that services allow. */
function dataOf(subject: string): Promise<string> {
  return sha256Base64Url(subject);
}

// Not when it is made: a site is built where the environment has no keys.
function assertKeys(name: string, keys: ChallengeKeys): void {
  for (const option of ["siteKey", "secretKey"] as const) {
    const key: unknown = keys[option];
    if (typeof key === "string" && key.trim() !== "") continue;
    throw new InvalidConfig(`Cannot show the challenge: set \`${option}\` of \`${name}()\``);
  }
}
