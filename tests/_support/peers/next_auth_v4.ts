/** A service of next-auth 4. Runs where its packages are installed, not in this project. */

// Named by a variable, because this project does not have the packages.
const load = (name: string) => import(name);

// The package exports only what frameworks need, and this is what they call.
const { AuthHandler } = await load(`file://${Deno.cwd()}/node_modules/next-auth/core/index.js`);
// CommonJS: the function is a member of what is imported.
const { default: { default: credentials } } = await load("next-auth/providers/credentials");
const { default: { parse } } = await load(`file://${Deno.cwd()}/node_modules/cookie/index.js`);

const { secret, provider, database } = JSON.parse(Deno.env.get("SETTINGS") ?? "{}");

const options = {
  secret,
  ...(database && { adapter: await adapterOf(database) }),
  providers: [
    {
      id: "first",
      name: "First",
      type: "oauth",
      authorization: { url: `${provider}/authorize`, params: { scope: "profile" } },
      token: `${provider}/token`,
      userinfo: `${provider}/userinfo`,
      clientId: "client",
      clientSecret: "secret",
      checks: ["pkce", "state"],
      profile: ({ id, name }: { id: string; name: string }) => {
        return { id: `${id} at first`, name, email: `${id}@first.example` };
      },
    },
    credentials({
      credentials: { name: {} },
      authorize: ({ name }: { name: string }) => ({ id: name, name, email: `${name}@password.example` }),
    }),
  ],
};

/** The tables that adapters of next-auth 4 had, as one object over SQLite. */
async function adapterOf(path: string): Promise<unknown> {
  const { DatabaseSync } = await load("node:sqlite");
  const handle = new DatabaseSync(path, { timeout: 5000 });
  const all = (sql: string, ...params: unknown[]) => handle.prepare(sql).all(...params);
  const userOf = (row?: Record<string, unknown>) => {
    return row ? { ...row, emailVerified: row.emailVerified ? new Date(Number(row.emailVerified)) : null } : null;
  };
  const sessionOf = (row?: Record<string, unknown>) => row ? { ...row, expires: new Date(Number(row.expires)) } : null;
  return {
    createUser({ name, email }: Record<string, string>) {
      const sql = "insert into user (id, name, email) values (?, ?, ?) returning *";
      return userOf(all(sql, crypto.randomUUID(), name, email)[0]);
    },
    getUser: (id: string) => userOf(all("select * from user where id = ?", id)[0]),
    getUserByEmail: (email: string) => userOf(all("select * from user where email = ?", email)[0]),
    getUserByAccount({ provider, providerAccountId }: Record<string, string>) {
      const sql =
        "select user.* from user join account on userId = user.id where provider = ? and providerAccountId = ?";
      return userOf(all(sql, provider, providerAccountId)[0]);
    },
    updateUser: ({ id }: { id: string }) => userOf(all("select * from user where id = ?", id)[0]),
    linkAccount({ userId, type, provider, providerAccountId }: Record<string, string>) {
      const sql = "insert into account (userId, type, provider, providerAccountId) values (?, ?, ?, ?)";
      all(sql, userId, type, provider, providerAccountId);
    },
    createSession({ sessionToken, userId, expires }: Record<string, unknown>) {
      const sql = "insert into session (sessionToken, userId, expires) values (?, ?, ?) returning *";
      return sessionOf(all(sql, sessionToken, userId, Number(expires))[0]);
    },
    getSessionAndUser(token: string) {
      const session = sessionOf(all("select * from session where sessionToken = ?", token)[0]) as
        | { userId: string }
        | null;
      return session && { session, user: userOf(all("select * from user where id = ?", session.userId)[0]) };
    },
    updateSession({ sessionToken, expires }: Record<string, unknown>) {
      const sql = "update session set expires = ? where sessionToken = ? returning *";
      return sessionOf(all(sql, Number(expires), sessionToken)[0]);
    },
    deleteSession: (token: string) => void all("delete from session where sessionToken = ?", token),
  };
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly options: { readonly expires?: Date | string; readonly maxAge?: number };
}

function write({ name, value, options: { expires, maxAge } }: Cookie): string {
  const end = expires ? `; Expires=${new Date(expires).toUTCString()}` : "";
  return `${name}=${encodeURIComponent(value)}; Path=/; HttpOnly; SameSite=Lax${end}` +
    (maxAge === undefined ? "" : `; Max-Age=${maxAge}`);
}

const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, async (request) => {
  const url = new URL(request.headers.get("x-url") ?? request.url);
  const [action, providerId] = url.pathname.split("/").slice(3);
  const req = {
    action,
    providerId,
    method: request.method,
    headers: Object.fromEntries(request.headers),
    body: Object.fromEntries(new URLSearchParams(await request.text())),
    cookies: parse(request.headers.get("cookie") ?? ""),
    query: Object.fromEntries(url.searchParams),
  };
  const { status = 200, headers = [], cookies = [], redirect, body } = await AuthHandler({ req, options });
  const response = new Headers(headers.map(({ key, value }: { key: string; value: string }) => [key, value]));
  for (const cookie of cookies) response.append("set-cookie", write(cookie));
  if (redirect) response.set("location", redirect);
  const text = typeof body === "string" ? body : JSON.stringify(body ?? null);
  return new Response(redirect ? null : text, { status: redirect ? 302 : status, headers: response });
});
// deno-lint-ignore no-console -- the test waits for it
console.log(`listens on ${server.addr.port}`);
