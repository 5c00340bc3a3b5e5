import assert from "node:assert/strict";
import { test } from "node:test";
import { type AuthConfig, createAuth } from "@x/auth";
import { oauthIdp } from "./_flows.ts";
import { readSetCookie } from "../_support/cookie_jar.ts";
import { readForms } from "../_support/forms.ts";
import { isPlainUrl, redirectsOf, staysOn } from "../_support/oracle_redirects.ts";
import { ADA, testConfig } from "../_support/service.ts";
import { SEEDS, TRANSFORMS } from "../unit/http/_redirect_corpus.ts";
import { answerOf, ask, type Cookies, countRows, formToken, keep, locationOf, ORIGIN } from "./_service.ts";

const rows = countRows("redirect corpus");

/** Every seed in every writing, each text once. */
const TEXTS = textsOf(Object.keys(TRANSFORMS));

/** Those without white space around them, for places that take long or that differ little from another. */
const CORE = textsOf(Object.keys(TRANSFORMS).filter((name) => !name.includes("white space")));

function textsOf(writings: readonly string[]): readonly string[] {
  return [...new Set(SEEDS.flatMap((seed) => writings.flatMap((name) => TRANSFORMS[name]?.(seed) ?? [])))];
}

const COOKIE = "__Secure-authjs.callback-url";

/** Leads a text through one place that takes one, and gives where a browser would end. */
type Sink = (text: string) => Promise<string>;

interface Rules {
  /** @default all of them */
  readonly texts?: readonly string[];
  /** What of a text arrives there. @default the text */
  readonly sent?: (text: string) => string;
  readonly ownSite?: boolean;
  readonly ownActions?: boolean;
  /** What becomes of an empty text, where that is not the front page. */
  readonly empty?: string;
}

function table(name: string, open: () => Promise<Sink>, rules: Rules = {}): void {
  const { texts = TEXTS, sent = (text) => text } = rules;
  test(`no text leads off the site: ${name}`, async () => {
    const sink = await open();
    const wrong: string[] = [];
    for (const text of texts.map(sent)) {
      const ends = await sink(text);
      // Forms, queries and cookies are UTF-8, which has no lone surrogates.
      const allowed = text === "" && rules.empty ? [rules.empty] : redirectsOf(text, { origin: ORIGIN, ...rules });
      const stays = rules.ownSite === false ? isPlainUrl(ends) : staysOn(ends, ORIGIN);
      if (!stays || !allowed.includes(ends)) wrong.push(`${JSON.stringify(text)} leads to ${ends}, not ${allowed}`);
      rows();
    }
    assert.deepEqual(wrong.slice(0, 5), [], `${wrong.length} of ${texts.length}`);
  });
}

const form = (text: string) => ({ callbackUrl: text });
const query = (text: string) => `?callbackUrl=${encodeURIComponent(text.toWellFormed())}`;
const cookie = (text: string): Cookies => ({ [COOKIE]: encodeURIComponent(text.toWellFormed()) });

/** A service, and a browser that may send its forms. */
async function service(config: AuthConfig = {}) {
  const auth = createAuth(testConfig(config));
  const { csrfToken, cookies } = await formToken(auth.handler);
  const send = (
    path: string,
    asked: { readonly fields?: Record<string, string>; readonly cookies?: Cookies; readonly headers?: Cookies },
  ) => {
    const fields = { csrfToken, ...asked.fields };
    return ask(auth.handler, path, { ...asked, fields, cookies: { ...cookies, ...asked.cookies } });
  };
  return { auth, send };
}

async function hiddenTarget(response: Response): Promise<string> {
  const targets = readForms(await response.text()).map(({ fields }) => fields.callbackUrl ?? "");
  const [target = "", ...others] = new Set(targets);
  return others.length > 0 ? `several targets: ${targets}` : target;
}

function remembered(response: Response): string {
  const found = response.headers.getSetCookie().map(readSetCookie).find(({ name }) => name === COOKIE);
  return found ? decodeURIComponent(found.value) : `${ORIGIN}/`;
}

table("the form of a sign-in with a password", async () => {
  const { send } = await service();
  return async (text) => locationOf(await send("/auth/callback/credentials", { fields: { ...ADA, ...form(text) } }));
});

table("the query of a sign-in with a password", async () => {
  const { send } = await service();
  return async (text) => locationOf(await send(`/auth/callback/credentials${query(text)}`, { fields: ADA }));
}, { texts: CORE });

table("the cookie at a sign-in with a password", async () => {
  const { send } = await service();
  return async (text) => locationOf(await send("/auth/callback/credentials", { fields: ADA, cookies: cookie(text) }));
});

table("what a script is told of a sign-in", async () => {
  const { send } = await service();
  return async (text) => {
    const headers = { "x-auth-return-redirect": "1" };
    const response = await send("/auth/callback/credentials", { headers, fields: { ...ADA, ...form(text) } });
    const { url } = await response.json();
    assert.equal(url, locationOf(response));
    return url;
  };
}, { texts: CORE });

