/** Browsers that go back and forth between this service and a live Auth.js keep their sessions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Auth as otherAuth } from "@auth/core";
import { decode as otherDecode, encode as otherEncode, getToken as otherGetToken } from "@auth/core/jwt";
import OtherCredentials from "@auth/core/providers/credentials";
import { Auth } from "@x/auth";
import { decode, encode, getToken } from "@x/auth/jwt";
import { credentials } from "@x/auth/providers/credentials";
import { CookieJar } from "../_support/cookie_jar.ts";

type Secrets = string | string[];
type Service = (request: Request) => Promise<Response>;

const ADA = { id: "42", name: "Ada", email: "ada@app.test", image: "https://app.test/ada.png" };
const NEW = "the new secret of 32 characters or more";
const OLD = "the old secret of 32 characters or more";

const silent = { error: () => {}, warn: () => {}, debug: () => {} };

/** What a session holds besides the person, so that it fills this many characters. */
function claimsOf(characters: number) {
  return characters > 0 ? { text: "x".repeat(characters) } : {};
}

function here(secret: Secrets, characters = 0): Service {
  const config = {
    secret,
    trustHost: true,
    logger: silent,
    providers: [credentials({ authorize: () => ADA })],
    callbacks: { jwt: ({ token }: { token: object }) => ({ ...token, ...claimsOf(characters) }) },
  };
  return (request) => Auth(request, config);
}

function there(secret: Secrets, characters = 0): Service {
  return (request) =>
    otherAuth(request, {
      secret,
      trustHost: true,
      basePath: "/auth",
      logger: silent,
      providers: [OtherCredentials({ authorize: () => ADA })],
      callbacks: { jwt: ({ token }) => ({ ...token, ...claimsOf(characters) }) },
    });
}

/** A browser at one origin, whichever service answers there. */
class Visitor {
  readonly cookies = new CookieJar();
  readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  request(path: string, init: RequestInit = {}): Request {
    const url = new URL(path, this.origin);
    const headers = new Headers(init.headers);
    const cookie = this.cookies.headerFor(url, { sameSite: true, safe: true });
    if (cookie) headers.set("cookie", cookie);
    return new Request(url, { ...init, headers });
  }

  async send(service: Service, path: string, init: RequestInit = {}): Promise<unknown> {
    const request = this.request(path, init);
    const response = await service(request);
    for (const header of response.headers.getSetCookie()) this.cookies.store(header, new URL(request.url));
    return await response.json();
  }

  async csrfToken(service: Service): Promise<string> {
    return (await this.send(service, "/auth/csrf") as { csrfToken: string }).csrfToken;
  }

  /** Sends a form; the answer tells where it leads. */
  async post(service: Service, path: string, fields: Readonly<Record<string, string>>): Promise<string> {
    const headers = { "content-type": "application/x-www-form-urlencoded", "x-auth-return-redirect": "1" };
    const body = new URLSearchParams(fields).toString();
    const { url } = await this.send(service, path, { method: "POST", headers, body }) as { url: string };
    return url;
  }

  async signIn(service: Service): Promise<void> {
    const url = await this.post(service, "/auth/callback/credentials", { csrfToken: await this.csrfToken(service) });
    assert.equal(new URL(url, this.origin).href, `${this.origin}/`);
  }

  async user(service: Service): Promise<unknown> {
    const session = await this.send(service, "/auth/session") as { user: unknown; expires: string } | null;
    if (session) assert.ok(new Date(session.expires).valueOf() > Date.now());
    return session?.user;
  }

  sessionCookies(): readonly string[] {
    return this.cookies.names("session-token");
  }
}

const SHOWN = { name: ADA.name, email: ADA.email, image: ADA.image };
const NAMES = { "http://app.test": "authjs.session-token", "https://app.test": "__Secure-authjs.session-token" };
const SIZES = { "one cookie": 0, "two cookies": 3500, "three cookies": 7000 };

interface Pair {
  readonly name: string;
  readonly maker: (secret: Secrets, characters?: number) => Service;
  readonly reader: (secret: Secrets, characters?: number) => Service;
}

const PAIRS: readonly Pair[] = [
  { name: "made there opens here", maker: there, reader: here },
  { name: "made here opens there", maker: here, reader: there },
];

