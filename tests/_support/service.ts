/** Services for stories: complete configurations of which a test changes what it is about. */
import type { AuthConfig, CredentialsProvider, Logger } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";

export const SECRET = "a secret for tests, longer than 32 characters";

/** A configuration that works and says nothing. */
export function testConfig(config: AuthConfig = {}): AuthConfig {
  return { secret: SECRET, trustHost: true, providers: [password()], logger: quiet(), ...config };
}

/** What one types to be Ada. */
export const ADA = { username: "ada", password: "lovelace" };

/** Somebody with a password. */
export function password(options: Partial<CredentialsProvider> = {}): CredentialsProvider {
  return credentials({
    name: "Password",
    credentials: { username: {}, password: { type: "password" } },
    authorize: (fields) => {
      if (fields.username !== ADA.username || fields.password !== ADA.password) return null;
      return { id: "1", name: "Ada Lovelace", email: "ada@example.com", image: "https://example.com/ada.png" };
    },
    ...options,
  });
}

function quiet(): Logger {
  return { error: () => {}, warn: () => {}, debug: () => {} };
}

/** What a service wrote. */
export interface Log {
  readonly logger: Logger;
  readonly errors: Error[];
  readonly warnings: string[];
}

export function recordLog(): Log {
  const errors: Error[] = [];
  const warnings: string[] = [];
  const logger = {
    error: (error: Error) => void errors.push(error),
    warn: (code: string) => void warnings.push(code),
    debug: () => {},
  };
  return { logger, errors, warnings };
}
