/**
 * The secrets of the application, with what each is called.
 *
 * @module
 */
import { inferFromEnv } from "../../src/config/env.ts";
import { listSecrets, SECRET_FORM } from "../../src/crypto/secrets.ts";
import { InvalidConfig } from "../../src/kernel/errors.ts";
import type { Runtime } from "../../src/kernel/runtime.ts";

/** A secret, and its name in what is printed. */
export interface NamedSecret {
  readonly name: string;
  readonly text: string;
}

/** The variables that the service reads. */
export const SECRET_VARIABLES: readonly string[] = [
  "AUTH_SECRET",
  "AUTH_SECRET_1",
  "AUTH_SECRET_2",
  "AUTH_SECRET_3",
  "NEXTAUTH_SECRET",
];

/** Lists the secrets, newest first. @throws {InvalidConfig} if there is none, or anything but text. */
export function namedSecrets(
  given: string | readonly string[] | undefined,
  { env }: Pick<Runtime, "env">,
): readonly NamedSecret[] {
  const own = listSecrets(given);
  if (own?.length === 0) throw new InvalidConfig(`Cannot use \`secret\`: ${SECRET_FORM}`);
  if (own) return own.map((text, at) => ({ name: own.length === 1 ? "secret" : `secret[${at}]`, text }));
  const found = inferFromEnv(env).secret.map((text) => {
    return { name: SECRET_VARIABLES.find((name) => env(name) === text) ?? "AUTH_SECRET", text };
  });
  if (found.length > 0) return found;
  throw new InvalidConfig(
    "There is no secret: set the variable AUTH_SECRET as the application has it; Deno also needs " +
      `--allow-env=${SECRET_VARIABLES.join(",")}`,
  );
}
