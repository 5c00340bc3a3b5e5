/** A service of Better Auth. Runs where its packages are installed, not in this project. */

// Named by a variable, because this project does not have the packages.
const load = (name: string) => import(name);

const { betterAuth } = await load("better-auth");
const { getMigrations } = await load("better-auth/db/migration");
const { genericOAuth } = await load("better-auth/plugins");
const { passkey } = await load("@better-auth/passkey");

const { database, secret, provider } = JSON.parse(Deno.env.get("SETTINGS") ?? "{}");

async function open(): Promise<unknown> {
  if (database.startsWith("postgres:")) return new (await load("pg")).default.Pool({ connectionString: database });
  return new (await load("node:sqlite")).DatabaseSync(database, { timeout: 5000 });
}

const options = {
  database: await open(),
  secret,
  baseURL: "http://localhost:3000",
  basePath: "/api/auth",
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  session: { cookieCache: { enabled: true } },
  plugins: [
    passkey({ rpID: "localhost", origin: "http://localhost:3000" }),
    genericOAuth({
      config: [{
        providerId: "first",
        clientId: "client",
        clientSecret: "secret",
        authorizationUrl: `${provider}/authorize`,
        tokenUrl: `${provider}/token`,
        userInfoUrl: `${provider}/userinfo`,
        pkce: true,
        accountSubject: ({ profile }: { profile: { id: string } }) => `${profile.id} at first`,
        mapProfileToUser: ({ id, name }: { id: string; name: string }) => ({ name, email: `${id}@first.example` }),
      }],
    }),
  ],
};

await (await getMigrations(options)).runMigrations();
const { handler } = betterAuth(options);

const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (request) => {
  return handler(new Request(request.headers.get("x-url") ?? request.url, request));
});
// deno-lint-ignore no-console -- the test waits for it
console.log(`listens on ${server.addr.port}`);
