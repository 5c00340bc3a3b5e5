/**
 * A site on this machine whose visitors look after their accounts, with a real mail server, a real OpenID Provider, and a
 * clock that can be moved on.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";
import type { AuthConfig } from "@x/auth";
import { accountPage, type AccountPageOptions } from "@x/auth/account";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { nodeListener } from "@x/auth/node";
import { nodemailer } from "@x/auth/providers/nodemailer";
import { passkey } from "@x/auth/providers/passkey";
import { password } from "@x/auth/providers/password";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import { createEngine, handlerOf } from "../../src/service/engine.ts";
import { passwordFunctions } from "../../src/service/password_actions.ts";
import { freePort } from "../_support/free_port.ts";
import { startIdentityProvider } from "../_support/identity_provider.ts";
import { cheapHash } from "../_support/passwords.ts";
import { testConfig } from "../_support/service.ts";

/** What everybody types as a password. */
export const PASSWORD = "a pelican on a bicycle";

/** A way to sign in. */
export type Way = "link" | "password" | "mock" | "passkey";

export interface AccountSite {
  readonly home: string;
  readonly issuer: string;
  /** The storage of the service that is open. */
  readonly adapter: ReturnType<typeof memoryAdapter>;
  /** Opens the service anew: nobody has an account, and the clock is that of the machine. */
  open(options: OpenOptions): void;
  /** Moves the clock by some seconds. */
  advance(seconds: number): void;
  /** Makes somebody with a password. Gives their id. */
  enrol(email: string): Promise<string>;
  /** The subjects of the emails to an address. */
  subjectsTo(address: string): readonly string[];
  /** The link of the newest email to an address whose subject begins so, as an email client shows it. */
  linkTo(address: string, subject: string): Promise<string>;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly ways: readonly Way[];
  readonly strategy: "database" | "jwt";
  readonly options?: AccountPageOptions;
}

interface Letter {
  readonly to: string;
  readonly email: Email;
}

interface MailServer {
  readonly letters: readonly Letter[];
  readonly port: number;
  close(): Promise<void>;
}

async function startMailServer(): Promise<MailServer> {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    authOptional: true,
    logger: false, // or it would warn of its certificate, which is for tests
    onData(stream, { envelope }, done) {
      const chunks: Uint8Array[] = [];
      stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      stream.on("end", async () => {
        const email = await PostalMime.parse(new Blob(chunks as Uint8Array<ArrayBuffer>[]));
        letters.push(...envelope.rcptTo.map(({ address }) => ({ to: address, email })));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return {
    letters,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Starts the site. Nothing is answered before a service is open. */
export async function startAccountSite(): Promise<AccountSite> {
  const port = await freePort();
  const home = `http://localhost:${port}`;
  const mailServer = await startMailServer();
  const provider = await startIdentityProvider({ sites: [home] });
  const byLink = nodemailer({
    server: { host: "127.0.0.1", port: mailServer.port, tls: { rejectUnauthorized: false } },
    from: "Acme <no-reply@acme.example>",
  });
  const ways = {
    link: byLink,
    password: password({ hash: cheapHash() }),
    mock: provider.provider(),
    passkey: passkey(),
  } as const satisfies Record<Way, NonNullable<AuthConfig["providers"]>[number]>;

  let ahead = 0;
  let opened = 0;
  const runtime = { ...systemRuntime, now: () => Date.now() + ahead };
  let adapter = memoryAdapter(runtime);
  let engine: ReturnType<typeof createEngine>;
  let handler: ReturnType<typeof handlerOf>;

  function open({ ways: names, strategy, options = {} }: OpenOptions): void {
    ahead = 0;
    opened = mailServer.letters.length;
    adapter = memoryAdapter(runtime);
    engine = createEngine(
      testConfig({
        adapter,
        session: { strategy },
        theme: { name: "Acme" },
        providers: names.map((name) => ways[name]),
        // Where no link signs in, emails are sent still.
        mail: (letter) => byLink.sendMail?.(letter, byLink),
        features: [accountPage(options)],
      }),
      runtime,
    );
    handler = handlerOf(engine);
  }

  async function answer(request: Request): Promise<Response> {
    if (new URL(request.url).pathname.startsWith("/auth/")) return await handler(request);
    const { headers } = request;
    const session = await (await handler(new Request(`${home}/auth/session`, { headers }))).json();
    const who = session?.user?.email ?? "nobody";
    return new Response(`<!DOCTYPE html><title>Acme</title><link rel=icon href="data:,"><p id=who>${who}`, {
      headers: { "content-type": "text/html" },
    });
  }

  function lettersTo(address: string): readonly Email[] {
    return mailServer.letters.slice(opened).filter(({ to }) => to === address).map(({ email }) => email);
  }

  const server = createServer(nodeListener(answer));
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  return {
    home,
    issuer: provider.issuer,
    get adapter() {
      return adapter;
    },
    open,
    advance: (seconds) => void (ahead += seconds * 1000),
    async enrol(email) {
      const { id } = await adapter.createUser({ id: crypto.randomUUID(), email, emailVerified: new Date() });
      await passwordFunctions(engine).set(id, PASSWORD);
      return id;
    },
    subjectsTo: (address) => lettersTo(address).map(({ subject = "" }) => subject),
    async linkTo(address, subject) {
      const find = () => lettersTo(address).findLast((email) => email.subject?.startsWith(subject));
      for (let tries = 0; !find() && tries < 50; tries++) await new Promise((resolve) => setTimeout(resolve, 20));
      const [, link] = /href="([^"]+)"/.exec(find()?.html ?? "") ?? [];
      return link?.replaceAll("&amp;", "&") ?? assert.fail(`no link to ${address} in an email "${subject}"`);
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await provider.close();
      await mailServer.close();
    },
  };
}
