/**
 * The stories of the wire: each endpoint with each method, signed in and not, with good forms and bad ones.
 *
 * @module
 */
import { memoryAdapter } from "@x/auth/adapters/memory";
import { Authenticator } from "../../_support/authenticator.ts";
import { type Client, clientOf, type Sent } from "./client.ts";
import { consent } from "./provider.ts";
import { SERVICES } from "./services.ts";
import type { Serve } from "./values.ts";

/** A request, and what was before. */
export interface Story {
  readonly name: string;
  readonly service: string;
  /** What the last request of it is answered. */
  tell(visit: Visit): Promise<Response>;
}

/** A browser at a service. */
interface Visit extends Client {
  /** Another browser at the same service. */
  readonly other: Client;
  /** The links that were sent. */
  readonly links: string[];
  readonly device: Authenticator;
}

/** Tells a story at a service of its own. @param at Milliseconds since 1970; by default the machine's clock. */
export async function answerOf(
  serve: Serve,
  { name, service, tell }: Story,
  at: number | null,
): Promise<{ response: Response; origin: string }> {
  const { origin, config } = SERVICES[service] ?? {};
  if (!origin || !config) throw new Error(`The story "${name}" has no service`);
  const links: string[] = [];
  const now = at === null ? Date.now : () => at;
  const handler = serve(config({ now, adapter: memoryAdapter({ now }), mail: (url) => void links.push(url) }), at);
  const device = new Authenticator({ origin });
  const visit = { ...clientOf(handler, origin), other: clientOf(handler, origin), links, device };
  return { response: await tell(visit), origin };
}

/** What is behind the names of the services in stories. */
const KINDS: Readonly<Record<string, string>> = {
  "http": "encrypted sessions",
  "https": "https",
  "stored": "stored sessions",
  "stored, sealed": "encrypted sessions with rows",
};

const JSON_ANSWER: Sent = { headers: { "x-auth-return-redirect": "1" } };
const BY_SITE = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };

async function come(visit: Client, provider = "openid", callbackUrl = "/members"): Promise<Response> {
  const away = await visit.post(`/auth/signin/${provider}`, { callbackUrl });
  const { path, params } = consent(away.headers.get("location") ?? "");
  return await visit.send(`${path}?${new URLSearchParams(params)}`);
}

async function offered(visit: Visit, action: string): Promise<Response> {
  const query = action === "register" ? "?action=register&email=ada@example.com" : "?action=authenticate";
  return await visit.send(`/auth/webauthn-options/passkey${query}`);
}

async function useKey(visit: Visit, action: "register" | "authenticate"): Promise<Response> {
  const { options } = await (await offered(visit, action)).json();
  const data = action === "register" ? await visit.device.create(options) : await visit.device.get(options);
  return await visit.post("/auth/callback/passkey", { action, data });
}

async function linkOf(visit: Visit): Promise<string> {
  await visit.post("/auth/signin/email", { email: "ada@example.com", callbackUrl: "/members" });
  const { pathname, search } = new URL(visit.links.at(-1) ?? "");
  return pathname + search;
}

const READS = [
  "/auth/csrf",
  "/auth/providers",
  "/auth/session",
  "/auth/signin",
  "/auth/signin?callbackUrl=/members",
  "/auth/signin?error=CredentialsSignin",
  "/auth/signin/credentials",
  "/auth/signin/openid",
  "/auth/signout",
  "/auth/error",
  "/auth/error?error=AccessDenied",
  "/auth/error?error=Configuration",
  "/auth/error?error=Verification",
  "/auth/verify-request",
  "/auth/callback/openid",
  "/auth/callback/openid?code=1&state=unknown",
  "/auth/callback/credentials",
  "/auth/callback/unknown",
  "/auth/signout/openid",
  "/auth/frontchannel-logout/openid",
  "/auth/unknown",
  "/auth",
];

const READS_WITH_STORAGE = [
  "/auth/signin/email",
  "/auth/signin/passkey",
  "/auth/callback/email",
  "/auth/callback/email?token=unknown&email=ada@example.com",
  "/auth/webauthn-options/passkey",
  "/auth/webauthn-options/passkey?action=authenticate",
  "/auth/webauthn-options/passkey?action=register",
  "/auth/webauthn-options/passkey?action=register&email=ada@example.com",
  "/auth/webauthn-options/passkey?action=list",
];

