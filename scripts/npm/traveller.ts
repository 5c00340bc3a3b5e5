/**
 * A service on one runtime that makes sessions, or opens those that were made on others. Runs on all of them, with the
 * runtime's name, the database and the sessions to open as arguments.
 *
 * @module
 */
import { createAuth } from "@x/auth";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { credentials } from "@x/auth/providers/credentials";
import process from "node:process";

/** A session that was made somewhere: the name of who has it, and the cookie. */
export interface Passport {
  readonly name: string;
  readonly strategy: "jwt" | "database";
  readonly cookie: string;
}

const [, , name = "", database = "", made] = process.argv;
const adapter = sqliteAdapter(database);

function serviceFor(strategy: Passport["strategy"]) {
  return createAuth({
    secret: "a secret that all runtimes know, of more than 32 characters",
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

async function make(strategy: Passport["strategy"]): Promise<Passport> {
  const { handler } = serviceFor(strategy);
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

async function open({ strategy, cookie }: Passport): Promise<string | undefined> {
  const { handler } = serviceFor(strategy);
  const response = await handler(new Request("http://localhost/auth/session", { headers: { cookie } }));
  return (await response.json() as { user?: { name?: string } } | null)?.user
    ?.name;
}

const answer = made === undefined
  ? [await make("jwt"), await make("database")]
  : await Promise.all((JSON.parse(made) as Passport[]).map(open));
adapter.close();
process.stdout.write(JSON.stringify(answer));
