/**
 * The options of the service: of each its kind and its default.
 *
 * @module
 */
import type {
  AccountOptions,
  AuthConfig,
  Callbacks,
  Events,
  JWTOptions,
  PagesOptions,
  SessionOptions,
  Timeouts,
} from "../contract/config.ts";
import { SECRET_FORM, secretProblem } from "../crypto/secrets.ts";
import { cookieSpecs, SESSION_LIFETIME } from "../http/cookie_specs.ts";
import { COOKIE_ATTRIBUTES } from "../http/cookie_text.ts";
import { isFeature } from "../contract/feature.ts";
import { protectProblem } from "../http/protect.ts";
import { isAppScheme } from "../http/redirect_url.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Theme, ThemeLinks } from "../kernel/model.ts";
import { describeValue, isObject, isPlainObject, kindOf } from "../kernel/objects.ts";
import { asBoolean } from "./env.ts";
import {
  anything,
  color,
  deadline,
  FINE,
  functionOrNull,
  isListOf,
  type Kind,
  logo,
  look,
  lookOf,
  lowerCase,
  object,
  oneOf,
  orNull,
  otherwiseIgnored,
  ruled,
  ruledIf,
  seconds,
  trueOrFalse,
  type Verdict,
  wordOf,
} from "./kinds.ts";
import { PROTECT } from "./protect_options.ts";
import type { Rows, Table } from "./rows.ts";

function wrong(says: string): Verdict {
  return { is: "wrong", says };
}

function secret(...problems: readonly unknown[]): Kind {
  return (value) => {
    if (value === null || !problems.includes(secretProblem(value))) return orNull(anything)(value);
    return wrong(`${SECRET_FORM.replace(/^it /, "")}; it is ${kindOf(value)}`);
  };
}

// A value that is not a boolean is read as false, and the rule about false says what is wrong.
const trust: Kind = ruled((value) => {
  if (typeof value === "boolean") return FINE;
  // Any text is true for JavaScript: "false", or the one host that somebody means to trust, would have all hosts trusted.
  if (!/^(?:true|1|yes|on)$/i.test(String(value).trim())) return { is: "mended", value: false };
  return { is: "mended", value: true, says: `is ${describeValue(value)}: it is read as true, so write that` };
}, true);

const debug: Kind = ruled((value) => {
  if (typeof value === "boolean") return FINE;
  const read = typeof value === "string" ? asBoolean(value) : false;
  return { is: "mended", value: read, says: `is ${describeValue(value)}: it is read as ${read}, so write that` };
}, false);

