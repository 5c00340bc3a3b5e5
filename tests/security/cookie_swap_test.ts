import assert from "node:assert/strict";
import { before, test } from "node:test";
import { type Callbacks, createAuth } from "@x/auth";
import { encode } from "@x/auth/jwt";
import type { Site } from "../_support/browser.ts";
import { readForms } from "../_support/forms.ts";
import { isAtHome, type Made, nameOf, ROLES } from "../_support/oracle_cookies.ts";
import { redirectsOf } from "../_support/oracle_redirects.ts";
import { ADA, password, SECRET, testConfig } from "../_support/service.ts";
import { oauthIdp } from "./_flows.ts";
import { answerOf, ask, type Cookies, countRows, formToken, givesSession, keep, locationOf } from "./_service.ts";

const rows = countRows("cookie swaps");

const ORIGINS = { https: "https://app.test", http: "http://app.test" } as const;
type Scheme = keyof typeof ORIGINS;
const SCHEMES = ["https", "http"] as const;

const idp = oauthIdp({ checks: ["pkce", "state"] });
// One whose answers may come without a state, so that its cookie is looked for.
const loose = oauthIdp({ id: "loose", checks: ["none"] });
const callbacks: Callbacks = {
  jwt: ({ token, user }) => user?.id === "large" ? { ...token, roles: "r".repeat(4000) } : token,
};
const large = password({ id: "large", authorize: () => ({ id: "large", name: "Large" }) });
const { handler } = createAuth(testConfig({ providers: [password(), large, idp.provider, loose.provider], callbacks }));

/** What one browser got of the service in real flows. */
interface Loot {
  readonly made: readonly Made[];
  readonly csrfToken: string;
  /** Where the provider was asked, for a new code each time. */
  readonly location: string;
  /** The same, for the provider whose answers may come without a state. */
  readonly looseLocation: string;
}

const loot = new Map<Scheme, Loot>();

async function gather(scheme: Scheme): Promise<Loot> {
  const origin = ORIGINS[scheme];
  const secure = scheme === "https";
  const { csrfToken, cookies } = await formToken(handler, origin);
  const post = (path: string, fields = {}) => ask(handler, path, { origin, cookies, fields: { ...fields, csrfToken } });
  const started = await post("/auth/signin/idp", { callbackUrl: "/cart" });
  const startedLoose = await post("/auth/signin/loose", { callbackUrl: "/cart" });
  const small = keep(await post("/auth/callback/credentials", ADA));
  const spread = keep(await post("/auth/callback/large"));
  // The values of the first three travel with the flow here; Auth.js puts them into cookies.
  const others = ["pkce.code_verifier", "nonce", "challenge", "pending", "trusted-device"] as const;
  const sealed = await Promise.all(others.map(async (role) => {
    const name = nameOf(role, secure);
    return [name, await encode({ token: { value: "v" }, secret: SECRET, salt: name, maxAge: 900 })] as const;
  }));
  const proxied = await encode({ token: { origin, sub: "1" }, secret: SECRET, salt: "encodedState", maxAge: 900 });
  const found: Cookies = {
    ...cookies,
    ...keep(started),
    ...keep(startedLoose),
    ...small,
    ...spread,
    ...Object.fromEntries(sealed),
  };
  const made = Object.entries(found).map(([name, value]) => ({ name, value, bound: !name.includes("csrf") }));
  return {
    made: [...made, { name: "encodedState", value: proxied, bound: true }],
    csrfToken,
    location: locationOf(started),
    looseLocation: locationOf(startedLoose),
  };
}

before(async () => {
  for (const scheme of SCHEMES) loot.set(scheme, await gather(scheme));
});

function lootOf(scheme: Scheme): Loot {
  const found = loot.get(scheme);
  assert.ok(found);
  return found;
}

/** Every name there is: of both schemes, with chunks and slots. */
function names(): string[] {
  const slots = SCHEMES.flatMap((scheme) =>
    lootOf(scheme).made.map(({ name }) => name.split("state.")[1] ?? []).flat()
  );
  return [true, false].flatMap((secure) => [
    ...ROLES.map((role) => nameOf(role, secure)),
    ...[0, 1, 4].map((at) => `${nameOf("session-token", secure)}.${at}`),
    ...["0", "AAAAAAAAAA", ...slots].map((slot) => `${nameOf("state", secure)}.${slot}`),
  ]);
}

/** Whether a value belongs to the flow that somebody was sent to a provider with. */
function isFlow({ name }: Made, location: string): boolean {
  const state = new URL(location).searchParams.get("state") ?? "";
  return name.includes(".state.") && state.endsWith(name.split(".state.")[1] ?? "?");
}

/** What the service does for a browser with some cookies, place by place. */
async function effectsOf(site: Site, scheme: Scheme, cookies: Cookies, from: Loot) {
  const origin = ORIGINS[scheme];
  const session = await ask(site, "/auth/session", { origin, cookies });
  const page = await ask(site, "/auth/signin", { origin, cookies });
  const { csrfToken } = await (await ask(site, "/auth/csrf", { origin, cookies })).json();
  const fields = { ...ADA, csrfToken: from.csrfToken };
  const signedIn = await ask(site, "/auth/callback/credentials", { origin, cookies, fields });
  const [, query] = (await answerOf(idp.issuer, from.location)).split("?");
  const finished = await ask(site, `/auth/callback/idp?${query}`, { origin, cookies });
  const [, answer = ""] = (await answerOf(loose.issuer, from.looseLocation)).split("?");
  const withoutState = answer.replace(/&state=[^&]*/, "");
  const finishedLoose = await ask(site, `/auth/callback/loose?${withoutState}`, { origin, cookies });
  return {
    session: (await session.json())?.user?.name ?? null,
    target: readForms(await page.text())[0]?.fields.callbackUrl,
    keepsToken: csrfToken === from.csrfToken,
    acceptsForm: givesSession(signedIn),
    finishesFlow: givesSession(finished),
    finishesLooseFlow: givesSession(finishedLoose),
  };
}

for (const scheme of SCHEMES) {
  for (const source of SCHEMES) {
    test(`over ${scheme} a value made over ${source} counts under its own name and no other`, async () => {
      const origin = ORIGINS[scheme];
      const secure = scheme === "https";
      const from = lootOf(source);
      const wrong: unknown[] = [];
      for (const made of from.made) {
        for (const name of names()) {
          const effects = await effectsOf(handler, scheme, { [name]: made.value }, from);
          const home = isAtHome(made, name, secure);
          const isTarget = name === nameOf("callback-url", secure);
          // A chunk alone is no session.
          const whole = made.name === nameOf("session-token", secure);
          const expected = {
            session: home && whole ? "Ada Lovelace" : null,
            target: isTarget ? redirectsOf(decodeURIComponent(made.value), { origin })[0] : `${origin}/`,
            keepsToken: home && made.name.includes("csrf-token"),
            acceptsForm: home && made.name.includes("csrf-token"),
            finishesFlow: home && isFlow(made, from.location),
            finishesLooseFlow: home && isFlow(made, from.looseLocation),
          };
          rows(Object.keys(effects).length);
          const long = (effects.target ?? "") === `${origin}/` && (expected.target ?? "").length > 1024;
          if (long) expected.target = `${origin}/`;
          try {
            assert.deepEqual(effects, expected);
          } catch {
            wrong.push({ made: made.name, under: name, effects, expected });
          }
        }
      }
      assert.deepEqual(wrong.slice(0, 3), [], `${wrong.length}`);
    });
  }
}