/** Forms, with fields beside the token. */
const FORMS: readonly (readonly [path: string, fields: Readonly<Record<string, string>>, what?: string])[] = [
  ["/auth/session", { data: "{}" }],
  ["/auth/signin", { callbackUrl: "/members" }],
  ["/auth/signin/openid", { callbackUrl: "/members" }],
  ["/auth/signin/plain", { callbackUrl: "https://evil.example/" }, "callbackUrl elsewhere"],
  ["/auth/signin/credentials", {}],
  ["/auth/signin/unknown", {}],
  ["/auth/callback/credentials", { username: "ada", callbackUrl: "/members" }],
  ["/auth/callback/credentials", { username: "bob", callbackUrl: "/members" }, "refused"],
  ["/auth/signout", { callbackUrl: "/bye" }],
];

const FORMS_WITH_STORAGE: typeof FORMS = [
  ["/auth/signin/email", { email: "ada@example.com", callbackUrl: "/members" }],
  ["/auth/signin/email", { email: "not an address" }, "refused"],
  ["/auth/signin/passkey", {}],
  ["/auth/callback/passkey", { action: "authenticate", data: "{}" }, "refused"],
  ["/auth/callback/email", { email: "ada@example.com", token: "unknown" }],
];

const STATES = [["", async () => {}], [
  ", signed in",
  async (visit) => void await come(visit),
]] as const satisfies readonly (
  readonly [string, (visit: Visit) => Promise<void>]
)[];

/** A story in which one request follows on a state. */
function ask(service: string, [state, enter]: (typeof STATES)[number], path: string, sent: Sent, what = ""): Story {
  const { method = sent.fields || sent.json ? "POST" : "GET" } = sent;
  const name = `${method} ${path}, ${KINDS[service]}${state}${what && `, ${what}`}`;
  return {
    name,
    service,
    async tell(visit) {
      await enter(visit);
      return await visit.send(path, sent);
    },
  };
}

/** Stories of one form: good, answered with JSON, and without what makes it good. */
function formStories(
  service: string,
  state: (typeof STATES)[number],
  [path, fields, what]: (typeof FORMS)[number],
): Story[] {
  const [stateName, enter] = state;
  const variants: Readonly<Record<string, (visit: Visit) => Promise<Response>>> = {
    "": (visit) => visit.post(path, fields),
    "JSON answer": (visit) => visit.post(path, fields, JSON_ANSWER),
    "without token": (visit) => visit.send(path, { fields }),
    "without token, JSON answer": (visit) => visit.send(path, { fields, ...JSON_ANSWER }),
    "sent by another site": (visit) => visit.post(path, fields, { headers: BY_SITE }),
  };
  return Object.entries(variants).map(([variant, send]) => ({
    name: [`POST ${path}`, `${KINDS[service]}${stateName}`, what, variant].filter((part) => part).join(", "),
    service,
    async tell(visit) {
      await enter(visit);
      return await send(visit);
    },
  }));
}

const OUT = STATES[0];

/** Requests that are not as they should be. */
const BAD: readonly (readonly [what: string, path: string, sent: Sent])[] = [
  ["for a page", "/auth/unknown", { headers: { accept: "text/html" } }],
  ["a parameter twice", "/auth/signin?callbackUrl=/a&callbackUrl=/b", {}],
  ["text", "/auth/callback/credentials", { json: "text", headers: { "content-type": "text/plain" } }],
  ["JSON that is a list", "/auth/callback/credentials", { json: [1] }],
  ["compressed", "/auth/callback/credentials", {
    fields: { username: "ada" },
    headers: { "content-encoding": "gzip" },
  }],
  ["too long", "/auth/callback/credentials", { fields: { username: "a".repeat(70_000) } }],
  ["JSON without token", "/auth/callback/credentials", { json: { username: "ada" } }],
  ...["PUT", "DELETE", "PATCH", "OPTIONS"].map((method) => ["", "/auth/session", { method }] as const),
  ...["/auth/csrf", "/auth/providers", "/auth/session", "/auth/signin", "/auth/callback/openid"].map((path) =>
    ["", path, { method: "HEAD" }] as const
  ),
  ["", "/auth/csrf", { method: "POST", fields: {} }],
  ["", "/auth/callback/openid", { method: "POST", fields: { code: "1" } }],
  ["", "/auth/backchannel-logout/openid", { fields: { logout_token: "not a token" } }],
];