const ROTATIONS: readonly (readonly [name: string, maker: Secrets, reader: Secrets, opens: boolean])[] = [
  ["one secret", NEW, NEW, true],
  ["the same list of secrets", [NEW, OLD], [NEW, OLD], true],
  ["a secret that is the older one of the reader's", OLD, [NEW, OLD], true],
  ["a list of which the reader has the first", [NEW, OLD], NEW, true],
  ["a list that the reader has in another order", [NEW, OLD], [OLD, NEW], true],
  ["a list of which the reader has the older one alone", [NEW, OLD], OLD, false],
  ["a secret that the reader has removed", OLD, NEW, false],
];

// Which secrets open what is the same at every origin: rows about secrets are told at one.
const ORIGIN = "https://app.test";

for (const { name, maker, reader } of PAIRS) {
  for (const [secrets, made, read, opens] of ROTATIONS) {
    test(`a session ${name}${opens ? "" : " no more"}: ${secrets}`, async () => {
      const visitor = new Visitor(ORIGIN);
      await visitor.signIn(maker(made));
      assert.deepEqual(visitor.sessionCookies(), [NAMES[ORIGIN]]);
      assert.deepEqual(await visitor.user(reader(read)), opens ? SHOWN : undefined);
      assert.deepEqual(visitor.sessionCookies(), opens ? [NAMES[ORIGIN]] : []);
    });
  }

  for (const [origin, cookie] of Object.entries(NAMES)) {
    for (const [pieces, characters] of Object.entries(SIZES)) {
      test(`a session ${name}: ${origin}, ${pieces}, and back again`, async () => {
        const visitor = new Visitor(origin);
        const [first, second] = [maker(NEW, characters), reader(NEW, characters)];
        await visitor.signIn(first);
        const count = Object.keys(SIZES).indexOf(pieces) + 1;
        const names = count === 1 ? [cookie] : Array.from({ length: count }, (_, i) => `${cookie}.${i}`);
        assert.deepEqual(visitor.sessionCookies(), names);
        for (const service of [second, first, second]) assert.deepEqual(await visitor.user(service), SHOWN);
        assert.deepEqual(visitor.sessionCookies(), names);
      });
    }
  }

  test(`a large session ${name} after it became small, with no piece left behind`, async () => {
    const visitor = new Visitor("https://app.test");
    await visitor.signIn(maker(NEW, 9000));
    const small = "__Secure-authjs.session-token";
    // The other side may write what it read as it is: a session shrinks where its callback makes it small.
    const shrinking = reader === here
      ? (request: Request) =>
        Auth(request, {
          secret: NEW,
          trustHost: true,
          logger: silent,
          callbacks: { jwt: ({ token: { text: _, ...rest } }) => rest },
        })
      : (request: Request) =>
        otherAuth(request, {
          secret: NEW,
          trustHost: true,
          basePath: "/auth",
          logger: silent,
          providers: [],
          callbacks: { jwt: ({ token: { text: _, ...rest } }) => rest },
        });
    assert.deepEqual(await visitor.user(shrinking), SHOWN);
    assert.deepEqual(visitor.sessionCookies(), [small]);
    assert.deepEqual(await visitor.user(maker(NEW)), SHOWN);
  });

  test(`a session ${name}, and ends there too`, async () => {
    for (const characters of Object.values(SIZES)) {
      const visitor = new Visitor("https://app.test");
      const [first, second] = [maker(NEW, characters), reader(NEW, characters)];
      await visitor.signIn(first);
      await visitor.post(second, "/auth/signout", { csrfToken: await visitor.csrfToken(second) });
      assert.deepEqual(visitor.sessionCookies(), []);
      assert.equal(await visitor.user(first), undefined);
    }
  });
}

const CSRF: readonly (readonly [name: string, from: Service, to: Service, holds: boolean])[] = [
  ["made there with one secret holds here", there(NEW), here(NEW), true],
  ["made here with one secret holds there", here(NEW), there(NEW), true],
  ["made there with a list, joined, holds here with that list", there([NEW, OLD]), here([NEW, OLD]), true],
  ["made there with a list of one holds here", there([NEW]), here(NEW), true],
  ["made here with a list of one holds there", here([NEW]), there(NEW), true],
  ["made here with a list holds there with that list", here([NEW, OLD]), there([NEW, OLD]), true],
  ["made here with a list does not hold there with its first secret alone", here([NEW, OLD]), there(NEW), false],
  ["made there with one secret holds here while it is rotated", there(OLD), here([NEW, OLD]), true],
  ["made there with a foreign secret does not hold here", there(OLD), here(NEW), false],
  ["made there with a list does not hold here with another", there([OLD, NEW]), here([NEW, OLD]), false],
];

