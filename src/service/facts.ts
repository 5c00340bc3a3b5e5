/**
 * What the check tells of a service besides its mistakes: where its secret comes from, which address it takes for its
 * own, what its storage cannot do, what it runs on, and what it needs. Never a secret itself.
 *
 * @module
 */
import { SHORTEST_SECRET } from "../config/read_config.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { Warning } from "../config/warning.ts";
import { forwardedUrl, isHost, single } from "../http/origin.ts";
import { foldersOfCopies } from "../kernel/copies.ts";
import type { LogCode } from "../kernel/log_codes.ts";
import { isOldNode, runtimeName } from "../kernel/platform.ts";
import type { RequestContext } from "../request/context.ts";
import { warnOfAddress } from "../request/origin_advice.ts";
import { type Permissions, permissionsOf } from "./permissions.ts";

/** Something that the check tells. */
export interface Fact {
  readonly id: LogCode;
  /** A note is so by design; a warning deserves a look. */
  readonly level: "warning" | "note";
  /** A sentence without its full stop. */
  readonly says: string;
  /** What to do, in the same form. */
  readonly fix: string;
}

/** Lists what can be told of a service. @param ctx The request that is looked at, if there is one. */
export async function factsOf(config: ResolvedConfig, ctx: RequestContext | null): Promise<readonly Fact[]> {
  return [
    ...secretFacts(config),
    ...(ctx ? addressFacts(ctx) : []),
    ...storageFacts(config),
    ...platformFacts(runtimeName(), foldersOfCopies()),
    permissionFact(await permissionsOf(config)),
  ];
}

/** Says in the log what a fact is, and what to do if there is something to do. */
export function sentencesOf({ says, fix }: Fact): string {
  return fix.startsWith("Nothing") ? says : `${says}. ${fix}`;
}

const SECRETS = ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3", "NEXTAUTH_SECRET"];

/** Says how long each secret is, and where it comes from. */
export function secretFacts(
  { secrets, jwt, runtime }: Pick<ResolvedConfig, "secrets" | "jwt" | "runtime">,
): readonly Fact[] {
  const all = [
    ...secrets.map((text) => ({ text, option: "`secret`" })),
    ...jwt.secrets.filter((text) => !secrets.includes(text)).map((text) => ({ text, option: "`jwt.secret`" })),
  ];
  const described = all.map(({ text, option }) => {
    const variable = SECRETS.find((name) => runtime.env(name) === text);
    return { text, option, said: `${text.length} characters from ${variable ?? `the option ${option}`}` };
  });
  // The log warns of short ones already.
  const weak = described.filter(({ text }) => text.length >= SHORTEST_SECRET && isGuessable(text));
  return [
    ...weak.map(({ said }): Fact => ({
      id: "weak-secret",
      level: "warning",
      says: `a secret is long and yet easy to guess: it repeats itself, or is the text of an example (${said})`,
      fix: "Make a random one: npx @x/auth secret",
    })),
    ...(described.length === 0 ? [] : [{
      id: "secret-seen",
      level: "note",
      says: `the newest secret comes first: ${described.map(({ said }) => said).join(", ")}`,
      fix: "Nothing, if this is what you have set. All machines of the site need the same",
    }] satisfies Fact[]),
  ];
}

/** Bits below which a text is not random. Random hexadecimal digits have more, from 32 of them on. */
const FEWEST_BITS = 80;

/** What stands in examples for a secret. */
const EXAMPLE =
  /change[ _-]?(?:me|this)|replace[ _-]?(?:me|this|with)|your[ _-]?(?:\w{1,12}[ _-]?)?secret|placeholder/i;

/** Whether a long secret is no random text. */
export function isGuessable(secret: string): boolean {
  const text = secret.slice(0, 256);
  const isRepeated = [...Array(Math.floor(text.length / 2)).keys()].some((at) => text.startsWith(text.slice(at + 1)));
  return isRepeated || EXAMPLE.test(text) || bitsOf(text) < FEWEST_BITS;
}

/** The entropy of a text by how often each character comes (Shannon). */
function bitsOf(text: string): number {
  const counts = Map.groupBy(text, (character) => character);
  return [...counts.values()].reduce((bits, { length }) => bits - length * Math.log2(length / text.length), 0);
}

const HEADERS = ["x-forwarded-host", "x-forwarded-proto", "forwarded"];

/** Says which address the service takes for its own, and what the headers of proxies say. */
export function addressFacts(
  { incoming, request, url, config }: Pick<RequestContext, "incoming" | "request" | "url" | "config">,
): readonly Fact[] {
  const asked = new URL(incoming.url);
  const set = "Set AUTH_URL to the address that people open";
  const source = config.origin !== null
    ? "AUTH_URL"
    : config.trustHost === "any" && forwardedUrl(incoming, asked)
    ? "the headers of a proxy"
    : "the Host header";
  const sent = HEADERS.filter((name) => incoming.headers.get(name) !== null);
  const disagrees = disagreement(config, incoming, asked);
  const told: Warning[] = [];
  warnOfAddress({ request, url, config, warn: (warning) => told.push(warning) });
  return [
    {
      id: "address-seen",
      level: "note",
      says: `the service takes itself for ${shown(url.origin)} (from ${source}), and the request names ` +
        `${shown(asked.origin)}; ${sent.length > 0 ? `it has ${sent.join(", ")}` : "it has no headers of a proxy"}`,
      fix: "Nothing, if people open the first address. Otherwise set AUTH_URL to the one that they open",
    },
    ...(disagrees ? [{ id: "proxy-disagrees", level: "warning", says: disagrees, fix: set }] satisfies Fact[] : []),
    ...told.map(([id, says]): Fact => ({ id, level: "warning", says, fix: set })),
  ];
}

