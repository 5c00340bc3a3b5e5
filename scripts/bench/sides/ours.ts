/**
 * This library.
 *
 * @module
 */
import { type AuthConfig, createAuth, type Provider } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
import { github } from "@x/auth/providers/github";
import { authjsQuestions, credentialsForm, keptQuestions, oidcProvider, rowQuestions } from "./authjs.ts";
import { CLIENT, idOf, SECRET, type Setup, type Side } from "./side.ts";
import { openStore } from "./stores.ts";

/** Makes the service. */
export async function ours({ kind, count, store, lookUps, keptFor }: Setup): Promise<Side> {
  const providers = Array.from({ length: count }, (_, index) => providerOf(kind, idOf(kind, index)));
  const adapter = store && await openStore(store);
  const logger = { warn: () => {} };
  const common: AuthConfig = { providers, adapter, secret: SECRET, trustHost: true, basePath: "/auth", logger };
  if (lookUps) return withRows(createAuth({ ...common, session: SEALED[lookUps] }).handler, lookUps);
  if (keptFor && adapter) {
    const { handler } = createAuth({ ...common, session: { cache: { seconds: keptFor } } });
    return { name: "@x/auth", answer: handler, questions: keptQuestions(adapter) };
  }
  const { handler } = createAuth(common);
  return { name: "@x/auth", answer: handler, questions: authjsQuestions(handler, adapter) };
}

/** Sealed sessions with rows. They are never renewed, because the same cookie is sent again and again. */
const SEALED: Readonly<Record<NonNullable<Setup["lookUps"]>, AuthConfig["session"]>> = {
  each: { strategy: "jwt", revalidate: 1, updateAge: 30 * 24 * 60 * 60 },
  minute: { strategy: "jwt", revalidate: 60, updateAge: 30 * 24 * 60 * 60 },
};

function withRows(handler: Side["answer"], lookUps: NonNullable<Setup["lookUps"]>): Side {
  const answer: Side["answer"] = lookUps === "each" ? secondsApart(handler) : (request) => handler(request);
  return { name: "@x/auth", answer, questions: rowQuestions(handler) };
}

// The clock is set forward only while this service answers.
function secondsApart(handler: Side["answer"]): Side["answer"] {
  const { now } = Date;
  let ahead = 0;
  return async (request) => {
    ahead += 1001;
    Date.now = () => now() + ahead;
    try {
      return await handler(request);
    } finally {
      Date.now = now;
    }
  };
}

function providerOf(kind: Setup["kind"], id: string): Provider {
  switch (kind) {
    case "github":
      return github({ ...CLIENT, id });
    case "oidc":
      return oidcProvider(id);
    case "credentials":
      return credentials(credentialsForm(id));
    default:
      return kind satisfies never;
  }
}
