/** Callbacks and events that throw, and what they put where it cannot stay. */
import { createAuth } from "@x/auth";
import { credentials } from "@x/auth/providers/credentials";
import { type Handler, type Mistake, tellMistakes } from "./_table.ts";

const HERE = "http://localhost:3000";
const ada = credentials({ credentials: { name: {} }, authorize: () => ({ id: "1", name: "Ada" }) });

/** A service that JavaScript lets one configure in this way. */
function serve(config: object) {
  return createAuth({ providers: [ada], trustHost: true, ...config } as never).handler;
}

/** Opens paths one after the other with the cookies of one browser. A path that begins with `POST` gets a form. */
function visit(...steps: readonly string[]) {
  return async (handler: Handler): Promise<Response> => {
    const jar = new Map<string, string>();
    const open = async (path: string, fields?: Record<string, string>) => {
      const headers = { cookie: [...jar].map((pair) => pair.join("=")).join("; "), origin: HERE, accept: "text/html" };
      const form = fields && { method: "POST", body: new URLSearchParams(fields) };
      const response = await handler(new Request(HERE + path, { headers, ...form }));
      for (const cookie of response.headers.getSetCookie()) {
        const [name = "", value = ""] = cookie.split(";", 1)[0]?.split(/=(.*)/s) ?? [];
        if (value === "") jar.delete(name);
        else jar.set(name, value);
      }
      return response;
    };
    let last = new Response();
    for (const step of steps) {
      if (!step.startsWith("POST ")) last = await open(step);
      else {
        const { csrfToken } = await (await open("/auth/csrf")).json();
        last = await open(step.slice(5), { csrfToken, name: "ada" });
      }
    }
    return last;
  };
}

const SIGN_IN = "POST /auth/callback/credentials";
const toSession = visit(SIGN_IN, "/auth/session");
const BACK = { status: 302 } as const;
const NULL = { status: 200, text: /^null$/ } as const;

const boom = () => {
  throw new Error("no such column: rol");
};

/** A callback throws: the log has its name, and what it threw. */
function threw(name: string, ask: NonNullable<Mistake["ask"]>, see: Mistake["see"]): Mistake {
  return {
    ...{ name: `\`callbacks.${name}\` throws`, make: () => serve({ callbacks: { [name]: boom } }), ask, see },
    log: / callback-threw: /,
    code: "callback-threw",
    says: [`\`callbacks.${name}\` failed`, "no such column: rol"],
  };
}

/** An event throws: nothing else changes. */
function eventThrew(name: string, ...steps: readonly string[]): Mistake {
  return {
    ...{ name: `\`events.${name}\` throws`, ask: visit(...steps), see: BACK },
    make: () => serve({ events: { [name]: boom } }),
    log: / event-error: /,
    code: "event-error",
    says: [`Event handler "${name}" failed`, "no such column: rol"],
  };
}

const cycle: Record<string, unknown> = {};
cycle.self = cycle;

/** A callback returns what cannot be written as JSON. */
function notJson(callback: "jwt" | "session", what: string, thing: unknown): Mistake {
  const add = (given: Record<string, object>) => ({ ...given[callback === "jwt" ? "token" : "session"], thing });
  return {
    name: `\`callbacks.${callback}\` puts in ${what}`,
    make: () => serve({ callbacks: { [callback]: add } }),
    ask: toSession,
    see: NULL,
    log: / callback-result: /,
    code: "callback-result",
    says: [`\`callbacks.${callback}\` returned`, "JSON cannot hold", "`thing`", "write a BigInt as text"],
  };
}

/** A token loses what is put into it. */
function lost(what: string, thing: unknown, kind: string): Mistake {
  return {
    name: `\`callbacks.jwt\` puts in ${what}`,
    make: () => serve({ callbacks: { jwt: ({ token }: { token: object }) => ({ ...token, mine: { thing } }) } }),
    ask: toSession,
    see: { status: 200, text: /Ada/ },
    log: / callback-result: /,
    code: "callback-result",
    level: "warn",
    says: ["`callbacks.jwt`", `\`mine.thing\` is ${kind}`, "plain objects"],
  };
}

tellMistakes([
  threw("signIn", visit(SIGN_IN), BACK),
  threw("jwt", visit(SIGN_IN), BACK),
  threw("session", toSession, NULL),
  threw("redirect", visit("/auth/signin?callbackUrl=/x"), { status: 200 }),
  {
    ...threw("authorized", visit("/members"), { status: 503 }),
    make: () => {
      const { auth } = createAuth({ providers: [ada], trustHost: true, callbacks: { authorized: boom } });
      return auth(() => new Response("members"));
    },
  },
  {
    ...threw("jwt", toSession, NULL),
    name: "`callbacks.jwt` throws when the session is read",
    make: () => {
      const jwt = ({ token, user }: { token: object; user?: object }) => user ? token : boom();
      return serve({ callbacks: { jwt } });
    },
  },
  {
    ...threw("session", toSession, NULL),
    name: "`callbacks.session` reads a member of nothing",
    make: () => serve({ callbacks: { session: ({ user }: { user: { role: string } }) => ({ role: user.role }) } }),
    says: ["`callbacks.session` failed", "role"],
  },
  {
    ...threw("session", toSession, NULL),
    name: "`callbacks.session` rejects with text",
    make: () => serve({ callbacks: { session: () => Promise.reject("the database is away") } }),
    says: ["`callbacks.session` failed", "the database is away"],
  },
  eventThrew("signIn", SIGN_IN),
  eventThrew("session", SIGN_IN, "/auth/session", "POST /auth/signout"),
  eventThrew("signOut", SIGN_IN, "POST /auth/signout"),
  notJson("jwt", "a BigInt", 5n),
  notJson("jwt", "what refers to itself", cycle),
  notJson("session", "a BigInt", 5n),
  notJson("session", "what refers to itself", cycle),
  lost("a function", () => 1, "a function"),
  lost("a symbol", Symbol("x"), "a symbol"),
  lost("a Map", new Map([[1, 2]]), "a Map"),
  lost("a Set", new Set([1]), "a Set"),
]);
