/**
 * `better-auth` with its memory adapter and sessions in an encrypted cookie; rate limit, log and telemetry are off.
 *
 * @module
 */
import { load } from "../packages.ts";
import {
  ADA,
  answersWith,
  authRequest,
  CLIENT,
  cookiesOf,
  freshFile,
  ORIGIN,
  type Question,
  redirectsTo,
  SECRET,
  type Setup,
  type Side,
  type StoreName,
} from "./side.ts";
import { openPool } from "./stores.ts";

interface BetterAuth {
  readonly betterAuth: (options: unknown) => { readonly handler: (request: Request) => Promise<Response> };
}

interface Migrations {
  readonly getMigrations: (options: unknown) => Promise<{ readonly runMigrations: () => Promise<void> }>;
}

interface MemoryAdapter {
  readonly memoryAdapter: (tables: Record<string, unknown[]>) => unknown;
}

const SESSION = "better-auth.session_data";
const SEALED = new RegExp(`${SESSION}=ey`);
const HOUR = 60 * 60;
const COMMON = {
  secret: SECRET,
  baseURL: ORIGIN,
  basePath: "/auth",
  rateLimit: { enabled: false },
  logger: { disabled: true },
  telemetry: { enabled: false },
} as const;
const PERSON = { email: ADA.email, password: ADA.password, name: ADA.name } as const;

/** Makes the service. Its providers are members of an object, so there is always one. */
export async function betterAuth({ store }: Setup): Promise<Side> {
  return store ? await withStorage(store) : await withCookies();
}

// Without a copy in a cookie every request reads the database.
async function withStorage(store: StoreName): Promise<Side> {
  const database = await openDatabase(store);
  if (!database) return { name: "better-auth", answer: () => new Response(), questions: {} };
  const { betterAuth } = await load<BetterAuth>("better-auth");
  const { getMigrations } = await load<Migrations>("better-auth/db/migration");
  const options = { ...COMMON, database, emailAndPassword: { enabled: true, password: PLAIN_PASSWORDS } };
  await (await getMigrations(options)).runMigrations();
  const { handler } = betterAuth(options);
  return {
    name: "better-auth",
    answer: handler,
    questions: {
      "session-stored": async () => {
        const cookie = await signUp(handler);
        return await question(() => authRequest("get-session", cookie), answersWith(/"name":"Ada"/));
      },
    },
  };
}

async function openDatabase(store: StoreName): Promise<unknown> {
  if (store === "pg") return await openPool();
  if (store !== "sqlite") return null;
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(freshFile());
  // What our adapter does by default.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  return database;
}

async function withCookies(): Promise<Side> {
  const library = await load<BetterAuth>("better-auth/minimal");
  const { memoryAdapter } = await load<MemoryAdapter>("better-auth/adapters/memory");
  const tables: Record<string, unknown[]> = { user: [], session: [], account: [], verification: [] };
  const { handler } = library.betterAuth({
    ...COMMON,
    database: memoryAdapter(tables),
    session: { cookieCache: { enabled: true, strategy: "jwe", maxAge: HOUR } },
    account: { storeStateStrategy: "cookie" },
    emailAndPassword: { enabled: true, password: PLAIN_PASSWORDS },
    socialProviders: { github: CLIENT },
  });
  return {
    name: "better-auth",
    answer: handler,
    questions: questionsOf(handler),
    // Every sign-in adds a session, and no question reads one from storage.
    reset: () => void (tables.session = []),
  };
}

/** Compares passwords without a hash: the others leave hashing to the application, and it would outweigh the rest. */
const PLAIN_PASSWORDS = {
  hash: (password: string) => Promise.resolve(password),
  verify: ({ hash, password }: { readonly hash: string; readonly password: string }) => {
    return Promise.resolve(hash === password);
  },
};

function questionsOf(answer: Side["answer"]): Side["questions"] {
  return {
    "session-none": () => question(() => authRequest("get-session"), answersWith(/^null$/)),
    "session-known": async () => {
      const cookie = await signUp(answer);
      return await question(() => authRequest("get-session", cookie), answersWith(/"name":"Ada"/));
    },
    "session-new": async () => {
      await signUp(answer);
      const cookies: string[] = [];
      while (cookies.length < 500) cookies.push(cookiesOf(await answer(send("sign-in/email", PERSON))));
      return await question(
        (index) => authRequest("get-session", cookies[index % cookies.length]),
        answersWith(/"name":"Ada"/),
      );
    },
    "credentials": async () => {
      await signUp(answer);
      return await question(() => send("sign-in/email", PERSON), redirectsTo(/"token":".*"name":"Ada"/, SEALED));
    },
    "oauth-start": () => {
      return question(START, redirectsTo(/https:\/\/github\.com\/.*state=.*code_challenge=/, /oauth_state=/));
    },
    "oauth-callback": async () => {
      const started = await answer(START());
      const { url } = await started.clone().json() as { readonly url: string };
      const params = new URLSearchParams({ code: "code", state: new URL(url).searchParams.get("state") ?? "" });
      const cookie = cookiesOf(started);
      const back = redirectsTo(/^\/$/, SEALED);
      return { ...await question(() => authRequest(`callback/github?${params}`, cookie), back), status: 302 };
    },
    "sign-out": async () => {
      const cookie = await signUp(answer);
      const gone = redirectsTo(/"success":true/, new RegExp(`${SESSION}=;.*Max-Age=0`, "i"));
      return await question(() => send("sign-out", {}, cookie), gone);
    },
  };
}

const START = (): Request => send("sign-in/social", { provider: "github", callbackURL: "/" });

function question(request: Question["request"], problemOf: Question["problemOf"]): Promise<Question> {
  return Promise.resolve({ request, status: 200, problemOf });
}

async function signUp(answer: Side["answer"]): Promise<string> {
  const made = await answer(send("sign-up/email", PERSON));
  // A user who already exists signs in instead.
  return cookiesOf(made.ok ? made : await answer(send("sign-in/email", PERSON)));
}

function send(path: string, body: unknown, cookie?: string): Request {
  const headers = { "content-type": "application/json", origin: ORIGIN, ...(cookie && { cookie }) };
  return new Request(`${ORIGIN}/auth/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}
