/** Passkeys of somebody with a browser, as the script of the page makes them. */
import { Authenticator } from "./authenticator.ts";
import type { Browser } from "./browser.ts";

/** A browser and its authenticator. */
export interface PasskeyHolder {
  readonly browser: Browser;
  /** Asks for a ceremony. The answer is given later, or never. */
  begin(action: "register" | "authenticate", query?: Readonly<Record<string, string>>): Promise<Begun>;
  /** Adds a passkey, or opens a user with one. Tells whether the service took it. */
  register(email?: string): Promise<boolean>;
  authenticate(): Promise<boolean>;
}

/** A ceremony that is under way. */
export interface Begun {
  readonly status: number;
  /** Answers it. Tells whether the service took it. */
  finish(): Promise<boolean>;
}

/** Gives a browser an authenticator, or the one of somebody else. */
export function passkeyHolder(
  browser: Browser,
  device: Authenticator = new Authenticator({ origin: browser.origin }),
): PasskeyHolder {
  const holder: PasskeyHolder = {
    browser,
    async begin(action, query = {}) {
      const answer = await browser.get(`/auth/webauthn-options/passkey?${new URLSearchParams({ action, ...query })}`);
      const { options } = await answer.json();
      return {
        status: answer.status,
        async finish() {
          const data = action === "register" ? await device.create(options) : await device.get(options);
          const fields = { csrfToken: await browser.csrf(), action, data };
          const done = await browser.post("/auth/callback/passkey", fields);
          return done.status === 302 && !(done.headers.get("location") ?? "").includes("error=");
        },
      };
    },
    async register(email) {
      const begun = await holder.begin("register", email === undefined ? {} : { email });
      return begun.status === 200 && await begun.finish();
    },
    async authenticate() {
      const begun = await holder.begin("authenticate");
      return begun.status === 200 && await begun.finish();
    },
  };
  return holder;
}
