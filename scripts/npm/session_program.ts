/**
 * A program that creates sessions, or opens those that other runtimes created. It runs on every runtime. Its arguments
 * are the name of the runtime, the database and, as JSON, the sessions to open.
 *
 * @module
 */
import { createAuth } from "@x/auth";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { credentials } from "@x/auth/providers/credentials";
import process from "node:process";

/** A session that some runtime created: the name of its user, and its cookie. */
export interface CreatedSession {
  readonly name: string;
  readonly strategy: "jwt" | "database";
  readonly cookie: string;
}

const [, , name = "", database = "", created] = process.argv;
const adapter = sqliteAdapter(database);

function authFor(strategy: CreatedSession["strategy"]) {
  return createAuth({
    secret: "the same secret on every runtime, over 32 characters",
    trustHost: true,
    session: { strategy },
    adapter,
    providers: [
      credentials({
        credentials: { name: {} },
        authorize: (fields) => ({ id: `${fields.name}`, name: `${fields.name}` }),
      }),
    ],
  });
}

async function create(strategy: CreatedSession["strategy"]): Promise<CreatedSession> {
  const { handler } = authFor(strategy);
  const jar = new Map<string, string>();
  const ask = async (path: string, body?: URLSearchParams): Promise<Response> => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const init = body
      ? { method: "POST", body: String(body), headers: { cookie, "content-type": FORM } }
      : { headers: { cookie } };
    const response = await handler(new Request(`http://localhost${path}`, init));
    for (const header of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      jar.set(name, value);
    }
    return response;
  };
  const { csrfToken } = await (await ask("/auth/csrf")).json() as {
    csrfToken: string;
  };
  await ask("/auth/callback/credentials", new URLSearchParams({ csrfToken, name }));
  const [cookie = ""] = [...jar].filter(([name]) => name.endsWith("session-token")).map((pair) => pair.join("="));
  return { name, strategy, cookie };
}

const FORM = "application/x-www-form-urlencoded";

async function open({ strategy, cookie }: CreatedSession): Promise<string | undefined> {
  const { handler } = authFor(strategy);
  const response = await handler(new Request("http://localhost/auth/session", { headers: { cookie } }));
  return (await response.json() as { user?: { name?: string } } | null)?.user
    ?.name;
}

const answer = created === undefined
  ? [await create("jwt"), await create("database")]
  : await Promise.all((JSON.parse(created) as CreatedSession[]).map(open));
adapter.close();
process.stdout.write(JSON.stringify(answer));
