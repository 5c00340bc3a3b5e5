/** Limits: what they stop, and whom they never keep out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { createHash } from "node:crypto";
import { AdapterError } from "@x/auth/errors";
import { limits, proofOfWork } from "@x/auth/limits";
import { credentials } from "@x/auth/providers/credentials";
import { testAuth } from "@x/auth/testing";
import { openLimited, PASSWORD, tryPassword } from "../_support/limited.ts";
import type { Visitor } from "../_support/visitors.ts";

const ADA = "ada@example.com";
const HERE = "203.0.113.7";

/** Tries passwords until it is limited, and tells how many were compared. */
async function drain(visitor: Visitor, name: string): Promise<number> {
  for (let tries = 0; tries < 200; tries++) if (await tryPassword(visitor, name) === "limited") return tries;
  throw new Error("nothing limits it");
}

test("an account has 10 guesses from anywhere, then 1 in 5 minutes", async () => {
  const { visitor, runtime } = await openLimited();
  assert.equal(await drain(visitor(), "ada"), 10);
  runtime.advance(299);
  assert.equal(await tryPassword(visitor(), "ada"), "limited");
  runtime.advance(1);
  assert.equal(await tryPassword(visitor(), "ada"), "wrong");
  assert.equal(await tryPassword(visitor(), "ada"), "limited");
});

test("an account has at most 100 guesses in 24 hours", async () => {
  const { visitor, runtime, compared } = await openLimited();
  for (let minute = 0; minute < 24 * 60; minute++) {
    await tryPassword(visitor(), "ada");
    await tryPassword(visitor(), "ada");
    runtime.advance(60);
  }
  const tries = compared.get("ada") ?? 0;
  assert.ok(tries <= 100 && tries >= 95, String(tries));
});

test("from one address there are 5 guesses at an account, then 1 a minute", async () => {
  const { visitor, runtime } = await openLimited();
  assert.equal(await drain(visitor(HERE), "ada"), 5);
  runtime.advance(60);
  assert.equal(await drain(visitor(HERE), "ada"), 1);
  // What one neighbour has used up is not the account's.
  assert.equal(await tryPassword(visitor("198.51.100.1"), "ada"), "wrong");
});

test("from one network there are 50 guesses, whatever the account, then 1 in 5 seconds", async () => {
  const { visitor, runtime } = await openLimited();
  let tries = 0;
  while (await tryPassword(visitor(HERE), `user-${tries}`) === "wrong") tries++;
  assert.equal(tries, 50);
  assert.equal(await tryPassword(visitor("198.51.100.1"), "user-1"), "wrong");
  runtime.advance(5);
  assert.equal(await tryPassword(visitor(HERE), "one"), "wrong");
  assert.equal(await tryPassword(visitor(HERE), "two"), "limited");
});

test("who goes through the addresses of a household of IPv6 gains nothing", async () => {
  const { visitor } = await openLimited();
  let tries = 0;
  while (await tryPassword(visitor(`2001:db8:1:2300::${tries.toString(16)}`), `user-${tries}`) === "wrong") tries++;
  assert.equal(tries, 50);
});

test("who goes through the networks of a /48 has 8 times as much as one", async () => {
  const { visitor } = await openLimited();
  let tries = 0;
  const address = () => `2001:db8:1:${((tries % 250) * 256).toString(16)}::1`;
  while (await tryPassword(visitor(address()), `user-${tries}`) === "wrong") tries++;
  assert.equal(tries, 400);
});

test("clients whose address is unknown share no limit", async () => {
  const { visitor } = await openLimited();
  for (let tries = 0; tries < 300; tries++) assert.equal(await tryPassword(visitor(), `user-${tries}`), "wrong");
});

