/**
 * A token endpoint on a socket, with a family of refresh tokens for each person, and the accounts of these people: for
 * tests with several processes.
 *
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createAuth } from "@x/auth";
import type { AccessTokenOptions, CompleteAdapter, OAuthProvider } from "@x/auth";
import { Family, type FamilyOptions } from "./refreshes.ts";
import { testConfig } from "./service.ts";

/** A token endpoint that runs. */
export interface RefreshServer {
  readonly url: string;
  /** The family of a person. */
  familyOf(person: string): Family;
  close(): Promise<void>;
}

/** Called when a refresh token was used, before the answer is sent. */
export type Used = (person: string) => Promise<void>;

/** Starts a token endpoint. The client id says whose family is meant. */
export async function startRefreshServer(
  options: FamilyOptions,
  used: Used = () => Promise.resolve(),
): Promise<RefreshServer> {
  const families = new Map<string, Family>();
  const familyOf = (person: string): Family => {
    const family = families.get(person) ?? new Family(person, options);
    families.set(person, family);
    return family;
  };
  const server = createServer((request, response) => {
    let form = "";
    request.on("data", (text) => void (form += text));
    request.on("end", async () => {
      const token = new URLSearchParams(form).get("refresh_token") ?? "";
      const person = token.split("-")[0] ?? "";
      const { status, body } = familyOf(person).refresh(token);
      await used(person);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    familyOf,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Stores a person with an account whose access token has expired. */
export async function addPerson(adapter: CompleteAdapter, person: string, { current }: Family): Promise<void> {
  await adapter.createUser({ id: person, email: `${person}@example.com`, emailVerified: null });
  await adapter.linkAccount({
    provider: "idp",
    providerAccountId: person,
    type: "oauth",
    userId: person,
    access_token: "expired",
    refresh_token: current,
    expires_at: 1,
  });
}

/** The service over storage that others use, too. */
export function serviceOver(
  adapter: CompleteAdapter,
  url: string,
  request = 5,
): (person: string, options?: AccessTokenOptions) => Promise<string> {
  const provider: OAuthProvider = {
    id: "idp",
    name: "IdP",
    type: "oauth",
    clientId: "client",
    clientSecret: "secret",
    authorization: `${url}/authorize`,
    token: `${url}/token`,
    userinfo: `${url}/userinfo`,
  };
  const config = { adapter, providers: [provider], timeouts: { request }, account: { tokens: "sealed" } } as const;
  const { accessToken } = createAuth(testConfig(config));
  return async (userId, options) => (await accessToken({ userId }, "idp", options)).accessToken;
}
