/**
 * `auth.factors`: lists the second factors of users, and removes them.
 *
 * @module
 */
import type { ResolvedConfig } from "../config/resolve.ts";
import { InvalidConfig } from "../kernel/errors.ts";
import type { EventSubject } from "../request/events.ts";
import type { UserFactor } from "../request/factor_views.ts";
import { type FactorsAdministration, pointsOf } from "../request/points.ts";
import type { Engine } from "./engine.ts";

/**
 * The second factors of users, for administration. They need the feature `secondFactor()` of `@x/auth/second-factor`.
 *
 * Each function throws an {@linkcode AuthError}: `InvalidConfig` if the feature is not listed, or the configuration is a
 * function of the request, and `AdapterError` if storage fails.
 */
export interface AuthFactors {
  /**
   * Lists the second factors of a user that count: authenticator apps, passkeys, and the set of recovery codes. Who has
   * recovery codes has enrolled.
   *
   * @param userId Id of the user.
   * @returns The second factors. The list is empty if there is no such user.
   */
  list(userId: string): Promise<readonly UserFactor[]>;
  /**
   * Removes a second factor of a user, for somebody who has lost it. The user is told by mail. With the last authenticator
   * app or passkey, the recovery codes go, too; with the recovery codes, all apps go. Then the user counts as one who has not
   * enrolled. Sessions go on: end them with `auth.sessions.revokeAll()`. Make sure that it is the user who asks.
   *
   * @param userId Id of the user.
   * @param id The id that `list()` gave.
   * @returns Whether there was such a factor.
   * @throws {BadRequest} if it is a passkey, and the user has no other way of signing in.
   */
  remove(userId: string, id: string): Promise<boolean>;
}

/** Makes the functions of `auth.factors`. */
export function factorFunctions(engine: Engine): AuthFactors {
  return {
    list: async (userId) => await administer(engine, async (factors, config) => await factors.list(config, userId)),
    remove: async (userId, id) => {
      return await administer(engine, async (factors, config, subject) => {
        return await factors.remove(config, { userId, id, subject });
      });
    },
  };
}

async function administer<T>(
  engine: Engine,
  run: (factors: FactorsAdministration, config: ResolvedConfig, subject: EventSubject) => Promise<T>,
): Promise<T> {
  if (engine.needsRequest) {
    throw new InvalidConfig(
      "Cannot list or remove second factors: the configuration is a function of the request. Make a service of " +
        "the configuration that the user belongs to",
    );
  }
  return await engine.runWithoutRequest(async (config, subject) => {
    for (const { factors } of await pointsOf(config)) if (factors) return await run(factors, config, subject);
    throw new InvalidConfig(
      "Cannot list or remove second factors: add `secondFactor()` of `@x/auth/second-factor` to `features`",
    );
  });
}