test("a browser that somebody has signed in before has guesses of its own", async () => {
  const { visitor, runtime } = await openLimited();
  const ada = visitor(HERE);
  assert.equal(await tryPassword(ada, "ada", PASSWORD), "in");
  await ada.signOut();
  // Neighbours and strangers use up all that is not hers.
  await drain(visitor(HERE), "ada");
  await drain(visitor(), "ada");
  for (let tries = 0; tries < 60; tries++) await tryPassword(visitor(HERE), `user-${tries}`);
  assert.equal(await tryPassword(visitor(HERE), "ada", PASSWORD), "limited");
  assert.equal(await tryPassword(ada, "ada", PASSWORD), "in");
  await ada.signOut();
  assert.equal(await drain(ada, "ada"), 10);
  runtime.advance(60);
  assert.equal(await tryPassword(ada, "ada", PASSWORD), "in");
});

test("the cookie of a browser is good for its own accounts only", async () => {
  const { visitor } = await openLimited();
  const mallory = visitor();
  assert.equal(await tryPassword(mallory, "mallory", PASSWORD), "in");
  await drain(visitor(), "ada");
  assert.equal(await tryPassword(mallory, "ada"), "limited");
});

test("an address that a profile merely claims makes no browser known for it", async () => {
  const world = testAuth({
    providers: [
      {
        id: "idp",
        name: "IdP",
        type: "oidc",
        issuer: "https://idp.test",
        profile: ({ sub, email }) => ({ id: sub, email: String(email), emailVerified: new Date() }),
      },
      credentials({ credentials: { email: {}, password: { type: "password" } }, authorize: () => null }),
    ],
    features: [limits()],
  });
  const tryAt = async (visitor: ReturnType<typeof world.visitor>) => {
    const fields = { csrfToken: await visitor.csrf(), email: ADA, password: "wrong" };
    return (await visitor.post("/auth/callback/credentials", fields)).status;
  };
  const mallory = await world.visitor().signIn("idp", { email: ADA, email_verified: false });
  assert.equal((await mallory.session())?.user?.email, ADA);
  const stranger = world.visitor();
  for (let tries = 0; tries < 10; tries++) assert.equal(await tryAt(stranger), 302);
  assert.equal(await tryAt(stranger), 429);
  assert.equal(await tryAt(mallory), 429);
});

test("a cookie that was forged, or sealed for something else, is nothing", async () => {
  const { visitor } = await openLimited();
  const ada = visitor();
  await tryPassword(ada, "ada", PASSWORD);
  await drain(visitor(), "ada");
  const stranger = visitor();
  for (const value of ["", "x", ada.token ?? "", (ada.cookies.get("authjs.device") ?? "").replace(/.{4}$/, "AAAA")]) {
    stranger.cookies.set("authjs.device", value);
    assert.equal(await tryPassword(stranger, "ada"), "limited");
  }
  stranger.cookies.set("authjs.device", ada.cookies.get("authjs.device") ?? "");
  assert.equal(await tryPassword(stranger, "ada"), "wrong", "whoever steals it has guesses, not access");
});

test("a browser is forgotten 180 days after the last sign-in there", async () => {
  const { visitor, runtime } = await openLimited();
  const ada = visitor();
  await tryPassword(ada, "ada", PASSWORD);
  runtime.advance(179 * 86_400);
  await tryPassword(ada, "ada", PASSWORD);
  runtime.advance(179 * 86_400);
  await drain(visitor(), "ada");
  assert.equal(await tryPassword(ada, "ada"), "wrong");
  runtime.advance(2 * 86_400);
  await drain(visitor(), "ada");
  assert.equal(await tryPassword(ada, "ada"), "limited");
});

test("a browser knows the last eight accounts", async () => {
  const { visitor } = await openLimited();
  const family = visitor();
  for (let member = 0; member < 9; member++) await tryPassword(family, `member-${member}`, PASSWORD);
  for (const [name, answer] of [["member-0", "limited"], ["member-1", "wrong"], ["member-8", "wrong"]] as const) {
    await drain(visitor(), name);
    assert.equal(await tryPassword(family, name), answer, name);
  }
});