function disagreement(
  { origin, trustHost }: Pick<ResolvedConfig, "origin" | "trustHost">,
  incoming: RequestContext["incoming"],
  asked: URL,
): string | null {
  const { headers } = incoming;
  const [host, proto] = [headers.get("x-forwarded-host"), headers.get("x-forwarded-proto")];
  const forwarded = forwardedUrl(incoming, asked);
  if (origin !== null) {
    if (host === null || !forwarded || forwarded.origin === origin) return null;
    return `a proxy says that the request is for ${shown(forwarded.origin)}, and AUTH_URL is ${
      shown(origin)
    }, which counts`;
  }
  if (trustHost !== "any") {
    return host ?? proto ? "the request has headers of a proxy, and nothing says that the proxy may be believed" : null;
  }
  const unread = [host, proto].some((value) => value !== null && single(value) === null) ||
    (host !== null && single(host) !== null && !isHost(single(host)));
  if (unread) return "X-Forwarded-Host or X-Forwarded-Proto has several values, or no host, so it is not read";
  if (host !== null && proto === null && asked.protocol === "http:") {
    return "a proxy sends X-Forwarded-Host without X-Forwarded-Proto, so the service takes itself for an http site";
  }
  if (proto?.trim().toLowerCase() === "http" && asked.protocol === "https:") {
    return "X-Forwarded-Proto is http, and the request came by https, which counts";
  }
  return host === null && headers.get("forwarded") !== null
    ? "a proxy sends Forwarded, which is not read, and no X-Forwarded-Host"
    : null;
}

/** Quotes an origin. Whoever sent the request chose it. */
function shown(origin: string): string {
  return origin.slice(0, 120);
}

/** Says what this adapter cannot promise. That it has no `commit`, the log says already. */
export function storageFacts(
  { storage, session, features }: Pick<ResolvedConfig, "storage" | "features"> & {
    readonly session: Pick<ResolvedConfig["session"], "strategy">;
  },
): readonly Fact[] {
  if (!storage) return [];
  const endings = storage.lacks("endings").filter((name) => /^(?:list|delete)SessionsByUserId$/.test(name));
  const lacks: readonly (readonly [lacks: boolean, what: string, so: string])[] = [
    [!storage.has("once"), "`once`", "what may be used once, such as a challenge, can be used again until it expires"],
    [
      endings.length > 0,
      endings.map((name) => `\`${name}\``).join(" and "),
      session.strategy === "jwt"
        ? "a session lasts until it expires, whoever wants to end it"
        : "the sessions of a user cannot be listed and ended together",
    ],
    [storage.lacks("records").length > 0, "operations for records", "features that store something do not work"],
    // `limits()` says it itself.
    [
      !storage.has("take") && !features.some(({ id }) => id === "limits"),
      "`take`",
      "nothing is counted for all machines together",
    ],
  ];
  return lacks.filter(([isLacking]) => isLacking).map(([, what, so]): Fact => ({
    id: "storage-lacks",
    level: "note",
    says: `\`adapter\` has no ${what}, so ${so}`,
    fix: "Use an adapter of @x/auth if you need it: they have all operations, on the connection that you have",
  }));
}

/** Says what the program runs on, and whether it has two copies of the package. */
export function platformFacts(runtime: string, copies: readonly string[]): readonly Fact[] {
  return [
    ...(copies.length < 2 ? [] : [{
      id: "package-twice",
      level: "warning",
      says: `the program runs ${copies.length} copies of the package: ${copies.join(", ")}. One does not know the ` +
        "errors, limits and cached sessions of the other",
      fix: "Let all parts of the program depend on one version, and install again (npm ls @x/auth)",
    }] satisfies Fact[]),
    isOldNode(runtime)
      ? {
        id: "runtime-seen",
        level: "warning",
        says: `the program runs on ${runtime}, and the package is made for 22.13 and newer`,
        fix: "Update Node.js",
      }
      : { id: "runtime-seen", level: "note", says: `the program runs on ${runtime}`, fix: "Nothing" },
  ];
}

/** Says what a firewall, or Deno, has to allow. */
export function permissionFact({ hosts, variables, unknown }: Permissions): Fact {
  const others = unknown.length === 0 ? "" : `. Not known here is what these need: ${unknown.join(", ")}`;
  return {
    id: "permissions-needed",
    level: "note",
    says: `the service sends requests to ${hosts.join(", ") || "no host"}, and reads variables${others}`,
    fix: `Allow these in a firewall; for Deno add where the program listens: --allow-net=${hosts.join(",")} ` +
      `--allow-env=${variables.join(",")}`,
  };
}
