/**
 * People who see and change their account, at a service whose mails are kept.
 *
 * @module
 */
import assert from "node:assert/strict";
import type { Adapter, AuthConfig, OutgoingMail } from "@x/auth";
import { accountPage, type AccountPageOptions } from "../../src/account.ts";
import { makeFeature } from "../../src/contract/feature.ts";
import type { AccountPage, AccountWay } from "../../src/request/account_views.ts";
import type { AuthEvent } from "../../src/request/happened.ts";
import type { Points } from "../../src/request/points.ts";
import { type TestRuntime, testRuntime } from "./runtime.ts";
import { openVisitedService, type VisitedService, type Visitor } from "./visitors.ts";

export const ADA = "ada@example.com";

/** A service with an account page. */
export interface AccountSite {
  readonly runtime: TestRuntime;
  readonly service: VisitedService;
  readonly adapter: Adapter;
  readonly mails: OutgoingMail[];
  readonly events: AuthEvent[];
}

/** Opens a service. */
export async function openAccountSite(
  { options = {}, features = [], bare = false, sendsMail = true, runtime = testRuntime(), ...config }: AuthConfig & {
    readonly adapter: Adapter;
    readonly options?: AccountPageOptions;
    /** Whether there is no account page. */
    readonly bare?: boolean;
    /** @default {true} */
    readonly sendsMail?: boolean;
    /** Its clock. The storage of a test that waits for something to expire has the same one. */
    readonly runtime?: TestRuntime;
  },
): Promise<AccountSite> {
  const mails: OutgoingMail[] = [];
  const events: AuthEvent[] = [];
  const changed: Points["changed"] = (_, event) => void events.push(event);
  const recorder = makeFeature("recorder", [], () => Promise.resolve({ changed } satisfies Points), ["changed"]);
  const service = await openVisitedService({
    runtime,
    features: [...bare ? [] : [accountPage(options)], ...features, recorder],
    ...sendsMail && { mail: (mail: OutgoingMail) => void mails.push(mail) },
    ...config,
    callbacks: {
      session: ({ session, token, user }) => ({ ...session, id: token?.sub ?? user?.id }),
      ...config.callbacks,
    },
  });
  return { runtime, service, adapter: config.adapter, mails, events };
}

/** Signs in with a link. */
export async function byLink(
  { service }: Pick<AccountSite, "service">,
  visitor: Visitor,
  email = ADA,
): Promise<void> {
  await visitor.ask(email);
  await visitor.open(service.links.get(email) ?? assert.fail("no link was sent"));
}

/** What the page says to a script. */
export type AccountJson = Omit<AccountPage, "name"> & { readonly error?: string; readonly url?: string };

/** Reads the answer. */
export async function read(response: Response): Promise<AccountJson> {
  return await response.json();
}

/** Opens the page as a script. */
export async function look(visitor: Visitor, query = ""): Promise<AccountJson> {
  return await read(await visitor.get(`/auth/account${query}`));
}

/** Sends a form as a script. */
export async function act(visitor: Visitor, fields: Readonly<Record<string, string>>): Promise<AccountJson> {
  return await read(await visitor.post("/auth/account", fields));
}

/** The accounts at providers that a visitor sees. */
export async function waysIn(visitor: Visitor): Promise<readonly AccountWay[]> {
  return (await look(visitor)).view?.ways ?? [];
}
