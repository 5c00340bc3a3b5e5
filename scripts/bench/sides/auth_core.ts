/**
 * `@auth/core`, without its log.
 *
 * @module
 */
import { Auth, type AuthConfig } from "@auth/core";
import type { Adapter } from "@x/auth";
import credentials from "@auth/core/providers/credentials";
import github from "@auth/core/providers/github";
import { authjsQuestions, credentialsForm, oidcProvider } from "./authjs.ts";
import { mapAdapter } from "./map_adapter.ts";
import { load } from "../packages.ts";
import { CLIENT, SECRET, type Setup, type Side, type StoreName } from "./side.ts";
import { openPool } from "./stores.ts";

/** Makes the service. */
export async function authCore(setup: Setup): Promise<Side> {
  const { store } = setup;
  const adapter = store && await openAdapter(store);
  const config = {
    ...authCoreConfig(setup),
    ...(adapter && { adapter: adapter as NonNullable<AuthConfig["adapter"]> }),
  };
  const answer = (request: Request): Promise<Response> => Auth(request, config);
  return { name: "@auth/core", answer, questions: adapter === null ? {} : authjsQuestions(answer, adapter) };
}

/** The configuration, without storage. */
export function authCoreConfig({ kind }: Setup): AuthConfig {
  const providers = [providerOf(kind)];
  const logger = { error: () => {}, warn: () => {} };
  return { providers, secret: SECRET, trustHost: true, basePath: "/auth", logger };
}

interface PostgresAdapterModule {
  readonly default: (pool: unknown) => Adapter;
}

async function openAdapter(store: StoreName): Promise<Adapter | null> {
  if (store === "map") return mapAdapter();
  if (store !== "pg") return null;
  const { default: postgresAdapter } = await load<PostgresAdapterModule>("@auth/pg-adapter");
  // It creates no tables: it uses those of @x/auth, whose side is made first.
  return postgresAdapter(await openPool());
}

function providerOf(kind: Setup["kind"]): AuthConfig["providers"][number] {
  switch (kind) {
    case "github":
      // Its default is PKCE alone.
      return github({ ...CLIENT, checks: ["pkce", "state"] });
    case "oidc":
      return oidcProvider();
    case "credentials":
      return credentials(credentialsForm());
    default:
      return kind satisfies never;
  }
}
