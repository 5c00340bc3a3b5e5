import { test } from "node:test";
import assert from "node:assert/strict";
import { type AuthConfig, createAuth, type EmailProvider } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";
import { Browser, type Site } from "../_support/browser.ts";
import { mailbox } from "../_support/mailbox.ts";
import { ADA, password, testConfig } from "../_support/service.ts";

const GUESS = { username: "ada", password: "a secret guess" };

const IDP = {
  id: "idp",
  name: "The Provider",
  type: "oauth",
  clientId: "c",
  clientSecret: "s",
  authorization: "https://idp.test/authorize",
  token: "https://idp.test/token",
  userinfo: "https://idp.test/userinfo",
} as const;

/** A provider where everybody gives up in this way. */
function refusing(error: string): Site {
  return (request) => {
    const { searchParams } = new URL(request.url);
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    back.search = String(new URLSearchParams({ error, state: searchParams.get("state") ?? "" }));
    return Promise.resolve(new Response(null, { status: 302, headers: { location: back.href } }));
  };
}

function open(config: AuthConfig = {}, error = "access_denied"): Browser {
  const { handler } = createAuth(testConfig({ providers: [IDP, password()], ...config }));
  return new Browser(handler).allow("https://idp.test", refusing(error));
}

/** What stands in an element with this start. */
function alertOf({ html }: Browser): string {
  return /role="alert".*?<p>(.*?)<\/p>/.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, "") ?? "";
}

function inputOf({ html }: Browser, name: string): string {
  return new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(html)?.[0] ?? "";
}

function formOf({ html }: Browser, action: string): string {
  return html.split("<form").find((part) => part.includes(`/${action}"`)) ?? "";
}

test("a wrong password: the error stands at the form, the name is kept, and the password is asked for", async () => {
  const browser = await open().signIn("credentials", GUESS);
  assert.equal(browser.url.search, "?error=CredentialsSignin&code=credentials");
  assert.match(formOf(browser, "callback/credentials"), /role="alert" id="error-for-credentials-provider"/);
  assert.match(inputOf(browser, "username"), / value="ada"/);
  assert.match(inputOf(browser, "username"), /aria-describedby="error-for-credentials-provider"/);
  assert.match(inputOf(browser, "password"), / autofocus/);
  assert.doesNotMatch(inputOf(browser, "username"), / autofocus/);
  assert.doesNotMatch(browser.html, /a secret guess/);
});

test("what was typed is shown once, and never without its error", async () => {
  const browser = await open().signIn("credentials", GUESS);
  assert.deepEqual(browser.cookies.names("authjs.failure"), []);
  await browser.open(browser.url.href);
  assert.doesNotMatch(inputOf(browser, "username"), / value=/);
  assert.match(formOf(browser, "callback/credentials"), /role="alert"/, "the error is in the address");
  const other = open();
  await other.follow(await other.post("/auth/callback/credentials", { ...GUESS, csrfToken: await other.csrf() }));
  const again = open();
  await again.post("/auth/callback/credentials", { ...GUESS, csrfToken: await again.csrf() });
  await again.open("/auth/signin");
  assert.doesNotMatch(again.html, /role="alert"| value="ada"/);
});

test("the cookie that remembers holds nothing that can be read, and nothing that somebody else wrote", async () => {
  const browser = open();
  const answer = await browser.post("/auth/callback/credentials", { ...GUESS, csrfToken: await browser.csrf() });
  const [line = ""] = answer.headers.getSetCookie().filter((line) => line.startsWith("authjs.failure="));
  assert.match(line, /HttpOnly/i);
  assert.match(line, /Max-Age=300/i);
  assert.doesNotMatch(atob(line.replace(/^[^=]*=|;.*$|[^\w]/g, "").slice(0, 4 * 40)), /ada|guess/);
  const { handler } = createAuth(testConfig({ providers: [IDP, password()] }));
  for (const value of ["x", "eyJ9", encodeURIComponent(JSON.stringify({ values: { username: "mallory" } }))]) {
    const headers = { cookie: `authjs.failure=${value}` };
    const response = await handler(
      new Request("http://localhost:3000/auth/signin?error=CredentialsSignin", { headers }),
    );
    assert.equal(response.status, 200);
    assert.doesNotMatch(await response.text(), /mallory/);
    assert.match(response.headers.get("set-cookie") ?? "", /authjs\.failure=;.*Max-Age=0/);
  }
});

