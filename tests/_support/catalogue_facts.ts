/**
 * What is recorded about the providers of the catalogue: one JSON file each in tests/catalogue, with the facts as they were
 * judged, the differences that the code makes on purpose, and a sample of what the vendor sends.
 *
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";

/** An object of JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** A path into a profile, and those to try after it. */
export interface ProfilePath {
  readonly path: string;
  readonly fallbacks: readonly string[];
}

/** The facts about a provider, as far as tests compare them. Placeholders such as `{tenant}` are names of options. */
export interface Facts {
  readonly id: string;
  readonly name: string;
  readonly type: "oauth" | "oidc";
  readonly issuer: string | null;
  readonly discovery: boolean;
  readonly discovery_url: string | null;
  readonly authorization_endpoint: string | null;
  readonly token_endpoint: string | null;
  readonly userinfo_endpoint: string | null;
  readonly jwks_uri: string | null;
  readonly refresh_endpoint: string | null;
  readonly revocation_endpoint: string | null;
  readonly endpoint_origin: "static" | "discovery" | "issuer-template";
  readonly scopes: readonly string[];
  readonly scope_separator: string;
  readonly extra_authorization_params: Readonly<Record<string, string>>;
  readonly response_mode: string | null;
  readonly recommended_checks: readonly ("state" | "pkce" | "nonce")[];
  readonly pkce: string;
  readonly token_endpoint_auth_method: "client_secret_basic" | "client_secret_post" | "none" | "custom";
  readonly id_token_signed_response_alg: string | null;
  readonly required_options: readonly string[];
  readonly optional_options?: readonly string[];
  readonly profile_source: "userinfo" | "id_token" | "token_response" | "access_token_jwt";
  readonly profile: Readonly<Record<string, ProfilePath | null>>;
  readonly userinfo_quirks: Members;
  readonly brand: { readonly bg: string | null; readonly text: string | null } | null;
  readonly docs_url: string | null;
  readonly status: string;
}

/** What the vendor demands of a request, or refuses it. `"*"` demands any value. */
export interface Demand {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: Members;
  /** Where the access token is: `header`, `header:<scheme>`, `query:<name>`, `form:<name>`, `path` or `none`. */
  readonly token?: string;
}

/** What the vendor sends in one sign-in, and what has to become of it. */
export interface Sample {
  /** What the factory needs besides the id and secret of the client. */
  readonly options?: Members;
  /** Values of placeholders in the facts that no option has. */
  readonly values?: Readonly<Record<string, string>>;
  /** Claims of the id_token besides those of the protocol. One of those replaces it. */
  readonly claims?: Members;
  /** Members that the metadata has besides the endpoints. */
  readonly metadata?: Members;
  /** The token response, or its text. */
  readonly token?: Members | string;
  /** What other requests are answered with, by method and URL without its query. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** What is demanded of requests, by method and URL without its query; `REFRESH` and the URL is that of a refresh. */
  readonly demands?: Readonly<Record<string, Demand>>;
  /** Parameters of the authorization response besides `code` and `state`. */
  readonly callback?: Readonly<Record<string, string>>;
  /** How the token endpoint refuses a code. */
  readonly refusal?: { readonly status?: number; readonly body: unknown };
  /** The user that the profile becomes. */
  readonly user: { readonly id: string; readonly [member: string]: unknown };
  /** Whether callbacks are told that the address is verified; absent if nobody says. */
  readonly emailVerified?: boolean;
}

/** A difference from the facts: why, and where a test has to know it, what is in the place of the fact. */
export type Difference = string | { readonly value: unknown; readonly reason: string };

/** How far the word of a provider on an address counts, and why. */
export interface Vouching {
  readonly value: "yes" | "own domain" | "no";
  readonly reason: string;
  /** Where that is written, unless it is what every provider is taken for. */
  readonly source?: string;
  /** Another server of the same software. */
  readonly elsewhere?: { readonly options: Members; readonly value: "yes" | "own domain" | "no" };
}

/** All that is recorded about a provider. */
export interface Entry {
  /** The name of its files, without what follows the dot. */
  readonly file: string;
  readonly facts: Facts;
  readonly differences: Readonly<Record<string, Difference>>;
  /** Absent for services that have one operator and prove addresses, or say nothing of them. */
  readonly vouching?: Vouching;
  readonly sample: Sample;
}

const FOLDER = new URL("../catalogue/", import.meta.url);

/** Whether the environment variable CATALOGUE chooses a file, by the beginning of its name. Several are separated by commas. */
export function isChosen(file: string): boolean {
  const { CATALOGUE } = process.env;
  return !CATALOGUE || CATALOGUE.split(",").some((prefix) => file.startsWith(prefix.replaceAll("-", "_")));
}

/** Lists the files of the records. */
export function recordedFiles(): readonly string[] {
  return readdirSync(FOLDER).filter((name) => name.endsWith(".json")).map((name) => name.slice(0, -5)).toSorted();
}