test("a success gives back what it took, and nothing of others", async () => {
  const { visitor } = await openLimited();
  for (let tries = 0; tries < 9; tries++) await tryPassword(visitor(), "ada");
  for (let times = 0; times < 20; times++) assert.equal(await tryPassword(visitor(), "ada", PASSWORD), "in");
  assert.equal(await tryPassword(visitor(), "ada"), "wrong");
  assert.equal(await tryPassword(visitor(), "ada"), "limited");
});

test("what one limit refuses costs the others nothing", async () => {
  const { visitor } = await openLimited();
  assert.equal(await drain(visitor(HERE), "ada"), 5);
  for (let tries = 0; tries < 20; tries++) await tryPassword(visitor(HERE), "ada");
  assert.equal(await drain(visitor(), "ada"), 5);
});

test("of 64 guesses at once as many are compared as there are", async () => {
  const { visitor, compared } = await openLimited();
  const answers = await Promise.all(Array.from({ length: 64 }, () => tryPassword(visitor(), "ada")));
  assert.equal(answers.filter((answer) => answer === "wrong").length, 10);
  assert.equal(compared.get("ada"), 10);
});

test("spellings of a name that people take for the same are one account", async () => {
  const { visitor } = await openLimited();
  const spellings = ["ada", "ADA", " ada ", "Ａda", "aDa"];
  let tries = 0;
  while (await tryPassword(visitor(), spellings[tries % 5] ?? "") === "wrong") tries++;
  assert.equal(tries, 10);
});

test("an application may name the account itself", async () => {
  const { visitor } = await openLimited({ limits: { account: ({ username }) => String(username).split("+")[0] } });
  let tries = 0;
  while (await tryPassword(visitor(), `ada+${tries}`) === "wrong") tries++;
  assert.equal(tries, 10);
});

test("services without storage are limited as well", async () => {
  const { visitor } = await openLimited({ adapter: null });
  assert.equal(await drain(visitor(), "ada"), 10);
});

test("storage learns no address, no name and no network", async () => {
  const keys: string[] = [];
  const adapter = memoryAdapter();
  const take: typeof adapter.take = (buckets, now) => {
    keys.push(...buckets.map(({ key }) => key));
    return adapter.take?.(buckets, now) ?? [];
  };
  const { visitor } = await openLimited({ adapter: { ...adapter, take } });
  await tryPassword(visitor(HERE), "ada");
  assert.ok(keys.length >= 4, keys.join());
  for (const key of keys) assert.match(key, /^[\w-]{22}$/);
});

test("a sign-in asks storage once, and a session never", async () => {
  let calls = 0;
  const adapter = memoryAdapter();
  const take: typeof adapter.take = (buckets, now) => (calls++, adapter.take?.(buckets, now) ?? []);
  const { visitor } = await openLimited({ adapter: { ...adapter, take } });
  const ada = visitor(HERE);
  await tryPassword(ada, "ada", PASSWORD);
  assert.equal(calls, 1);
  await ada.session();
  assert.equal(calls, 1);
});

test("a guess at a code asks storage once, and only the second one twice", async () => {
  let calls = 0;
  const adapter = memoryAdapter();
  const take: typeof adapter.take = (buckets, now) => (calls++, adapter.take?.(buckets, now) ?? []);
  const { visitor } = await openLimited({
    adapter: { ...adapter, take },
    email: { generateVerificationToken: () => "123456" },
  });
  const ada = visitor(HERE);
  await ada.ask(ADA);
  const asked: number[] = [];
  for (const token of ["000000", "000001", "000002", "123456"]) {
    const before = calls;
    await ada.get(`/auth/callback/email?${new URLSearchParams({ email: ADA, token })}`);
    asked.push(calls - before);
  }
  assert.notEqual(ada.token, undefined);
  assert.deepEqual(asked, [1, 2, 1, 1]);
});

