/**
 * LemonLDAP::NG, an OpenID Provider written in Perl, as Debian packages it.
 *
 * @module
 */
import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free_port.ts";
import { skipsWithout, startInstalled } from "./installed_server.ts";

/** Packages that the tests need. */
const PACKAGES = "libio-string-perl liblemonldap-ng-portal-perl libplack-perl libstring-random-perl";

/** A server that runs. */
export interface LemonLdap {
  readonly issuer: string;
  /** Opens a URL of the provider, logs in as Doctor Who, and gives where that leads to. */
  visit(url: string): Promise<URL>;
  stop(): Promise<void>;
}

/** Whether tests with it are skipped, because it is not installed. */
export function skipsWithoutLemonLdap(): boolean {
  const modules = ["Lemonldap::NG::Portal::Issuer::OpenIDConnect", "HTTP::Server::PSGI"];
  const { status } = spawnSync("perl", [...modules.map((name) => `-M${name}`), "-e", "1"]);
  const how = `apt-get install -y --no-install-recommends ${PACKAGES}`;
  return skipsWithout(status === 0, `Sign-ins with LemonLDAP::NG did not run: it is not installed (${how}).`);
}

/**
 * Starts a server with the user Doctor Who.
 *
 * @param clients The options of its relying parties by name, without their prefix: see its documentation.
 */
export async function startLemonLdap(
  clients: Readonly<Record<string, Readonly<Record<string, string | number>>>>,
): Promise<LemonLdap> {
  const folder = await mkdtemp(join(tmpdir(), "lemonldap-"));
  const issuer = `http://localhost:${await freePort()}`;
  for (const name of ["config", "sessions", "locks", "cache"]) await mkdir(join(folder, name));
  await writeFile(join(folder, "config", "lmConf-1.json"), JSON.stringify(configOf(issuer, folder, clients)));
  await writeFile(join(folder, "lemonldap-ng.ini"), settingsOf(folder));
  const program = join(folder, "portal.psgi");
  await writeFile(program, "use Lemonldap::NG::Portal::Main;\nLemonldap::NG::Portal::Main->run({});\n");
  const stop = await startInstalled({
    name: "LemonLDAP::NG",
    command: "plackup",
    args: ["-s", "HTTP::Server::PSGI", "--host", "127.0.0.1", "--port", new URL(issuer).port, program],
    env: { LLNG_DEFAULTCONFFILE: join(folder, "lemonldap-ng.ini") },
    folder,
    ready: `${issuer}/.well-known/openid-configuration`,
  });
  return {
    issuer,
    async visit(url) {
      // The page asks for a name and a password, and posts them to its own URL.
      const body = new URLSearchParams({ user: "dwho", password: "dwho", url: btoa(`${issuer}/oauth2`) });
      const response = await fetch(url, { method: "POST", body, redirect: "manual" });
      const location = response.headers.get("location");
      if (!location) throw new Error(`LemonLDAP::NG answered ${response.status} ${await response.text()}`);
      return new URL(location);
    },
    stop,
  };
}

function configOf(issuer: string, folder: string, clients: Readonly<Record<string, object>>): object {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const prefixed = (options: object) =>
    Object.fromEntries(Object.entries(options).map(([name, value]) => [`oidcRPMetaDataOptions${name}`, value]));
  return {
    cfgNum: 1,
    cfgAuthor: "tests",
    cfgDate: 1,
    cfgVersion: "2.16.1",
    authentication: "Demo",
    userDB: "Same",
    passwordDB: "Demo",
    // It has to be a plugin. The one for captchas needs a library for images.
    captcha: "::Plugins::History",
    domain: "localhost",
    portal: `${issuer}/`,
    cookieName: "lemonldap",
    securedCookie: 0,
    key: "a key for tests",
    globalStorage: "Apache::Session::File",
    globalStorageOptions: {
      Directory: join(folder, "sessions"),
      LockDirectory: join(folder, "locks"),
      generateModule: "Lemonldap::NG::Common::Apache::Session::Generate::SHA256",
    },
    localSessionStorage: "",
    whatToTrace: "uid",
    demoExportedVars: { cn: "cn", uid: "uid", mail: "mail" },
    requireToken: 0,
    // Without these it takes its defaults for lists.
    locationRules: {},
    exportedHeaders: {},
    macros: {},
    grantSessionRules: {},
    issuerDBOpenIDConnectActivation: 1,
    issuerDBOpenIDConnectPath: "^/oauth2/",
    issuerDBOpenIDConnectRule: "1",
    oidcServiceMetaDataIssuer: issuer,
    oidcServiceAllowAuthorizationCodeFlow: 1,
    oidcServicePrivateKeySig: privateKey,
    oidcServicePublicKeySig: publicKey,
    oidcServiceKeyIdSig: "signing",
    oidcRPMetaDataOptions: Object.fromEntries(
      Object.entries(clients).map(([name, options]) => [
        name,
        prefixed({ ClientID: name, BypassConsent: 1, UserIDAttr: "uid", IDTokenSignAlg: "RS256", ...options }),
      ]),
    ),
    oidcRPMetaDataExportedVars: Object.fromEntries(
      Object.keys(clients).map((name) => [name, { name: "cn", email: "mail" }]),
    ),
  };
}

function settingsOf(folder: string): string {
  const cache = join(folder, "cache");
  return `
[all]
logLevel = error
[configuration]
type = File
dirName = ${join(folder, "config")}
localStorage = Cache::FileCache
localStorageOptions = { 'namespace' => 'config', 'default_expires_in' => 600, 'cache_root' => '${cache}' }
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
`;
}
