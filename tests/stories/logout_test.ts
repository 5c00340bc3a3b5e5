import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { type Auth, type AuthConfig, createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { nodeListener } from "@x/auth/node";
import { Browser } from "../_support/browser.ts";
import { logIn } from "../_support/identity_provider.ts";
import { type LogoutProvider, startLogoutProvider } from "../_support/logout_provider.ts";
import { recordLog, testConfig } from "../_support/service.ts";

let idp: LogoutProvider;
let server: Server;
let site: string;
/** The service that the provider reaches over the network. */
let service: Auth;

before(async () => {
  server = createServer(nodeListener((request) => service.handler(request)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  idp = await startLogoutProvider(site);
});

after(async () => {
  await idp.close();
  server.closeAllConnections();
  await new Promise<void>((resolve) => void server.close(() => resolve()));
});

function open(config: AuthConfig): { readonly visitor: () => Browser; readonly errors: readonly Error[] } {
  const { logger, errors } = recordLog();
  service = createAuth(testConfig({ providers: [idp.provider()], logger, ...config }));
  return { visitor: () => new Browser(service.handler, { origin: site }).allow(idp.issuer), errors };
}

const WAYS: Readonly<Record<string, () => AuthConfig>> = {
  "a stored session": () => ({ adapter: memoryAdapter() }),
  "a sealed session that storage knows": () => ({ adapter: memoryAdapter(), session: { strategy: "jwt" } }),
  "a sealed session": () => ({ session: { strategy: "jwt" } }),
};

for (const [way, config] of Object.entries(WAYS)) {
  test(`the sign-out of ${way} ends the session at a real provider, too, and comes back`, async () => {
    const { visitor, errors } = open(config());
    const browser = visitor();
    await logIn(await browser.signIn("mock"));
    assert.equal((await browser.session())?.user?.name, "ada");
    await browser.open("/auth/signout?callbackUrl=/bye");
    await browser.submit({}, "/signout");
    assert.equal(browser.url.origin, idp.issuer);
    assert.match(browser.html, /logout/i);
    assert.equal(await browser.session(), null, "here it has ended before");
    await browser.submit({ logout: "yes" }, "");
    assert.equal(browser.url.href, `${site}/bye`);
    assert.deepEqual(browser.cookies.names("authjs.state"), []);
    // Whoever signs in again has to log in again.
    await browser.signIn("mock");
    assert.match(browser.html, /name="login"/);
    // The provider posts a logout token besides, which nothing but storage could make use of.
    const expected = way === "a sealed session" ? [/without an `adapter`/] : [];
    assert.equal(errors.length, expected.length);
    for (const [at, message] of expected.entries()) assert.match(errors[at]?.message ?? "", message);
  });
}

for (const [way, config] of Object.entries(WAYS)) {
  if (way === "a sealed session") continue;
  test(`a logout at a real provider ends ${way} that began with it, without the browser`, async () => {
    const { visitor, errors } = open(config());
    const [browser, elsewhere] = [visitor(), visitor()];
    await logIn(await browser.signIn("mock"));
    await logIn(await elsewhere.signIn("mock"));
    idp.posted.splice(0);
    // The person logs out at the provider itself, as another site would make them.
    await browser.open(`${idp.issuer}/session/end`);
    await browser.submit({ logout: "yes" }, "");
    assert.deepEqual(idp.posted, ["success"]);
    assert.equal(await browser.session(), null);
    assert.equal((await elsewhere.session())?.user?.name, "ada", "another session at the provider");
    assert.deepEqual(errors, []);
  });
}