test("a process that knows that a bucket refuses does not ask storage again", async () => {
  let calls = 0;
  const adapter = memoryAdapter();
  const take: typeof adapter.take = (buckets, now) => (calls++, adapter.take?.(buckets, now) ?? []);
  const { visitor } = await openLimited({ adapter: { ...adapter, take } });
  await drain(visitor(), "ada");
  const before = calls;
  for (let tries = 0; tries < 100; tries++) assert.equal(await tryPassword(visitor(), "ada"), "limited");
  assert.equal(calls, before);
});

test("while storage is down a process counts passwords for itself", async () => {
  const adapter = { ...memoryAdapter(), take: () => Promise.reject(new Error("offline")) };
  const { visitor, log } = await openLimited({ adapter });
  assert.equal(await drain(visitor(), "ada"), 10);
  assert.ok(log.errors.some((error) => (error as { logCode?: string }).logCode === "limits-storage"));
});

test("scripts get the status 429, with how long and which ways are open", async () => {
  const { visitor } = await openLimited();
  await drain(visitor(), "ada");
  const response = await visitor().post("/auth/callback/password", { username: "ada", password: "x" });
  assert.equal(response.status, 429);
  assert.equal(response.headers.get("retry-after"), "300");
  assert.equal(response.headers.get("ratelimit-policy"), '"account";q=10;w=3000');
  assert.equal(response.headers.get("ratelimit"), '"account";r=0;t=300');
  const { error, retryAfter, ways, url, challenge } = await response.json();
  assert.deepEqual([error, retryAfter, ways, url], ["TooManyAttempts", 300, ["challenge", "email"], undefined]);
  assert.equal(challenge.id, "proof-of-work");
});

async function postAs(
  service: Awaited<ReturnType<typeof openLimited>>,
  headers: Readonly<Record<string, string>>,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  const visitor = service.visitor();
  const { csrfToken } = await (await visitor.get("/auth/csrf")).json();
  const body = new URLSearchParams({ csrfToken, ...fields });
  const cookie = `authjs.csrf-token=${visitor.cookies.get("authjs.csrf-token")}`;
  const init = { method: "POST", body, headers: { cookie, origin: "http://localhost:3000", ...headers } };
  return await service.send(new Request("http://localhost:3000/auth/callback/password", init));
}

test("clients of Auth.js get a URL with the error", async () => {
  const service = await openLimited();
  await drain(service.visitor(), "ada");
  const response = await postAs(service, { "x-auth-return-redirect": "1" }, { username: "ada", password: "x" });
  assert.equal(response.status, 429);
  const { url } = await response.json();
  assert.equal(new URL(url).searchParams.get("error"), "TooManyAttempts");
});

test("browsers get the form again, with what was typed and what they can do, in their language", async () => {
  const service = await openLimited();
  await drain(service.visitor(), "ada");
  const fields = { username: "ada", password: "secret-one", callbackUrl: "/inside" };
  const response = await postAs(service, { accept: "text/html", "accept-language": "de" }, fields);
  assert.equal(response.status, 429);
  assert.equal(response.headers.get("retry-after"), "300");
  const html = await response.text();
  assert.match(html, /Das waren zu viele Versuche\. Nach der Prüfung unten können Sie fortfahren\./);
  assert.match(html, /value="ada"/);
  assert.match(html, /name="callbackUrl" value="http:\/\/localhost:3000\/inside"/);
  assert.match(html, /name="proofOfWork"/);
  assert.doesNotMatch(html, /secret-one/);
});

test("the sign-in page of an application gets the error in its query", async () => {
  const service = await openLimited({ config: { pages: { signIn: "/login" } } });
  await drain(service.visitor(), "ada");
  const response = await postAs(service, { accept: "text/html" }, { username: "ada", password: "x" });
  assert.equal(response.status, 302);
  assert.equal(response.headers.get("location"), "http://localhost:3000/login?error=TooManyAttempts");
});