for (
  const field of [
    { type: "password" },
    { type: "text", label: "Passphrase" },
    { autoComplete: "one-time-code" },
    { type: "hidden" },
    { type: "checkbox" },
  ]
) {
  test(`what may be secret is not kept: a field with ${JSON.stringify(field)}`, async () => {
    const form = password({ credentials: { username: {}, word: field } });
    const browser = open({ providers: [form] });
    await browser.open("/auth/signin");
    await browser.submit({ username: "ada", word: "told-nobody" });
    assert.match(inputOf(browser, "username"), / value="ada"/);
    assert.doesNotMatch(browser.html, /told-nobody/);
  });
}

for (const name of ["pin", "passcode", "otp", "secretAnswer", "api_key", "cvc"]) {
  test(`what may be secret is not kept: a field that is called ${name}`, async () => {
    const browser = open({ providers: [password({ credentials: { username: {}, [name]: {} } })] });
    await browser.open("/auth/signin");
    await browser.submit({ username: "ada", [name]: "told-nobody" });
    assert.doesNotMatch(browser.html, /told-nobody/);
  });
}

test("text that is too long is not kept", async () => {
  const browser = await open().signIn("credentials", { ...GUESS, username: "a".repeat(257) });
  assert.match(alertOf(browser), /details/);
  assert.doesNotMatch(inputOf(browser, "username"), / value=/);
});

test("scripts and applications with a page of their own get no such cookie", async () => {
  const browser = open({ pages: { signIn: "/login" } });
  const fields = { ...GUESS, csrfToken: await browser.csrf() };
  const lines = [
    await browser.post("/auth/callback/credentials", fields),
    await open().post("/auth/callback/credentials", fields, { headers: { "x-auth-return-redirect": "1" } }),
  ].flatMap(({ headers }) => headers.getSetCookie());
  assert.ok(lines.every((line) => !line.startsWith("authjs.failure")));
});

