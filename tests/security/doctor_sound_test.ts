import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { Auth as otherAuth, type AuthConfig as OtherConfig } from "@auth/core";
import OtherCredentials from "@auth/core/providers/credentials";
import OtherGitHub from "@auth/core/providers/github";
import { type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { examine } from "@x/auth/cli";
import { doctor } from "@x/auth/doctor";
import { consoleEmail } from "@x/auth/providers/console-email";
import { discord } from "@x/auth/providers/discord";
import { facebook } from "@x/auth/providers/facebook";
import { github } from "@x/auth/providers/github";
import { linear } from "@x/auth/providers/linear";
import { notion } from "@x/auth/providers/notion";
import { passkey } from "@x/auth/providers/passkey";
import { reddit } from "@x/auth/providers/reddit";
import { spotify } from "@x/auth/providers/spotify";
import { x } from "@x/auth/providers/x";
import { startDemo } from "../_support/demo.ts";
import { freePort } from "../_support/free_port.ts";
import { startIdentityProvider } from "../_support/identity_provider.ts";
import { password, SECRET, testConfig } from "../_support/service.ts";
import { PROVIDER, SHOP, startDoctorSite } from "../_support/doctor_site.ts";

type Handler = (request: Request) => Response | Promise<Response>;

/** Serves a handler on this machine while a test asks it. */
async function serving<T>(handler: Handler, ask: (port: number) => Promise<T>, port = 0): Promise<T> {
  const server = Deno.serve({ port, hostname: "::", onListen() {} }, handler);
  try {
    return await ask(server.addr.port);
  } finally {
    await server.shutdown();
  }
}

/** The service, and a home page. */
function siteOf(config: AuthConfig, login = ""): Handler {
  const { handler } = createAuth(testConfig(config));
  return (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.includes("/auth/")) return handler(request);
    const page = pathname === "/" ? "home" : pathname === login && login ? "<form></form>" : "";
    return new Response(page, {
      status: page ? 200 : 404,
      headers: {
        "content-type": "text/html",
        "content-security-policy": "default-src 'self'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
      },
    });
  };
}

const CLIENT = { clientId: "shop", clientSecret: "secret" };

const SOUND: Readonly<Record<string, AuthConfig>> = {
  "a password": {},
  "another path": { basePath: "/api/auth" },
  "a path of its own": { basePath: "/app/v1/auth" },
  "stored sessions": { adapter: memoryAdapter(), providers: [consoleEmail()] },
  "sessions in cookies beside storage": { adapter: memoryAdapter(), session: { strategy: "jwt" } },
  "links by email": { adapter: memoryAdapter(), providers: [consoleEmail(), password()] },
  "passkeys": { adapter: memoryAdapter(), providers: [passkey(), consoleEmail()] },
  "a sign-in page of its own": { pages: { signIn: "/login" } },
  "cookies of other names": { cookies: { sessionToken: { name: "sid" }, csrfToken: { name: "csrf" } } },
  "a look": { theme: { name: "Shop", brandColor: "#336699", language: "ar" } },
  "paths that need a session": { protect: ["/members/*"] },
  "the doctor inside": { features: [doctor()] },
  "several providers": {
    providers: [github(CLIENT), discord(CLIENT), facebook(CLIENT), linear(CLIENT), spotify(CLIENT), x(CLIENT)],
  },
  "providers without PKCE": { providers: [notion(CLIENT), reddit(CLIENT)] },
};