/** Reads the record of a provider. @throws {Error} If a member is missing. */
export function readEntry(file: string): Entry {
  const record = JSON.parse(readFileSync(new URL(`${file}.json`, FOLDER), "utf8"));
  const missing = missingIn(record);
  if (missing.length > 0) throw new Error(`tests/catalogue/${file}.json lacks ${missing.join(", ")}`);
  return { file, differences: {}, ...record };
}

/** What every record has, as in `Facts` and `Sample`. */
const MEMBERS = {
  "facts": "id name type issuer discovery discovery_url authorization_endpoint token_endpoint userinfo_endpoint " +
    "jwks_uri refresh_endpoint revocation_endpoint endpoint_origin scopes scope_separator " +
    "extra_authorization_params response_mode recommended_checks pkce token_endpoint_auth_method " +
    "id_token_signed_response_alg required_options profile_source profile userinfo_quirks brand docs_url " +
    "status",
  "facts.profile": "id name email email_verified image",
  "sample": "user",
  "sample.user": "id",
};

/** Lists the members that a record lacks, by their paths. */
export function missingIn(record: unknown): string[] {
  const memberOf = (value: unknown, name: string): unknown => (value as Members | null | undefined)?.[name];
  return Object.entries(MEMBERS).flatMap(([path, names]) => {
    const parent = path.split(".").reduce(memberOf, record);
    return names.split(" ").filter((name) => memberOf(parent, name) === undefined).map((name) => `${path}.${name}`);
  });
}

/** The name of the factory in a file: `42_school` has `school42`. */
export function factoryName(file: string): string {
  const [, digits = "", words = ""] = /^(?:(\d+)_)?(.+)$/.exec(file) ?? [];
  return words.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) + digits;
}

/** The subpath of a provider. */
export function subpathOf(file: string): string {
  return `providers/${file.replaceAll("_", "-")}`;
}

/** The prefix of a provider's environment variables. */
export function envPrefix({ id }: Facts): string {
  return `AUTH_${id.toUpperCase().replaceAll("-", "_")}_`;
}

/** The facts with what the differences put in their place. */
export function effective({ facts, differences }: Entry): Facts {
  const changed = Object.entries(differences).flatMap(([field, difference]) => {
    return typeof difference === "object" && difference !== null ? [[field, difference.value]] : [];
  });
  return { ...facts, ...Object.fromEntries(changed) } as Facts;
}

/** Fills the placeholders of the facts with what the options say. */
export class Templates {
  readonly #values = new Map<string, string>();
  /** The issuer, if there is one. */
  readonly issuer: string | undefined;

  /** @param clientId What `{client_id}` stands for. */
  constructor(facts: Facts, { options = {}, values = {} }: Partial<Sample>, clientId: string) {
    for (const [name, value] of [...Object.entries(options), ...Object.entries(values)]) {
      if (typeof value === "string") this.#values.set(plain(name), value.replace(/\/+$/, ""));
    }
    this.#values.set("clientid", clientId);
    const given = typeof options.issuer === "string" ? options.issuer : undefined;
    if (given && facts.issuer) this.#derive(facts.issuer, given);
    this.issuer = this.#issuerOf(facts, given);
  }

  #issuerOf({ issuer }: Facts, given: string | undefined): string | undefined {
    if (given === undefined) return issuer === null ? undefined : this.fill(issuer);
    // An option may lack the slash that the issuer has in its metadata.
    const filled = issuer && issuer !== "{issuer}" ? this.tryFill(issuer) : undefined;
    return filled?.replace(/\/+$/, "") === given.replace(/\/+$/, "") ? filled : given;
  }

  #derive(template: string, given: string): void {
    const names: string[] = [];
    const pattern = template.replace(/\/+$/, "").split(/\{(\w+)\}/).map((part, at) => {
      if (at % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      names.push(part);
      return "([^/]+)";
    });
    const found = new RegExp(`^${pattern.join("")}/*$`).exec(given) ?? [];
    names.forEach((name, at) => {
      const value = found[at + 1];
      if (value !== undefined && !this.#values.has(plain(name))) this.#values.set(plain(name), value);
    });
  }

  /** Fills a template, or gives nothing if a value is unknown. */
  tryFill(template: string): string | undefined {
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    if (names.some((name) => !this.#values.has(plain(name)))) return undefined;
    return template.replace(/\{(\w+)\}/g, (_, name: string) => this.#values.get(plain(name)) ?? "");
  }

  /** Fills a template. */
  fill(template: string): string {
    const filled = this.tryFill(template);
    if (filled !== undefined) return filled;
    throw new Error(`The facts have ${template}, and neither sample.options nor sample.values say what it stands for`);
  }

  /** Fills a template that is only for information: what is unknown is an example. */
  fillAnyhow(template: string): string {
    return template.replace(/\{(\w+)\}/g, (_, name: string) => this.#values.get(plain(name)) ?? "example");
  }
}

function plain(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

/** Whether the name of an option stands for a fact's: `accountID` for `account_id`. */
export function isSameOption(a: string, b: string): boolean {
  return plain(a) === plain(b);
}