test("`signIn()` throws TooManyAttempts, and logs no line for each", async () => {
  const lines: string[] = [];
  const logger = { warn: (code: string) => void lines.push(code), error: () => void lines.push("error") };
  const { signIn } = createAuth({
    secret: "a secret for tests, longer than 32 characters",
    trustHost: true,
    logger,
    features: [limits()],
    providers: [{
      id: "password",
      name: "Password",
      type: "credentials",
      credentials: { username: {}, password: {} },
      authorize: () => null,
    }],
  });
  const attempt = () => {
    const request = new Request("http://localhost:3000/", { headers: { origin: "http://localhost:3000" } });
    return signIn(request, "password", { username: "ada", password: "x" });
  };
  for (let tries = 0; tries < 10; tries++) await assert.rejects(attempt, { type: "CredentialsSignin" });
  lines.length = 0;
  for (let tries = 0; tries < 10; tries++) {
    await assert.rejects(attempt, (error: { type?: string; retryAfter?: number }) => {
      return error.type === "TooManyAttempts" && error.retryAfter === 300;
    });
  }
  assert.deepEqual(lines, ["too-many-attempts"]);
});

test("a stranger who asks for twenty emails gets three, and sees the same page each time", async () => {
  const { visitor, box } = await openLimited();
  const seen = new Set<string>();
  for (let times = 0; times < 20; times++) {
    const stranger = visitor();
    const response = await stranger.ask(ADA);
    const length = (stranger.cookies.get("authjs.email") ?? "").length;
    seen.add([response.status, response.headers.get("location"), length].join());
  }
  assert.equal(box.mails.length, 3);
  assert.equal(seen.size, 1, [...seen].join(" | "));
});

test("links that were sent work although the address has no emails left", async () => {
  const { visitor, box } = await openLimited();
  const ada = visitor();
  await ada.ask(ADA);
  for (let times = 0; times < 20; times++) await visitor().ask(ADA);
  const first = box.mails[0]?.url ?? "";
  // Asking again must not take away what this browser has.
  await ada.ask(ADA);
  // Without a page in between: the browser is the one that asked.
  await ada.get(new URL(first).pathname + new URL(first).search);
  assert.notEqual(ada.token, undefined);
});

test("an address has 20 emails in 24 hours", async () => {
  const { visitor, box, runtime } = await openLimited();
  for (let tries = 0; tries < 24 * 12; tries++) {
    await visitor().ask(ADA);
    runtime.advance(300);
  }
  assert.ok(box.mails.length <= 20 && box.mails.length >= 18, String(box.mails.length));
});

test("a browser that an address has signed in before has emails of its own", async () => {
  const { visitor, box } = await openLimited();
  const ada = visitor();
  await ada.ask(ADA);
  await ada.open(box.link());
  await ada.signOut();
  for (let times = 0; times < 20; times++) await visitor().ask(ADA);
  const before = box.mails.length;
  await ada.ask(ADA);
  assert.equal(box.mails.length, before + 1);
  await ada.open(box.link());
  assert.notEqual(ada.token, undefined);
});

test("an email that could not be sent is given back", async () => {
  const sent: string[] = [];
  let broken = true;
  const sendVerificationRequest = ({ identifier }: { readonly identifier: string }) => {
    if (broken) throw new Error("the mail service is down");
    sent.push(identifier);
  };
  const { visitor } = await openLimited({
    config: { providers: [{ id: "email", name: "Email", type: "email", sendVerificationRequest }] },
  });
  for (let times = 0; times < 10; times++) await visitor().ask(ADA);
  broken = false;
  for (let times = 0; times < 5; times++) await visitor().ask(ADA);
  assert.equal(sent.length, 3);
});

/** Looks for the number that a proof of work asks for. */
function solve(token: string): string {
  const [, work = "", , mac = ""] = token.split(".");
  for (let number = 0;; number++) {
    const hash = createHash("sha256").update(`${mac}.${number}`).digest("hex");
    if (parseInt(hash.slice(0, 8), 16) < 2 ** 32 / Number(work)) return `${token}.${number}`;
  }
}

function tokenIn(html: string): string {
  return /name="proofOfWork" value="([^"]+)"/.exec(html)?.[1] ?? "";
}

