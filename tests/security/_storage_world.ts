/**
 * A service whose storage can be made to fail at any call.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Adapter } from "@x/auth";
import { createSealer } from "../../src/crypto/seal.ts";
import { Browser } from "../_support/browser.ts";
import { type FaultRuntime, faultRuntime, LIMITS, serve } from "../_support/faults.ts";
import { createIssuer, type Issuer } from "../_support/issuer.ts";
import { type Mailbox, mailbox } from "../_support/mailbox.ts";
import { password, recordLog, SECRET } from "../_support/service.ts";
import type { Store, StoreKind } from "../_support/stores.ts";
import type { Fault } from "./_storage_faults.ts";

/** Where sessions are kept. */
export type Strategy = "database" | "jwt";

/** Seconds a session lives. */
export const MAX_AGE = 1000;

/** The person all flows are about, and the name of a stored session of hers. */
export const ADA = { id: "u1", name: "Ada", email: "ada@example.com" };
export const SESSION = "session-of-ada";

/** The cookie of sessions, and the token of every form. */
export const COOKIE = "authjs.session-token";
const SIGNED_IN = "authjs.signed-in";
export const CSRF = "c".repeat(64);

/** A service, its storage, and what can be made to fail. */
export interface World {
  readonly kind: StoreKind;
  readonly strategy: Strategy;
  readonly runtime: FaultRuntime;
  readonly issuer: Issuer;
  readonly store: Store;
  readonly trap: Trap;
  readonly errors: Error[];
  readonly mail: Mailbox;
  readonly told: string[];
  /** A browser nobody has used, which can send forms. */
  visitor(): Browser;
  /** Gives a browser the cookie of somebody who is signed in as Ada. */
  enter(browser: Browser): Promise<Browser>;
}

/** The call that fails. */
export class Trap {
  readonly calls: (keyof Adapter)[] = [];
  #armed: { readonly at: number; readonly fault: Fault; readonly lasting: boolean } | null = null;
  #request = 0;
  #firedIn = -1;
  #hung = () => {};

  /** Lets a call fail, or all that follow it within the same request as well. */
  arm(at: number, fault: Fault, lasting: boolean): Promise<void> {
    this.reset();
    this.#armed = { at, fault, lasting };
    return new Promise((resolve) => this.#hung = resolve);
  }

  reset(): void {
    this.calls.length = 0;
    this.#armed = null;
    this.#firedIn = -1;
  }

  get fired(): boolean {
    return this.#firedIn >= 0;
  }

  nextRequest(): void {
    this.#request++;
  }

  around(adapter: Adapter): Adapter {
    const names = Object.keys(adapter) as (keyof Adapter)[];
    return Object.fromEntries(names.map((name) => {
      const operation = (...args: unknown[]) => (adapter[name] as (...args: unknown[]) => unknown)(...args);
      return [name, (...args: unknown[]) => this.#pass(name, () => operation(...args))];
    }));
  }

  #pass(name: keyof Adapter, honest: () => unknown): unknown {
    this.calls.push(name);
    if (!this.#armed) return honest();
    const { at, fault, lasting } = this.#armed;
    const due = this.calls.length === at || (lasting && this.#firedIn === this.#request);
    if (!due || (fault.fits && !fault.fits.has(name))) return honest();
    if (this.calls.length === at) this.#firedIn = this.#request;
    if (fault.hangs) this.#hung();
    return fault.run({ name, honest });
  }
}

/** What differs between services. */
export interface WorldOptions {
  /** Whether the addresses of the provider link. */
  readonly byEmail?: boolean;
}

/** Opens a service. */
export function openWorld(options: WorldOptions, kind: StoreKind, strategy: Strategy): World {
  const now = (): number => runtime.now() / 1000;
  const issuer = createIssuer({ now, metadata: { id_token_signing_alg_values_supported: ["ES256"] } });
  issuer.rotate("ES256"); // signs faster
  const runtime = faultRuntime(issuer.fetch);
  const store = kind.open(runtime.now);
  const trap = new Trap();
  const { logger, errors } = recordLog();
  const told: string[] = [];
  const mail = mailbox();
  const site = serve({
    secret: SECRET,
    trustHost: true,
    logger,
    timeouts: LIMITS,
    session: { strategy, maxAge: MAX_AGE, updateAge: 100 },
    adapter: trap.around(store.adapter),
    events: {
      createUser: ({ user }) => void told.push(`createUser ${user.id}`),
      signIn: ({ user }) => void told.push(`signIn ${user.id}`),
      signOut: () => void told.push("signOut"),
    },
    providers: [
      issuer.oauthProvider({ allowDangerousEmailAccountLinking: options.byEmail ?? false }),
      issuer.provider({ id: "oidc" }),
      mail.provider,
      password({ authorize: () => ADA }),
    ],
  }, runtime);
  const visitor = () => {
    const browser = new Browser((request) => (trap.nextRequest(), site(request)), { mayFail: true });
    browser.cookies.store(`authjs.csrf-token=${encodeURIComponent(`${CSRF}|${hash(CSRF)}`)}`, new URL(browser.origin));
    return browser;
  };
  const enter = async (browser: Browser) => {
    if (strategy === "jwt") await browser.post("/auth/callback/credentials", { csrfToken: CSRF });
    else browser.cookies.store(`${COOKIE}=${SESSION}; Path=/`, new URL(browser.origin));
    // Rows of other adapters do not say what the sign-in proved.
    if (strategy === "database" && !kind.hasCommit) {
      browser.cookies.store(`${SIGNED_IN}=${await signedIn(runtime)}; Path=/`, new URL(browser.origin));
    }
    return browser;
  };
  return { kind, strategy, runtime, issuer, store, trap, errors, mail, told, visitor, enter };
}

async function signedIn(runtime: FaultRuntime): Promise<string> {
  const session = createHash("sha256").update(SESSION).digest("base64url");
  const claims = { session, time: runtime.now() / 1000, email: ADA.email };
  return await createSealer([SECRET], runtime).seal(claims, { salt: SIGNED_IN });
}

function hash(token: string): string {
  return createHash("sha256").update(token + SECRET).digest("hex");
}
