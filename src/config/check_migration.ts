/**
 * Checks the option `session.migrateFrom`.
 *
 * @module
 */
import type { AuthConfig } from "../contract/config.ts";
import { formerSpecs } from "../http/cookie_specs.ts";
import { cookieProblem } from "../http/cookie_text.ts";
import { type ConfigError, InvalidConfig } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";

const HINT = "pass what `betterAuth()` of @x/auth/migrate/better-auth has as `sessions`, or what `nextAuthV4()` of " +
  "@x/auth/migrate/next-auth-v4 returns";

/** Lists what is wrong with the sessions that another library began. */
export function migrationProblems({ session, adapter }: AuthConfig): ConfigError[] {
  const former: unknown = session?.migrateFrom;
  if (former === undefined || former === null) return [];
  if (!isObject(former) || typeof former.read !== "function" || !Array.isArray(former.cookies)) {
    return [new InvalidConfig(`Cannot use \`session.migrateFrom\`: ${HINT}`)];
  }
  const isStored = (session?.strategy ?? (adapter ? "database" : "jwt")) === "database";
  if (!isStored && typeof former.open !== "function") {
    return [
      new InvalidConfig(
        "Cannot use `session.migrateFrom`: its sessions are rows, so set an `adapter` and " +
          '`session.strategy: "database"`',
      ),
    ];
  }
  const problems = [...formerSpecs(true, former.cookies).values()].map(({ name, options }) =>
    cookieProblem(name, options)
  );
  const [problem] = problems.filter((each) => each !== null);
  return problem ? [new InvalidConfig(`Cannot use a cookie of \`session.migrateFrom\`: ${problem}`)] : [];
}
