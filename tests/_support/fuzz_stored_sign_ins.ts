/**
 * Storage, passkeys and emails for visitors who do almost what one should: few addresses, so that people meet.
 *
 * @module
 */
import type { CompleteAdapter, EmailProvider } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Authenticator, type CeremonyOptions } from "./authenticator.ts";
import type { CookieJar } from "./cookie_jar.ts";
import { type Form, readForms } from "./forms.ts";
import type { Chance } from "./chance.ts";

/** What happened in storage, for whoever counts. */
export interface Reached {
  passkeys: number;
  /** Sign-ins by a passkey, and by a link or a code. */
  entered: number;
  mailed: number;
  /** Accounts and passkeys that were added to somebody who was there. */
  added: number;
  /** Users who lost what was unverified, and users who lost their address. */
  evicted: number;
  displaced: number;
}

/** A request to be made: the path below the service's, and the fields of a form. */
export interface Step {
  readonly path: string;
  readonly fields?: Readonly<Record<string, string>>;
}

interface Asked {
  readonly action: string;
  readonly options: CeremonyOptions;
}

const ADDRESSES = Array.from({ length: 24 }, (_, at) => `person-${at}@people.test`);

/** What a service with storage offers, and what browsers hold of it. */
export class StoredSignIns {
  readonly adapter: CompleteAdapter;
  readonly reached: Reached = { passkeys: 0, entered: 0, mailed: 0, added: 0, evicted: 0, displaced: 0 };
  #rows = memoryAdapter();
  readonly #origin: string;
  readonly #mails: {
    readonly provider: string;
    readonly identifier: string;
    readonly url: URL;
    readonly token: string;
  }[] = [];
  readonly #devices = new Map<CookieJar, Authenticator>();
  readonly #asked = new Map<CookieJar, Asked>();
  readonly #forms = new Map<CookieJar, { readonly path: string; readonly form: Form }>();

  constructor(origin: string) {
    this.#origin = origin;
    const names = Object.keys(this.#rows) as (keyof CompleteAdapter)[];
    const calls = names.map((name) => [name, (...args: unknown[]) => {
      return (this.#rows[name] as (...args: unknown[]) => unknown)(...args);
    }]);
    this.adapter = Object.fromEntries(calls);
    this.adapter.commit = async (plan) => {
      const result = await this.#rows.commit(plan);
      if (result === "done") this.#count(plan);
      return result;
    };
  }

  /** Forgets everybody, so that it does not grow. */
  renew(): void {
    this.#rows = memoryAdapter();
  }

  /** A provider that keeps its emails here. Of a code six digits are sent. */
  mails(id: string, makesCodes = false): EmailProvider {
    return {
      id,
      name: id,
      type: "email",
      ...(makesCodes && { generateVerificationToken: () => String(100_000 + this.#mails.length) }),
      sendVerificationRequest: ({ identifier, url, token }) => {
        if (this.#mails.push({ provider: id, identifier, url: new URL(url), token }) > 20) this.#mails.shift();
      },
    };
  }

  /** What an identity provider says of somebody. */
  claims(chance: Chance): Readonly<Record<string, unknown>> {
    const email_verified = chance.pick([true, false, undefined]);
    return {
      sub: `person-${chance.below(chance.hits(0.5) ? 12 : 10_000)}`,
      email: chance.pick(ADDRESSES),
      email_verified,
    };
  }

  /** A step on the way of a passkey or an email. */
  async step(chance: Chance, jar: CookieJar, basePath: string): Promise<Step> {
    const email = chance.pick(ADDRESSES);
    if (this.#asked.has(jar) && chance.hits(0.8)) return await this.#answer(chance, jar);
    if (this.#forms.has(jar) && chance.hits(0.8)) return this.#press(chance, jar, basePath);
    switch (chance.below(8)) {
      case 0:
        return { path: `/webauthn-options/passkey?${new URLSearchParams({ action: "register", email })}` };
      case 1:
        return { path: "/webauthn-options/passkey?action=authenticate" };
      case 2:
      case 3:
      case 4:
        return await this.#answer(chance, jar);
      case 5:
        return { path: `/signin/${chance.pick(["email", "code"])}`, fields: { email } };
      case 6:
        return this.#open(chance, basePath);
      default:
        return this.#press(chance, jar, basePath);
    }
  }

  #press(chance: Chance, jar: CookieJar, basePath: string): Step {
    const waiting = this.#forms.get(jar);
    this.#forms.delete(jar);
    return waiting ? { path: waiting.path, fields: waiting.form.fields } : this.#open(chance, basePath);
  }

  /** Looks at what came back. */
  learn(jar: CookieJar, url: URL, basePath: string, body: string): void {
    if (url.pathname.endsWith("/webauthn-options/passkey") && body.includes('"challenge"')) {
      this.#asked.set(jar, JSON.parse(body));
    }
    const path = url.pathname.slice(basePath.length);
    if (!/^\/callback\/(?:email|code)$/.test(path) || !body.includes("<form")) return;
    const [form] = readForms(body).filter(({ method, action }) => method === "POST" && action.includes("/callback/"));
    if (form) this.#forms.set(jar, { path: path + url.search, form });
  }

  // Now and then the browser sends what another one was asked, or forges a little.
  async #answer(chance: Chance, jar: CookieJar): Promise<Step> {
    const asked = this.#asked.get(chance.hits(0.95) ? jar : chance.pick([...this.#asked.keys(), jar]));
    if (!asked) return { path: "/webauthn-options/passkey?action=authenticate" };
    this.#asked.delete(jar);
    const device = this.#deviceOf(chance.hits(0.95) ? jar : chance.pick([...this.#devices.keys(), jar]));
    const forgery = chance.hits(0.8) ? {} : chance.pick([
      { origin: "https://evil.test" },
      { challenge: "AAAA" },
      { clear: 1 },
      { counter: 0 },
      { userHandle: "x" },
      { signature: () => new Uint8Array(8) },
      { attestedId: new Uint8Array(2000) },
      { transports: [1] },
      { members: { rawId: "x", response: null } },
    ]);
    const known = device.passkeys.length > 0 ? chance.pick(device.passkeys) : undefined;
    if (asked.action === "authenticate" && !known) return { path: "/webauthn-options/passkey?action=register" };
    const data = asked.action === "register"
      ? await device.create(asked.options, forgery)
      : await device.get(asked.options, forgery, known);
    if (device.passkeys.length > 20) device.passkeys.shift();
    const action = chance.hits(0.95) ? asked.action : chance.pick(["register", "authenticate", "", "x"]);
    return { path: "/callback/passkey", fields: { action, data } };
  }

  #open(chance: Chance, basePath: string): Step {
    const mail = chance.hits(0.7) ? this.#mails.at(-1) : this.#mails[chance.below(this.#mails.length)];
    if (!mail) return { path: "/session" };
    const { provider, identifier: email, token, url } = mail;
    if (chance.hits(0.7)) return { path: url.pathname.slice(basePath.length) + url.search };
    const typed = chance.hits(0.5) ? token : String(chance.below(1_000_000));
    return { path: `/callback/${provider}?${new URLSearchParams({ token: typed, email })}` };
  }

  #deviceOf(jar: CookieJar): Authenticator {
    const known = this.#devices.get(jar);
    if (known) return known;
    const made = new Authenticator({ origin: this.#origin, counts: this.#devices.size % 2 === 0 });
    this.#devices.set(jar, made);
    return made;
  }

  #count(plan: Parameters<CompleteAdapter["commit"]>[0]): void {
    const { createAuthenticator, consume, evict, createUser, updateUser, linkAccount, createSession, expect } = plan;
    if (createAuthenticator) this.reached.passkeys += 1;
    if (expect?.authenticator) this.reached.entered += 1;
    if (consume) this.reached.mailed += 1;
    if (evict) this.reached.evicted += 1;
    if (createUser && updateUser) this.reached.displaced += 1;
    if (linkAccount && !createUser && !createSession) this.reached.added += 1;
  }
}