const CHEAP = { challenge: proofOfWork({ hashes: 16 }) };

test("who solves the challenge signs in although strangers have used up the account", async () => {
  const { visitor } = await openLimited({ limits: CHEAP });
  await drain(visitor(), "ada");
  const ada = visitor();
  const response = await ada.post("/auth/callback/password", { username: "ada", password: PASSWORD });
  const { challenge } = await response.json();
  const proof = solve(challenge.fields.proofOfWork);
  await ada.post("/auth/callback/password", { username: "ada", password: PASSWORD, proofOfWork: proof });
  assert.notEqual(ada.token, undefined);
  // It is good once, and for nobody else.
  const again = { username: "ada", password: "x", proofOfWork: proof };
  assert.equal((await visitor().post("/auth/callback/password", again)).status, 429);
});

test("challenges that are solved have a limit of their own", async () => {
  const { visitor, compared } = await openLimited({ limits: CHEAP });
  await drain(visitor(), "ada");
  const before = compared.get("ada") ?? 0;
  const stranger = visitor();
  let proofOfWork = "";
  for (let tries = 0; tries < 40; tries++) {
    const response = await stranger.post("/auth/callback/password", { username: "ada", password: "x", proofOfWork });
    if (response.status !== 429) continue;
    const { challenge } = await response.json();
    proofOfWork = challenge ? solve(challenge.fields.proofOfWork) : "";
  }
  assert.equal((compared.get("ada") ?? 0) - before, 10);
});

test("the application gets what was typed, without the solution of a challenge", async () => {
  const seen: object[] = [];
  const provider = {
    id: "password",
    name: "P",
    type: "credentials",
    credentials: { username: {} },
    authorize: (fields: object) => (seen.push(fields), null),
  } as const;
  const { visitor } = await openLimited({ config: { providers: [provider] } });
  await visitor().post("/auth/callback/password", { username: "ada", proofOfWork: "x" });
  assert.deepEqual(seen.map((fields) => Object.keys(fields).includes("proofOfWork")), [false]);
});

test("somebody whose address strangers have used up solves a challenge, and gets an email", async () => {
  const { visitor, box } = await openLimited({ limits: CHEAP });
  for (let times = 0; times < 20; times++) await visitor().ask(ADA);
  const before = box.mails.length;
  const ada = visitor();
  await ada.ask(ADA);
  assert.equal(box.mails.length, before);
  const proofOfWork = solve(tokenIn(await (await ada.get("/auth/signin")).text()));
  await ada.post("/auth/signin/email", { email: ADA, proofOfWork });
  assert.equal(box.mails.length, before + 1);
  await ada.open(box.link());
  assert.notEqual(ada.token, undefined);
});

test("a browser that has not asked for an email sees no challenge", async () => {
  const { visitor } = await openLimited();
  assert.equal(tokenIn(await (await visitor().get("/auth/signin")).text()), "");
});

test("a network gets 20 emails at once, for whomever", async () => {
  const { visitor } = await openLimited();
  let asked = 0;
  while ((await visitor(HERE).ask(`user-${asked}@example.com`)).status !== 429) asked++;
  assert.equal(asked, 20);
  assert.notEqual((await visitor("198.51.100.1").ask(ADA)).status, 429);
});

test("the ceiling of a site asks for a challenge, and without one is only logged", async () => {
  const mail = { site: { burst: 5, every: 60 } };
  const service = await openLimited({ limits: { mail } });
  for (let asked = 0; asked < 5; asked++) await service.visitor().ask(`user-${asked}@example.com`);
  const response = await service.visitor().ask(ADA);
  assert.equal(response.status, 429);
  assert.deepEqual((await response.json()).ways, ["challenge", "email"]);
  const open = await openLimited({ limits: { mail, challenge: null } });
  for (let asked = 0; asked < 10; asked++) await open.visitor().ask(`user-${asked}@example.com`);
  assert.equal(open.box.mails.length, 10);
  assert.deepEqual(open.log.warnings.filter((code) => code === "too-many-attempts").length, 1);
});