test("an email that cannot be sent: the error stands at its form, and the address is kept", async () => {
  const broken: EmailProvider = {
    id: "email",
    name: "Email",
    type: "email",
    sendVerificationRequest: () => Promise.reject(new Error("no")),
  };
  const browser = open({ providers: [IDP, broken], adapter: memoryAdapter() });
  await browser.signIn("email", { email: "ada@example.com" });
  assert.match(formOf(browser, "signin/email"), /role="alert"/);
  assert.match(inputOf(browser, "email"), / value="ada@example.com"/);
  assert.match(inputOf(browser, "email"), / autofocus/);
  assert.match(inputOf(browser, "email"), /aria-describedby="error-for-email-provider hint-for-/);
});

for (const error of ["access_denied", "user_cancelled_login"]) {
  test(`who cancels at the provider is told so: ${error}`, async () => {
    const browser = await open({}, error).signIn("idp");
    assert.equal(browser.url.search, "?error=OAuthCallbackError");
    assert.equal(
      alertOf(browser),
      "You cancelled signing in with The Provider. Try again, or choose another way.",
    );
    assert.doesNotMatch(browser.html, /<form[^>]*>(?:(?!<\/form>).)*role="alert"/s, "it stands at the top");
  });
}

test("another error of the provider has the general text", async () => {
  assert.match(alertOf(await open({}, "server_error").signIn("idp")), /different account/);
});

test("the way that was used last is marked, among several and known ones", async () => {
  const browser = await open().signIn("credentials", ADA);
  assert.equal((await browser.session())?.user?.name, "Ada Lovelace");
  await browser.signOut();
  await browser.open("/auth/signin");
  assert.match(formOf(browser, "callback/credentials"), /Last used/);
  assert.equal(browser.html.match(/Last used/g)?.length, 1);
  const alone = await open({ providers: [password()] }).signIn("credentials", ADA);
  assert.deepEqual(alone.cookies.names("authjs.last-provider"), []);
  for (const id of ["unknown", "__proto__", "%3Cscript%3E", "toString"]) {
    const { handler } = createAuth(testConfig({ providers: [IDP, password()] }));
    const headers = { cookie: `authjs.last-provider=${id}` };
    const html = await (await handler(new Request("http://localhost:3000/auth/signin", { headers }))).text();
    assert.doesNotMatch(html, /Last used/, id);
  }
});

test("signing out has a way back, and asks nobody who is not signed in", async () => {
  const browser = await open().signIn("credentials", ADA);
  await browser.open("/auth/signout?callbackUrl=/cart");
  assert.match(browser.html, /<h1>Sign out of <bdi>localhost:3000<\/bdi><\/h1>/);
  assert.match(browser.html, /href="http:\/\/localhost:3000\/cart"[^>]*><span class="name">Cancel</);
  await browser.submit({}, "/signout");
  assert.equal(await browser.session(), null);
  await browser.open("/auth/signout");
  assert.equal(browser.status, 200);
  assert.match(browser.html, /<h1>You are signed out<\/h1>/);
  assert.doesNotMatch(browser.html, /<form/);
  assert.match(browser.html, /href="http:\/\/localhost:3000\/auth\/signin"/);
});

test("who is asked again is told why, and nothing failed", async () => {
  const browser = open();
  await browser.open("/auth/signin?error=SessionRequired");
  assert.match(browser.html, /<title>Error: Sign in to localhost:3000<\/title>/);
  assert.match(alertOf(browser), /sign in to see this page/);
  await browser.signIn("credentials", ADA);
  await browser.open("/auth/signin?error=SessionRequired");
  assert.match(browser.html, /<title>Confirm it’s you<\/title>/);
  assert.equal(alertOf(browser), "");
});

test("who is signed in can add a passkey at the address of the provider, and others sign in there", async () => {
  const email = mailbox();
  const providers = [passkey({ registration: "signed-in" }), email.provider];
  const browser = open({ adapter: memoryAdapter(), providers });
  await browser.open("/auth/signin/passkey");
  assert.match(browser.html, /<h1>Sign in to/);
  assert.doesNotMatch(browser.html, /Create a passkey/, "registration is switched off");
  await browser.signIn("email", { email: "ada@example.com" });
  await browser.open(email.link().href);
  await browser.open("/auth/signin/passkey");
  assert.match(browser.html, /<title>Add a passkey<\/title>/);
  assert.match(browser.html, /<button type="button" class="button primary"><span class="name">Create a passkey</);
  assert.doesNotMatch(browser.html, /name="email"|type="submit"/);
});

test("one field serves passkeys and links, and passwords stand below", async () => {
  const providers = [password(), passkey(), mailbox().provider];
  const browser = await open({ adapter: memoryAdapter(), providers, session: { strategy: "jwt" } }).open(
    "/auth/signin",
  );
  assert.equal(browser.html.match(/name="email"/g)?.length, 1);
  assert.match(inputOf(browser, "email"), /autocomplete="username webauthn"/);
  assert.equal(browser.html.match(/class="button primary/g)?.length, 1);
  assert.match(formOf(browser, "signin/email"), /primary[^>]*>.*Continue/s);
  const id = /id="([^"]*)"/.exec(inputOf(browser, "email"))?.[1];
  assert.match(browser.html, new RegExp(`<fieldset[^>]*data-shared="${id}"`));
  const places = ["signin/email", "callback/passkey", "callback/credentials"].map((at) => browser.html.indexOf(at));
  assert.deepEqual(places, places.toSorted((one, other) => one - other));
});

test("the name of the site is that of the theme, or its host", async () => {
  assert.match((await open().open("/auth/signin")).html, /<title>Sign in to localhost:3000</);
  assert.match((await open({ theme: { name: "Acme" } }).open("/auth/signin")).html, /<title>Sign in to Acme</);
  assert.match((await open({ theme: { name: "" } }).open("/auth/signin")).html, /<title>Sign in to localhost:3000</);
});

test("`pages.texts` replaces texts, those of a language before those of all", async () => {
  const texts = { "*": { signInTitle: "Hello", or: "or else" }, en: { signInTitle: "Welcome to {name}" } };
  const { html } = await open({ pages: { texts }, theme: { name: "Acme" } }).open("/auth/signin");
  assert.match(html, /<h1>Welcome to <bdi>Acme<\/bdi><\/h1>/);
  assert.match(html, /data-text="or else"/);
});

test("a page is in the language of the address, of the theme, or of the browser, in this order", async () => {
  const lang = (html: string): string | undefined =>
    /<html lang="([^"]*)" dir="([^"]*)"/.exec(html)?.slice(1).join(" ");
  const accepted = { headers: { "accept-language": "da, fr-CH;q=0.8, en;q=0.5" } };
  assert.equal(lang((await open().open("/auth/signin")).html), "en ltr");
  assert.equal(lang((await open().open("/auth/signin", accepted)).html), "fr ltr");
  const german = { theme: { language: "de-AT" } };
  assert.equal(lang((await open(german).open("/auth/signin", accepted)).html), "de ltr");
  assert.equal(lang((await open(german).open("/auth/signin?lang=ar", accepted)).html), "ar rtl");
  assert.equal(lang((await open(german).open("/auth/signin?lang=xx", accepted)).html), "de ltr");
  assert.equal(lang((await open().open("/auth/error?error=AccessDenied&lang=he")).html), "he rtl");
});

test("the language of the address is kept for the pages that follow", async () => {
  const browser = open({ providers: [IDP, password()] });
  await browser.open("/auth/signin?lang=de");
  await browser.submit(GUESS, "/credentials");
  assert.match(browser.html, /<html lang="de"/);
  assert.match(formOf(browser, "callback/credentials"), /role="alert"/);
  await browser.open("/auth/signin?lang=nl");
  await browser.open("/auth/verify-request");
  assert.match(browser.html, /<html lang="nl"/);
});

test("options that are no texts do no harm", async () => {
  const theme = { name: 5, language: 7, buttons: "loud" };
  for (const texts of [3, null, "de", ["x"], { de: 3 }, { "*": { signInTitle: 5 } }]) {
    const browser = await open({ theme, pages: { texts } } as unknown as AuthConfig).open("/auth/signin");
    assert.equal(browser.status, 200);
    assert.match(browser.html, /<h1>Sign in to <bdi>localhost:3000</);
  }
});

test("names of fields that are secret are known in the languages of the pages", async () => {
  for (
    const name of ["mfa", "2fa", "recovery", "Kennwort", "contraseña", "senha", "hasło", "şifre", "пароль", "密码"]
  ) {
    const credentials = { username: {}, [name]: { type: "text" } };
    const provider = password({ credentials, authorize: () => null });
    const browser = await open({ providers: [provider] }).signIn("credentials", { ...GUESS, [name]: "canary" });
    assert.match(inputOf(browser, "username"), / value="ada"/);
    assert.doesNotMatch(browser.html, /canary/, name);
  }
});

test("texts that are too long for a cookie are not kept, and the error stands at the form all the same", async () => {
  const names = ["a", "b", "c", "d"];
  const credentials = Object.fromEntries(names.map((name) => [name, {}]));
  const browser = open({ providers: [password({ credentials, authorize: () => null })] });
  const typed = Object.fromEntries(names.map((name) => [name, "漢".repeat(256)]));
  const answer = await browser.post("/auth/callback/credentials", { ...typed, csrfToken: await browser.csrf() });
  for (const line of answer.headers.getSetCookie()) assert.ok(line.length <= 4096, String(line.length));
  await browser.follow(answer);
  assert.match(formOf(browser, "callback/credentials"), /role="alert" id="error-for-credentials-provider"/);
  assert.doesNotMatch(browser.html, /漢/);
});
