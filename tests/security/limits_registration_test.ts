/** Registrations of passkeys: many people may be behind one address, and a stranger too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { turnstile } from "@x/auth/challenges/turnstile";
import { limits, type LimitsOptions, proofOfWork } from "@x/auth/limits";
import { solve } from "../unit/limits/_solve.ts";
import { openPasskeys, type PasskeyOptions } from "../_support/passkeys.ts";

const CHEAP = { challenge: proofOfWork({ hashes: 64 }) };

/** A service whose visitors are all behind one address, unless the header says another. */
function openSite(options: LimitsOptions = CHEAP, more: PasskeyOptions = {}) {
  const clientAddress = ({ headers }: Request): string => headers.get("x-client") ?? "203.0.113.7";
  const service = openPasskeys({ ...more, features: [limits({ clientAddress, ...options })] });
  let asked = 0;
  /** Asks for options, as somebody new. */
  const ask = async (query: Readonly<Record<string, string>> = {}) => {
    const { response } = await service.person().offered({
      action: "register",
      email: `user-${asked++}@example.com`,
      ...query,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const drain = async (): Promise<void> => {
    for (let times = 0; times < 100; times++) if ((await ask()).status === 429) return;
    throw new Error("nothing limits it");
  };
  return { ...service, ask, drain };
}

type Site = ReturnType<typeof openSite>;

/** Gets a challenge for an address, and its solution. */
async function solved({ ask }: Site, email: string): Promise<string> {
  return solve((await ask({ email })).body.challenge.fields.proofOfWork);
}

test("over the limit of a network the answer says how long, and gives a challenge that leads past it", async () => {
  const site = openSite();
  await site.drain();
  const { status, headers, body } = await site.ask({ email: "ada@example.com" });
  assert.equal(status, 429);
  assert.equal(headers.get("ratelimit-policy"), '"network";q=20;w=1200');
  assert.equal(headers.get("retry-after"), "60");
  const { challenge, ...rest } = body;
  assert.deepEqual(rest, { error: "TooManyAttempts", retryAfter: 60, ways: ["challenge", "passkey"] });
  assert.equal(challenge.id, "proof-of-work");
  const proofOfWork = solve(challenge.fields.proofOfWork);
  const answer = await site.ask({ email: "ada@example.com", proofOfWork });
  assert.equal(answer.body.options.user.name, "ada@example.com");
});

test("what a network was refused makes the challenge no dearer for the next one behind it", async () => {
  const site = openSite();
  await site.drain();
  for (let times = 0; times < 20; times++) {
    assert.equal((await site.ask()).body.challenge.fields.proofOfWork.split(".")[1], "64");
  }
});

test("a solution counts once, and for the address that it was asked for", async () => {
  const site = openSite();
  await site.drain();
  const proofOfWork = await solved(site, "ada@example.com");
  assert.equal((await site.ask({ email: "eve@example.com", proofOfWork })).status, 429);
  assert.equal((await site.ask({ proofOfWork })).status, 429);
  assert.equal((await site.ask({ email: "ada@example.com", proofOfWork })).status, 200);
  assert.equal((await site.ask({ email: "ada@example.com", proofOfWork })).status, 429);
  const both = await solved(site, "ada@example.com");
  const answers = await Promise.all([both, both, both].map((proofOfWork) => {
    return site.ask({ email: "ada@example.com", proofOfWork });
  }));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 429, 429]);
});

test("a solution that is old, wrong, huge or of something else is none", async () => {
  const site = openSite();
  await site.drain();
  const email = "ada@example.com";
  const right = await solved(site, email);
  const token = right.slice(0, right.lastIndexOf("."));
  const [issued, , ...rest] = token.split(".");
  const forged = solve([issued, 1, ...rest].join("."));
  for (const proofOfWork of [token, solve(token, false), forged, `${right}0`, "9".repeat(6000), `${right}.${right}`]) {
    assert.equal((await site.ask({ email, proofOfWork })).status, 429, proofOfWork.slice(0, 100));
  }
  site.runtime.advance(59);
  assert.equal((await site.ask({ email, proofOfWork: right })).status, 200);
  const late = await solved(site, email);
  site.runtime.advance(301);
  while ((await site.ask()).status === 200);
  assert.equal((await site.ask({ email, proofOfWork: late })).status, 429);
});

test("challenges that are solved have a limit of their own, after which nothing helps but time", async () => {
  const site = openSite();
  await site.drain();
  let made = 0;
  for (; made < 100; made++) {
    const email = `solved-${made}@example.com`;
    const answer = await site.ask({ email, proofOfWork: await solved(site, email) });
    if (answer.status === 200) continue;
    assert.deepEqual(answer.body, { error: "TooManyAttempts", retryAfter: 5, ways: ["passkey"] });
    break;
  }
  assert.equal(made, 50);
  site.runtime.advance(5);
  const email = "ada@example.com";
  assert.equal((await site.ask({ email, proofOfWork: await solved(site, email) })).status, 200);
});

test("without a challenge, and with one that lies, the limit stays", async () => {
  const none = openSite({ challenge: null });
  await none.drain();
  const { body } = await none.ask();
  assert.deepEqual(Object.keys(body), ["error", "retryAfter", "ways"]);
  const site = openSite({ challenge: turnstile({ siteKey: "a key for pages", secretKey: "a secret key" }) });
  await site.drain();
  const shown = (await site.ask()).body.challenge;
  assert.equal(shown.widget.className, "cf-turnstile");
  const before = site.log.errors.length;
  // Nobody answers at the service here.
  const answer = await site.ask({ "cf-turnstile-response": "solved" });
  assert.equal(answer.status, 429);
  assert.ok(site.log.errors.length > before);
});

test("the answer is the same for an address that somebody has and for one that nobody has", async () => {
  const site = openSite();
  await site.person().register("ada@example.com");
  await site.drain();
  const [known, unknown] = await Promise.all(["ada@example.com", "nobody@example.com"].map(async (email) => {
    const { body, headers } = await site.ask({ email });
    const told = [...headers].filter(([name]) => name !== "set-cookie");
    return JSON.stringify([told, body]).replace(/\d{10}\.64\.[\w-]+\.[\w-]+/, "token");
  }));
  assert.equal(known, unknown);
});

test("`getUserInfo` of the application gets what was typed, without the solution", async () => {
  const seen: object[] = [];
  const site = openSite(CHEAP, {
    passkey: {
      getUserInfo: (_, { query }) => {
        seen.push(query ?? {});
        return Promise.resolve({ exists: false, user: { email: "ada@example.com" } });
      },
    },
  });
  await site.ask({ email: "ada@example.com", proofOfWork: "x", "cf-turnstile-response": "y", team: "z" });
  assert.deepEqual(seen, [{ action: "register", email: "ada@example.com", team: "z" }]);
});