const mount: Kind = (value) => {
  if (value === "" || value === "/") {
    const says =
      `is ${describeValue(value)}, so every path of this host belongs to the service: set it to a path of its ` +
      'own, such as "/auth"';
    return { is: "mended", value, says, code: "base-path-root" };
  }
  if (typeof value === "string" && /^\/[^?#\\]*$/.test(value) && !value.includes("//")) return FINE;
  if (typeof value !== "string" || !/^[\w.~%-]+(?:\/[\w.~%-]+)*\/?$/.test(value)) {
    return wrong(`must be a path that begins with one slash, such as "/auth", not ${describeValue(value)}`);
  }
  const says = `is ${describeValue(value)}, without a slash in front: it is read as ${
    describeValue(`/${value}`)
  }, so write that`;
  return { is: "mended", value: `/${value}`, says };
};

const providerList: Kind = (value) => {
  if (Array.isArray(value)) return FINE;
  // An object without a type holds providers under names of its own.
  if (typeof value !== "function" && !(isPlainObject(value) && "type" in value)) {
    return wrong(`must be a list, not ${kindOf(value)}; write \`providers: [github()]\``);
  }
  return { is: "mended", value: [value], says: "is one provider and not a list: it is read as a list of one" };
};

// `null` must not switch off what somebody meant to protect.
const protect: Kind = (value) => {
  const problem = protectProblem(value);
  return problem === null ? FINE : wrong(problem.replace(/^it /, ""));
};

// A marker that is `true` would switch nothing off, and nobody would know why.
function marker(name: string): Kind {
  return ruled((value) => {
    if (!value || typeof value === "symbol") return FINE;
    const says = `is ${kindOf(value)}, so it is ignored: set it to the symbol \`${name}\` of @x/auth`;
    return { is: "ignored", says };
  });
}

const page: Kind = ruledIf(/\b(?:signin|signout|error|verify-request)\/?(?:[?#]|$)/, (value) => {
  if (typeof value === "string" && isPageUrl(value)) return FINE;
  const hint = "set it to a path that begins with one slash, or to an http(s) URL";
  return { is: "ignored", says: `is ${describeValue(value)} and is ignored: ${hint}` };
});

function isPageUrl(url: string): boolean {
  if (/^\/(?![/\\])/.test(url)) return true;
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

const texts: Kind = (value) => {
  const isTexts = isPlainObject(value) &&
    Object.values(value).every((each) => each === undefined || isPlainObject(each));
  if (isTexts) return FINE;
  const hint = 'write `{ de: { signIn: "Los" } }`';
  return { is: "ignored", says: `is not an object with texts for each language and is ignored: ${hint}` };
};

const lookText: Kind = otherwiseIgnored("text", (value) => typeof value === "string", kindOf);

const log: Kind = (value) => {
  if (value === null || isObject(value) || typeof value === "function") return orNull(anything)(value);
  const hint = "set it to an object with `error`, `warn` or `debug`";
  return { is: "ignored", says: `is ${describeValue(value)}, so the console is used: ${hint}` };
};

const logMethod: Kind = (value) => {
  if (typeof value === "function") return FINE;
  return { is: "ignored", says: `is ${describeValue(value)} and is ignored: set it to a function` };
};

const ORIGIN_PATTERN = /^https?:\/\/[a-z0-9*](?:[a-z0-9*.-]*[a-z0-9])?(?::\d+)?$/i;

function list(of: string, test: (value: unknown) => boolean): Kind {
  return orNull((value) => isListOf(test)(value) ? FINE : wrong(`must be a list of ${of}`));
}

const ONE_DAY = 24 * 60 * 60;

export const SESSION = {
  strategy: { kind: ruled(wordOf("jwt", "database"), "jwt") },
  maxAge: { kind: seconds({ least: 1 }), otherwise: SESSION_LIFETIME },
  updateAge: { kind: seconds({ least: 0 }), otherwise: ONE_DAY },
  revalidate: { kind: ruled((value) => value ? seconds({ least: 1 })(value) : FINE, false) },
  cache: { kind: ruled() },
  generateSessionToken: { kind: functionOrNull },
  migrateFrom: { kind: ruled() },
} satisfies Rows<SessionOptions>;

export const JWT = {
  secret: { kind: secret("empty", "malformed") },
  maxAge: { kind: seconds({ least: 1 }) },
  encode: { kind: functionOrNull },
  decode: { kind: functionOrNull },
} satisfies Rows<JWTOptions>;

export const ACCOUNT = {
  tokens: { kind: oneOf("plain", "sealed"), otherwise: "plain" },
  freshSignIn: { kind: trueOrFalse, otherwise: false },
} satisfies Rows<AccountOptions>;

export const CALLBACKS = {
  signIn: { kind: functionOrNull },
  redirect: { kind: functionOrNull },
  jwt: { kind: functionOrNull },
  session: { kind: functionOrNull },
  authorized: { kind: functionOrNull },
} satisfies Rows<Callbacks>;

export const EVENTS = {
  createUser: { kind: functionOrNull },
  updateUser: { kind: functionOrNull },
  deleteUser: { kind: functionOrNull },
  linkAccount: { kind: functionOrNull },
  unlinkAccount: { kind: functionOrNull },
  signIn: { kind: functionOrNull },
  signOut: { kind: functionOrNull },
  session: { kind: functionOrNull },
  limited: { kind: functionOrNull },
} satisfies Rows<Events>;

export const PAGES = {
  signIn: { kind: page },
  signOut: { kind: page },
  error: { kind: page },
  verifyRequest: { kind: page },
  newUser: { kind: page },
  signUp: { kind: page },
  reset: { kind: page },
  password: { kind: page },
  texts: { kind: texts, otherwise: {} },
} satisfies Rows<PagesOptions>;

const link = { kind: page };

export const LINKS = { signUp: link, help: link, terms: link, privacy: link } satisfies Rows<ThemeLinks>;

export const THEME = {
  brandColor: { kind: ruledIf(/^[a-z]+$/i, color) },
  buttons: { kind: lookOf("neutral", "brand"), otherwise: "neutral" },
  buttonText: { kind: ruledIf(/^[a-z]+$/i, color) },
  colorScheme: { kind: lookOf("auto", "dark", "light"), otherwise: "auto" },
  language: { kind: ruledIf(/^(?!(?:ar|de|en|es|fr|he|hi|it|ja|ko|nl|pl|pt|tr|uk|zh)(?:-|$))/i, lookText) },
  links: { kind: orNull(look), members: LINKS },
  logo: { kind: logo },
  name: { kind: lookText },
} satisfies Rows<Theme>;

export const TIMEOUTS = {
  total: { kind: deadline, otherwise: 10 },
  request: { kind: deadline, otherwise: 5 },
  event: { kind: deadline },
  authorize: { kind: deadline, otherwise: 30 },
} satisfies Rows<Timeouts>;

export const LOGGER = {
  error: { kind: logMethod },
  warn: { kind: logMethod },
  debug: { kind: logMethod },
} satisfies Rows<Logger>;

const FLAGS: readonly string[] = ["httpOnly", "secure", "partitioned"];
const WORDS: readonly string[] = ["sameSite", "priority"];

const ATTRIBUTES: Table = Object.fromEntries(COOKIE_ATTRIBUTES.map((name) => {
  return [name, { kind: FLAGS.includes(name) ? orNull(trueOrFalse) : WORDS.includes(name) ? lowerCase : anything }];
}));

/** What can be set of a cookie. Rules look at the cookies together. */
export const COOKIE: Table = {
  name: { kind: anything },
  options: { kind: orNull(object), members: ATTRIBUTES },
};

/** The cookies by role. */
export const COOKIES: Table = Object.fromEntries(
  Object.keys(cookieSpecs(true, {})).map((role) => [role, { kind: orNull(object), members: COOKIE }]),
);

export const OPTIONS = {
  providers: { kind: orNull(providerList), otherwise: [] },
  adapter: { kind: orNull(ruled()) },
  secret: { kind: secret("malformed") },
  basePath: { kind: orNull(mount) },
  session: { kind: orNull(object), members: SESSION },
  features: { kind: ruled(list("features of this package", isFeature)), otherwise: [] },
  protect: { kind: protect, members: PROTECT },
  account: { kind: orNull(object), members: ACCOUNT },
  jwt: { kind: orNull(object), members: JWT },
  callbacks: { kind: orNull(object), members: CALLBACKS },
  events: { kind: orNull(object), members: EVENTS },
  mail: { kind: functionOrNull },
  pages: { kind: orNull(look), members: PAGES },
  cookies: { kind: orNull(ruled(object)), members: COOKIES },
  theme: { kind: orNull(look), members: THEME },
  logger: { kind: log, members: LOGGER },
  debug: { kind: orNull(debug), otherwise: false },
  experimental: { kind: orNull(look), members: { enableWebAuthn: { kind: ruled() } } },
  redirectSchemes: {
    kind: list('schemes of your applications, such as "com.example.app"', isAppScheme),
    otherwise: [],
  },
  redirectProxyUrl: { kind: orNull(ruled()) },
  redirectProxyOrigins: {
    kind: list("origins such as https://*.example.com", (value) => ORIGIN_PATTERN.test(String(value))),
  },
  skipCSRFCheck: { kind: orNull(marker("skipCSRFCheck")) },
  raw: { kind: orNull(marker("raw")) },
  trustHost: { kind: orNull(trust) },
  useSecureCookies: { kind: orNull(trueOrFalse) },
  timeouts: { kind: orNull(look), members: TIMEOUTS },
} satisfies Rows<AuthConfig>;
