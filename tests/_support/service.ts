/** Services for stories: complete configurations of which a test changes what it is about. */
import type { AuthConfig, CredentialsProvider, LogDetails, Logger } from "@x/auth";
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

/** What a service wrote. Errors are also those that visitors made, of which the log warns. */
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
    warn: (code: string, _message?: string, details?: LogDetails) => {
      if (details?.type) errors.push(asError(details));
      else warnings.push(code);
    },
    debug: () => {},
  };
  return { logger, errors, warnings };
}

/** The error that a warning tells of. */
export function asError({ message, type = "", cause, code, stack }: LogDetails): Error {
  const error = new Error(message, { cause });
  return Object.assign(error, { name: type, type, logCode: code, stack: stack ?? `${type}: ${message}` });
}