/** Whole ways in and out. */
function ways(service: string): Story[] {
  const way = (name: string, tell: Story["tell"]): Story => ({ name: `${name}, ${KINDS[service]}`, service, tell });
  const cancelled = async (visit: Visit) => {
    const away = await visit.post("/auth/signin/openid", { callbackUrl: "/members" });
    const { path, params } = consent(away.headers.get("location") ?? "");
    return await visit.send(`${path}?${new URLSearchParams({ error: "access_denied", state: params.state ?? "" })}`);
  };
  return [
    way("GET /auth/callback/openid, agreed", (visit) => come(visit)),
    way("GET /auth/callback/plain, agreed", (visit) => come(visit, "plain")),
    way("GET /auth/callback/openid, cancelled", cancelled),
    way("GET /auth/session, after a sign-in", async (visit) => {
      await come(visit);
      return await visit.send("/auth/session");
    }),
    way("GET /auth/session, after a sign-out", async (visit) => {
      await come(visit);
      await visit.post("/auth/signout");
      return await visit.send("/auth/session");
    }),
    way("GET /auth/session, with a cookie that is none", async (visit) => {
      await come(visit);
      for (const name of visit.cookies.keys()) if (name.includes("session")) visit.cookies.set(name, "none");
      return await visit.send("/auth/session");
    }),
  ];
}

function storedWays(service: string): Story[] {
  const way = (name: string, tell: Story["tell"]): Story => ({ name: `${name}, ${KINDS[service]}`, service, tell });
  return [
    way("GET /auth/callback/email, in the same browser", async (visit) => await visit.send(await linkOf(visit))),
    way("GET /auth/callback/email, in another browser", async (visit) => await visit.other.send(await linkOf(visit))),
    way("POST /auth/callback/email, in another browser", async (visit) => {
      const path = await linkOf(visit);
      await visit.other.send(path);
      return await visit.other.post(path);
    }),
    way("GET /auth/callback/email, a second time", async (visit) => {
      const path = await linkOf(visit);
      await visit.send(path);
      return await visit.send(path);
    }),
    way("POST /auth/callback/passkey, registered", (visit) => useKey(visit, "register")),
    way("POST /auth/callback/passkey, authenticated", async (visit) => {
      await useKey(visit, "register");
      await visit.post("/auth/signout");
      return await useKey(visit, "authenticate");
    }),
    way("GET /auth/callback/plain, of the address of another user", async (visit) => {
      await come(visit, "openid");
      return await come(visit.other, "plain");
    }),
    way("GET /auth/callback/plain, to add the account", async (visit) => {
      await come(visit, "openid");
      return await come(visit, "plain");
    }),
  ];
}

export const STORIES: readonly Story[] = [
  ...["http", "https", "stored"].flatMap((service) =>
    STATES.flatMap((state) => [
      ...(service === "stored" ? [...READS, ...READS_WITH_STORAGE] : READS).map((path) =>
        ask(service, state, path, {})
      ),
      ...(service === "stored" ? FORMS_WITH_STORAGE : FORMS).flatMap((form) => formStories(service, state, form)),
    ])
  ),
  ...["stored", "stored, sealed"].flatMap((service) =>
    STATES.flatMap((state) =>
      [["/auth/signout", { callbackUrl: "/bye" }] as const, ["/auth/session", { data: "{}" }] as const].flatMap((
        form,
      ) => formStories(service, state, form))
    )
  ),
  ...BAD.map(([what, path, sent]) => ask("http", OUT, path, sent, what)),
  ...["http", "https", "stored", "stored, sealed"].flatMap(ways),
  ...["stored", "stored, sealed"].flatMap(storedWays),
  {
    name: "POST /auth/signout, at a provider with logout",
    service: "logout",
    async tell(visit) {
      await come(visit);
      return await visit.post("/auth/signout", { callbackUrl: "/bye" });
    },
  },
  {
    name: "POST /auth/signin/openid, with form_post",
    service: "form_post",
    tell: (visit) => visit.post("/auth/signin/openid", { callbackUrl: "/members" }),
  },
  {
    name: "POST /auth/callback/openid, with form_post",
    service: "form_post",
    async tell(visit) {
      const away = await visit.post("/auth/signin/openid", { callbackUrl: "/members" });
      const { path, params } = consent(away.headers.get("location") ?? "");
      return await visit.send(path, { fields: params, headers: BY_SITE });
    },
  },
];