test("codes are limited although nobody asked for it, and the link in the email still works", async () => {
  const email = { generateVerificationToken: () => "123456" };
  const { visitor, box } = await openLimited({ email, config: { features: [] } });
  const guess = async (ada: Visitor, token: string) => {
    return (await ada.get(`/auth/callback/email?${new URLSearchParams({ email: ADA, token })}`)).status;
  };
  const stranger = visitor();
  let tries = 0;
  for (; tries < 50; tries++) {
    if (tries % 5 === 0) await stranger.ask(ADA);
    if (await guess(stranger, "000000") === 429) break;
  }
  // The first guess at each code does not count.
  assert.equal(tries, 13);
  const [ada, other] = [visitor(), visitor()];
  await ada.ask(ADA);
  await guess(ada, "123456");
  assert.notEqual(ada.token, undefined, "a stranger has used up what was hers");
  await other.ask(ADA);
  await guess(other, "000000");
  assert.equal(await guess(other, "123456"), 429);
  await other.open(box.link());
  assert.notEqual(other.token, undefined);
});

test("codes are compared by nobody while storage is down", async () => {
  const adapter = memoryAdapter();
  const down = { ...adapter, take: () => Promise.reject(new Error("offline")) };
  const { visitor } = await openLimited({
    adapter: down,
    email: { generateVerificationToken: () => "123456" },
    config: { features: [] },
  });
  const ada = visitor();
  await ada.ask(ADA);
  await ada.get(`/auth/callback/email?${new URLSearchParams({ email: ADA, token: "123456" })}`);
  assert.equal(ada.token, undefined);
});

test("codes are counted in memory until the table of buckets is there, which the log says", async () => {
  const unmigrated = () => Promise.reject(new AdapterError("no such table", { logCode: "storage-tables" }));
  const { visitor, log } = await openLimited({
    adapter: { ...memoryAdapter(), take: unmigrated },
    email: { generateVerificationToken: () => "123456" },
    config: { features: [] },
  });
  const guess = async (visitor: Visitor, token: string) => {
    return (await visitor.get(`/auth/callback/email?${new URLSearchParams({ email: ADA, token })}`)).status;
  };
  const [ada, stranger] = [visitor(), visitor()];
  let tries = 0;
  for (; tries < 50; tries++) {
    if (tries % 5 === 0) await stranger.ask(ADA);
    if (await guess(stranger, "000000") === 429) break;
  }
  assert.equal(tries, 13);
  assert.deepEqual(log.warnings.filter((code) => code === "limits-in-memory").length, 1);
  await ada.ask(ADA);
  await guess(ada, "123456");
  assert.notEqual(ada.token, undefined);
});

test("limits that are off say why", () => {
  assert.throws(() => limits({ off: " " }), /`off` must say why/);
  assert.equal(limits({ off: "our proxy counts" }).id, "limits");
});

test("a rule that cannot work is refused by its name", () => {
  const broken: readonly (readonly [object, RegExp])[] = [
    [{ guess: { account: { burst: 0, every: 1 } } }, /`guess.account`: `burst`/],
    [{ guess: { account: { burst: 5, every: -1 } } }, /`guess.account`: `every`/],
    [{ mail: { address: { burst: 5, every: 1, perDay: 5 } } }, /`mail.address`: `perDay`/],
    [{ mail: { adress: { burst: 5, every: 1 } } }, /`mail.adress`: there is no such rule: it has device, address/],
    [{ clientAddress: { header: "x forwarded" } }, /`clientAddress`/],
    [{ clientAddress: { header: "x-forwarded-for", hops: 0 } }, /`clientAddress`/],
    [{ clientAddress: "x-forwarded-for" }, /`clientAddress`/],
    [{ challenge: {} }, /`challenge`/],
  ];
  for (const [options, message] of broken) assert.throws(() => limits(options), message);
});