for (const [name, from, to, holds] of CSRF) {
  test(`a CSRF token ${name}`, async () => {
    const visitor = new Visitor(ORIGIN);
    const csrfToken = await visitor.csrfToken(from);
    assert.ok(visitor.cookies.get("__Host-authjs.csrf-token"));
    const url = await visitor.post(to, "/auth/callback/credentials", { csrfToken });
    assert.equal(new URL(url, ORIGIN).searchParams.get("error"), holds ? null : "MissingCSRF");
    assert.equal(visitor.sessionCookies().length, holds ? 1 : 0);
    if (holds) assert.equal(await visitor.csrfToken(to), csrfToken, "the browser keeps its token");
  });
}

interface Token {
  readonly [claim: string]: unknown;
}

type GetToken = (params: { req: Request; secret: Secrets; secureCookie: boolean; raw?: boolean }) => Promise<unknown>;

const READERS: readonly (readonly [name: string, maker: Pair["maker"], getToken: GetToken])[] = [
  ["made there is read here", there, (params) => getToken(params)],
  [
    "made here is read there",
    here,
    (params) => otherGetToken({ ...params, raw: params.raw ?? false } as { raw: false; req: Request; secret: Secrets }),
  ],
];

for (const [name, maker, read] of READERS) {
  for (const [origin, cookie] of Object.entries(NAMES)) {
    for (const [pieces, characters] of Object.entries(SIZES)) {
      test(`getToken(): a token ${name}: ${origin}, ${pieces}`, async () => {
        const visitor = new Visitor(origin);
        await visitor.signIn(maker([OLD, NEW], characters));
        const secureCookie = cookie.startsWith("__Secure-");
        const req = visitor.request("/anywhere");
        const token = await read({ req, secret: [NEW, OLD], secureCookie }) as Token | null;
        assert.deepEqual([token?.sub, token?.name, token?.email, token?.picture], [
          "42",
          ADA.name,
          ADA.email,
          ADA.image,
        ]);
        assert.equal(token?.text, claimsOf(characters).text);
        assert.equal(await read({ req, secret: "another secret of 32 characters or more", secureCookie }), null);
        assert.equal(await read({ req, secret: [NEW, OLD], secureCookie: !secureCookie }), null);
        const raw = await read({ req, secret: [NEW, OLD], secureCookie, raw: true });
        assert.match(String(raw), /^[\w-]+\.\.[\w-]+\.[\w-]+\.[\w-]+$/);
        const bearer = new Request(`${origin}/anywhere`, { headers: { authorization: `Bearer ${raw}` } });
        assert.equal((await read({ req: bearer, secret: [NEW, OLD], secureCookie }) as Token | null)?.sub, "42");
      });
    }
  }
}

for (const salt of ["authjs.session-token", "__Secure-authjs.session-token", "my.cookie", "encodedState", ""]) {
  test(`encode() and decode() understand each other on both sides for the salt ${JSON.stringify(salt)}`, async () => {
    const params = {
      token: { sub: "42", text: "é 漢字 🔑", list: [1, { a: null }] },
      secret: [NEW, OLD],
      salt,
      maxAge: 60,
    };
    const made = { here: await encode(params), there: await otherEncode(params) };
    for (const token of Object.values(made)) {
      for (const secret of [NEW, [NEW], [OLD, NEW]]) {
        const [mine, theirs] = [await decode({ token, secret, salt }), await otherDecode({ token, secret, salt })];
        assert.deepEqual(mine, theirs);
        const { iat, exp, jti, ...claims } = mine ?? {};
        assert.deepEqual(claims, params.token);
        assert.equal(Number(exp) - Number(iat), 60);
        assert.match(String(jti), /^[0-9a-f-]{36}$/);
      }
      await assert.rejects(decode({ token, secret: OLD, salt }));
      await assert.rejects(otherDecode({ token, secret: OLD, salt }));
    }
  });
}
