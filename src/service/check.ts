/**
 * `auth.check()`: everything that is wrong with a service, before the first request.
 *
 * @module
 */
import { AuthError, InvalidConfig } from "../kernel/errors.ts";
import { copyError, problemsOf } from "./configure.ts";
import { hasGuard, UNGUARDED } from "./configured.ts";
import type { Engine } from "./engine.ts";
import { explained } from "./explained.ts";
import { facts, oddities, outerProblems, sentenceOf, toldToStrangers } from "./inner_findings.ts";

/**
 * Checks a service: its configuration, its storage, and the metadata of its providers.
 *
 * @throws {InvalidConfig} with all `problems`, if there is any.
 */
export async function checkService(engine: Engine, request: Request | undefined): Promise<void> {
  if (engine.needsRequest && !request) {
    throw new InvalidConfig("Cannot check the configuration: a function chooses it, so pass a request to `check()`");
  }
  const problems = await problemsWith(engine, request);
  if (problems.length === 0) return;
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const lines = problems.map((problem) => `\n- ${sentenceOf(problem)}`);
  throw new InvalidConfig(`Cannot start: the check found ${count}${lines.join("")}`, {
    logCode: "check-failed",
    problems,
  });
}

async function problemsWith(engine: Engine, request: Request | undefined): Promise<readonly AuthError[]> {
  try {
    const { config, warn } = await engine.configured(request ?? null);
    const ctx = request ? await engine.open(request) : null;
    for (const warning of [...await oddities(config, ctx), ...toldToStrangers(config)]) warn(warning);
    const found = await outerProblems(config);
    const { factsOf, sentencesOf } = await facts();
    for (const fact of await factsOf(config, ctx)) {
      if (fact.level === "warning") warn([fact.id, sentencesOf(fact)]);
      else config.logger.debug(`${fact.id}: ${sentencesOf(fact)}`);
    }
    const known = ctx ? problemsOf(ctx) : config.problems;
    const unguarded = config.protect && !hasGuard(engine.source) ? [new InvalidConfig(NO_GUARD)] : [];
    const told = await Promise.all(known.map((problem) => explained(problem, config.runtime, engine.mount)));
    const problems = [...told, ...config.providerProblems].map(copyError);
    return [...problems, ...unguarded, ...found];
  } catch (error) {
    if (error instanceof AuthError) return [error];
    throw error;
  }
}

const NO_GUARD = `${UNGUARDED[1]}, and do so before you call \`check()\``;