describe("examine() finds nothing", () => {
  for (const [what, config] of Object.entries(SOUND)) {
    test(`where a service has ${what}`, async () => {
      await serving(siteOf(config, config.pages?.signIn ?? ""), async (port) => {
        const path = config.basePath === "/app/v1/auth" ? config.basePath : "";
        const { findings, basePath } = await examine(`http://localhost:${port}${path}`, { providers: false });
        assert.deepEqual(findings, []);
        assert.equal(basePath, config.basePath ?? "/auth");
      });
    });

    test(`where a service by https has ${what}`, async () => {
      const site = await startDoctorSite({
        config,
        answer: (answer, { path }) => {
          if (!path.startsWith("/login")) return answer;
          answer.status = 200;
          answer.headers.push(["content-security-policy", "default-src 'self'; frame-ancestors 'none'"], [
            "x-content-type-options",
            "nosniff",
          ]);
        },
      });
      try {
        if (config.basePath === "/app/v1/auth") return;
        const options = { providers: !/providers/.test(what) };
        assert.deepEqual((await site.doctor(SHOP, options)).findings, []);
      } finally {
        await site.close();
      }
    });
  }

  test("where a provider posts its answer", async () => {
    const authorization = { url: PROVIDER.authorization, params: { response_mode: "form_post" } };
    const site = await startDoctorSite({ config: { providers: [{ ...PROVIDER, authorization }] } });
    const { findings } = await site.doctor();
    await site.close();
    assert.deepEqual(findings, []);
  });

  test("where a real OpenID Provider knows the callback URL, and names it where it does not", async () => {
    const port = await freePort();
    const idp = await startIdentityProvider({ sites: [`http://localhost:${port}`] });
    try {
      const site = siteOf({ providers: [idp.provider()] });
      const ask = () => examine(`http://localhost:${port}`);
      const { findings, callbacks } = await serving(site, ask, port);
      assert.deepEqual(findings, []);
      assert.deepEqual(callbacks, [{ provider: "mock", url: `http://localhost:${port}/auth/callback/mock` }]);

      const wrong: readonly [string, AuthConfig][] = [
        ["redirect-uri-refused", { providers: [idp.provider({ id: "other" })] }],
        ["client-refused", { providers: [idp.provider({ clientId: "nobody" })] }],
      ];
      for (const [id, config] of wrong) {
        const report = await serving(siteOf(config), ask, port);
        assert.deepEqual(report.findings.map(({ id }) => id), [id]);
      }
    } finally {
      await idp.close();
    }
  });

  test("in the demo, as it is started", async () => {
    const { site, close } = await startDemo();
    try {
      const { findings, callbacks } = await examine(site);
      assert.deepEqual(findings, []);
      assert.deepEqual(callbacks, [{ provider: "demo-id", url: `${site}/auth/callback/demo-id` }]);
    } finally {
      await close();
    }
  });

  test("where a configuration is a function, or the site is asked by an address", async () => {
    const { handler } = createAuth(() => testConfig({ providers: [password()] }));
    const site: Handler = (request) => request.url.endsWith("/") ? new Response("home") : handler(request);
    await serving(site, async (port) => {
      for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
        assert.deepEqual((await examine(`http://${host}:${port}`)).findings, [], host);
      }
    });
  });
});

describe("examine() knows Auth.js, and", () => {
  test("says of it what is so: no errors, and the headers and limits that it does not have", async () => {
    const config = {
      secret: SECRET,
      trustHost: true,
      basePath: "/auth",
      logger: { error() {}, warn() {}, debug() {} },
      providers: [OtherGitHub(CLIENT), OtherCredentials({ credentials: { a: {} }, authorize: () => null })],
    } as unknown as OtherConfig;
    const site: Handler = (request) => {
      return new URL(request.url).pathname.startsWith("/auth/") ? otherAuth(request, config) : new Response("home");
    };
    await serving(site, async (port) => {
      const { findings, callbacks } = await examine(`http://localhost:${port}`, { providers: false });
      assert.deepEqual(findings.map(({ level, id }) => `${level} ${id}`), [
        "warning cache-unsaid",
        "warning cache-page",
        "warning csp-missing",
        "warning framing",
        "warning nosniff",
        "note body-unlimited",
      ]);
      assert.deepEqual(callbacks.map(({ url }) => url), [`http://localhost:${port}/auth/callback/github`]);
    });
  });
});
