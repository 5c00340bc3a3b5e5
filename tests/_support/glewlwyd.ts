/**
 * Glewlwyd, an OpenID Provider written in C, as Debian packages it.
 *
 * @module
 */
import { generateKeyPairSync } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { freePort } from "./free_port.ts";
import { skipsWithout, startInstalled } from "./installed_server.ts";

const TABLES = "/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3";
const MODULES = "/usr/lib/glewlwyd";

/** A server that runs. */
export interface Glewlwyd {
  readonly issuer: string;
  /** Registers a client. `members` are those of RFC 7591, and Glewlwyd's own. */
  register(clientId: string, members: object): Promise<void>;
  /** Logs Ada in, lets her agree, and opens a URL of the provider in her browser. Gives where that leads to. */
  visit(clientId: string, url: string): Promise<URL>;
  stop(): Promise<void>;
}

/** Whether tests with it are skipped, because it is not installed. */
export function skipsWithoutGlewlwyd(): boolean {
  return skipsWithout(
    existsSync(TABLES),
    "Sign-ins with Glewlwyd did not run: it is not installed (apt-get install -y --no-install-recommends glewlwyd).",
  );
}

/**
 * Starts a server with the user Ada.
 *
 * @param members Parameters of its OpenID Connect plugin besides those that every test needs.
 */
export async function startGlewlwyd(members: object = {}): Promise<Glewlwyd> {
  const folder = await mkdtemp(join(tmpdir(), "glewlwyd-"));
  const origin = `http://localhost:${await freePort()}`;
  using database = new DatabaseSync(join(folder, "database"));
  database.exec(await readFile(TABLES, "utf8"));
  const config = join(folder, "config");
  await writeFile(config, configOf(origin, folder));
  const stop = await startInstalled({
    name: "Glewlwyd",
    command: "glewlwyd",
    args: [`--config-file=${config}`],
    folder,
    ready: `${origin}/config`,
  });
  const admin = await logIn(origin, "admin");
  const issuer = `${origin}/api/oidc`;
  await call(origin, "POST", "mod/plugin/", admin, {
    module: "oidc",
    name: "oidc",
    display_name: "OpenID Connect",
    parameters: { ...PARAMETERS, iss: issuer, "jwks-private": makeKeys(), ...members },
  });
  for (const name of ["profile", "email", "offline_access"]) {
    await call(origin, "POST", "scope/", admin, { name, display_name: name, password_required: false, scheme: {} });
  }
  const scope = ["openid", "profile", "email", "offline_access", "g_profile"];
  const ada = { name: "Ada Lovelace", email: "ada@example.com", password: PASSWORD, enabled: true, scope };
  await call(origin, "POST", "user/?source=database", admin, { username: "ada", ...ada });
  return {
    issuer,
    async register(clientId, members) {
      const client = { client_id: clientId, name: clientId, enabled: true, confidential: true, scope: [], ...members };
      await call(origin, "POST", "client/?source=database", admin, client);
    },
    async visit(clientId, url) {
      const cookie = await logIn(origin, "ada");
      await call(origin, "PUT", `auth/grant/${clientId}`, cookie, { scope: "openid profile email offline_access" });
      const continued = new URL(url);
      continued.searchParams.set("g_continue", "");
      const response = await fetch(continued, { headers: { cookie }, redirect: "manual" });
      const location = response.headers.get("location");
      if (!location) throw new Error(`Glewlwyd answered ${response.status} ${await response.text()}`);
      return new URL(location, origin);
    },
    stop,
  };
}

/** The password of the administrator after the installation, and of Ada. */
const PASSWORD = "password";

/** What the plugin demands, and what tests use. */
const PARAMETERS = {
  "jwt-type": "jwks",
  "jwt-key-size": "256",
  "default-kid": "signing",
  "jwks-show": true,
  "access-token-duration": 3600,
  "refresh-token-duration": 86400,
  "refresh-token-rolling": true,
  "code-duration": 60,
  "allow-non-oidc": false,
  "auth-type-code-enabled": true,
  "auth-type-token-enabled": false,
  "auth-type-id-token-enabled": true,
  "auth-type-none-enabled": false,
  "auth-type-password-enabled": false,
  "auth-type-client-enabled": false,
  "auth-type-device-enabled": false,
  "auth-type-refresh-enabled": true,
  "scope": [],
  "additional-parameters": [],
  "claims": [],
  "name-claim": "on-demand",
  "name-claim-scope": ["profile"],
  "email-claim": "on-demand",
  "email-claim-scope": ["email"],
  "pkce-allowed": true,
  "pkce-method-plain-allowed": false,
  "oauth-as-iss-id": true,
  "request-parameter-allow": true,
  "client-pubkey-parameter": "pubkey",
  "client-jwks-parameter": "jwks",
  "session-management-allowed": true,
  "session-cookie-name": "GLEWLWYD_OIDC",
  "session-cookie-expiration": 3600,
};

function configOf(origin: string, folder: string): string {
  const settings = {
    port: Number(new URL(origin).port),
    bind_address: "127.0.0.1",
    external_url: origin,
    login_url: "login.html",
    api_prefix: "api",
    log_mode: "file",
    log_level: "WARNING",
    log_file: join(folder, "log"),
    cookie_secure: 0,
    session_expiration: 3600,
    session_key: "GLEWLWYD",
    admin_scope: "g_admin",
    profile_scope: "g_profile",
    user_module_path: `${MODULES}/user`,
    client_module_path: `${MODULES}/client`,
    user_auth_scheme_module_path: `${MODULES}/scheme`,
    plugin_module_path: `${MODULES}/plugin`,
    use_secure_connection: false,
    // Read even where they are not used.
    secure_connection_key_file: "/none",
    secure_connection_pem_file: "/none",
    hash_algorithm: "SHA512",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [...lines, `database = { type = "sqlite3"; path = ${JSON.stringify(join(folder, "database"))}; };`].join("\n");
}

function makeKeys(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const key = { ...privateKey.export({ format: "jwk" }), kid: "signing", alg: "ES256", use: "sig" };
  return JSON.stringify({ keys: [key] });
}

async function logIn(origin: string, username: string): Promise<string> {
  const response = await call(origin, "POST", "auth/", "", { username, password: PASSWORD });
  return response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; ");
}

async function call(origin: string, method: string, path: string, cookie: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json", cookie };
  const response = await fetch(`${origin}/api/${path}`, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  if (response.ok) return response;
  throw new Error(`Glewlwyd answered ${method} ${path} with ${response.status} ${text}`);
}