table("the form of a sign-in at a provider, and what it leaves in the cookie", async () => {
  const idp = oauthIdp();
  const { auth, send } = await service({ providers: [idp.provider] });
  return async (text) => {
    const started = await send("/auth/signin/idp", { fields: form(text) });
    const path = await answerOf(idp.issuer, locationOf(started));
    const ends = locationOf(await ask(auth.handler, path, { cookies: keep(started) }));
    assert.equal(remembered(started), ends);
    return ends;
  };
}, { texts: CORE });

table("the form of a sign-out", async () => {
  const { send } = await service();
  return async (text) => locationOf(await send("/auth/signout", { fields: form(text) }));
});

table("the query of a sign-out", async () => {
  const { send } = await service();
  return async (text) => locationOf(await send(`/auth/signout${query(text)}`, {}));
});

table("the cookie at a sign-out", async () => {
  const { send } = await service();
  return async (text) => locationOf(await send("/auth/signout", { cookies: cookie(text) }));
});

table("the query of the sign-in page", async () => {
  const { auth } = await service();
  return async (text) => await hiddenTarget(await ask(auth.handler, `/auth/signin${query(text)}`));
});

table("the cookie at the sign-in page", async () => {
  const { auth } = await service();
  return async (text) => await hiddenTarget(await ask(auth.handler, "/auth/signin", { cookies: cookie(text) }));
});

table("the query of the sign-out page", async () => {
  const { auth, send } = await service();
  const cookies = keep(await send("/auth/callback/credentials", { fields: ADA }));
  return async (text) => await hiddenTarget(await ask(auth.handler, `/auth/signout${query(text)}`, { cookies }));
});

table("the form that leads to the sign-in page, and what it leaves in the cookie", async () => {
  const { send } = await service();
  return async (text) => remembered(await send("/auth/signin", { fields: form(text) }));
});

table("the query of a sign-in page of the application's own", async () => {
  const { auth } = await service({ pages: { signIn: "/login?from=auth" } });
  return async (text) => {
    const location = locationOf(await ask(auth.handler, `/auth/signin${query(text)}`));
    assert.ok(location.startsWith(`${ORIGIN}/login?from=auth&callbackUrl=`), location);
    return new URL(location).searchParams.get("callbackUrl") ?? "";
  };
});

const page = () => new Request(`${ORIGIN}/page`);

table("signIn() with redirectTo", async () => {
  const { auth } = await service();
  const options = { ...ADA, redirect: false } as const;
  return async (text) => (await auth.signIn(page(), "credentials", { ...options, redirectTo: text })).value;
});

table("signIn() with a form that has a callbackUrl", async () => {
  const { auth } = await service();
  return async (text) => {
    const fields = new FormData();
    for (const [name, value] of Object.entries({ ...ADA, ...form(text) })) fields.set(name, value);
    return locationOf(await auth.signIn(page(), "credentials", fields));
  };
});

table("signIn() without a provider", async () => {
  const { auth } = await service();
  return async (text) => {
    const { value } = await auth.signIn(page(), undefined, { redirect: false, redirectTo: text });
    assert.ok(value.startsWith(`${ORIGIN}/auth/signin?callbackUrl=`), value);
    return new URL(value).searchParams.get("callbackUrl") ?? "";
  };
});

table("signOut() with redirectTo", async () => {
  const { auth } = await service();
  return async (text) => (await auth.signOut(page(), { redirect: false, redirectTo: text })).value;
});

table("the Referer of a form that signOut() answers", async () => {
  const { auth } = await service();
  return async (referer) => {
    // Of browsers that send no Origin, a foreign Referer is refused before it could lead anywhere.
    const request = new Request(`${ORIGIN}/act`, { method: "POST", headers: { referer, origin: ORIGIN } });
    return (await auth.signOut(request, { redirect: false })).value;
  };
  // What no header can hold is encoded, as browsers do.
}, { sent: (text) => /^[!-~]+$/.test(text) ? text : encodeURI(text.toWellFormed()) });

table("a text that callbacks.signIn answers", async () => {
  let answer = "";
  const { send } = await service({ callbacks: { signIn: () => answer } });
  return async (text) => {
    answer = text;
    return locationOf(await send("/auth/callback/credentials", { fields: ADA }));
  };
}, { ownActions: true, empty: `${ORIGIN}/auth/error?error=AccessDenied` });

table("a text that callbacks.redirect answers, which may name a site the developer knows", async () => {
  let answer = "";
  const { send } = await service({ callbacks: { redirect: () => answer } });
  return async (text) => {
    answer = text;
    return locationOf(await send("/auth/callback/credentials", { fields: { ...ADA, callbackUrl: "/" } }));
  };
}, { ownSite: false });
