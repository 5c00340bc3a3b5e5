/**
 * Measures signing in with passwords, in this process. Its input is a {@linkcode PasswordsInput}, its result a
 * {@linkcode MeasuredPasswords}.
 *
 * @module
 */
import { type Adapter, type AuthConfig, createAuth, type Handler } from "@x/auth";
import { Overloaded } from "@x/auth/errors";
import { github } from "@x/auth/providers/github";
import { password } from "@x/auth/providers/password";
import { contenderOf } from "./answers.ts";
import { measureInTurns, type Timing } from "./measure.ts";
import { withoutNetwork } from "./network.ts";
import type { AddressTimes, MeasuredPasswords, MeasuredRead, MeasuredRush, PasswordsInput } from "./passwords.ts";
import { finish, readInput, tell } from "./program.ts";
import { authjsQuestions } from "./sides/authjs.ts";
import { ADA, authRequest, CLIENT, cookiesOf, type QuestionName, SECRET } from "./sides/side.ts";
import { openStore } from "./sides/stores.ts";

const TEXT = "a pelican on a bicycle";
const WRONG = "a bicycle on a pelican";

/** People who sign in at once. */
const RUSH = 200;

/** Sign-ins that are under way while their rate is measured: more than there are hashes at once. */
const AT_ONCE = 8;

/** Answers of each kind that come before those that are measured. */
const WARM_UP = 5;

const COMMON: AuthConfig = {
  secret: SECRET,
  trustHost: true,
  basePath: "/auth",
  logger: {
    warn: () => {},
    // Sign-ins that are told to come again are counted below.
    error: (error) => error instanceof Overloaded || tell(`${error}`),
  },
};

/** A site with passwords and its default limits, and its storage. */
interface Site {
  readonly handler: Handler;
  readonly adapter: Adapter;
  /** Stores a user whose address is proven, with the password or without. Gives the address. */
  readonly join: (hasPassword: boolean) => Promise<string>;
  /** What the hash of the password begins with: the algorithm and its cost. */
  readonly algorithm: string;
}

async function openSite(): Promise<Site> {
  const adapter = await openStore("sqlite");
  const { handler, passwords } = createAuth({ ...COMMON, adapter, mail: () => {}, providers: [password()] });
  const hash = await hashOf(TEXT);
  return {
    handler,
    adapter,
    algorithm: hash.split("$").slice(1, -2).join(" "),
    async join(hasPassword) {
      const email = newAddress();
      const user = await adapter.createUser?.({
        id: crypto.randomUUID(),
        name: null,
        email,
        emailVerified: new Date(),
      });
      if (!user) throw new Error("Cannot store a user");
      if (!hasPassword) return email;
      const { imported } = await passwords.import([{ userId: user.id, hash }]);
      if (imported !== 1) throw new Error("Cannot store a password");
      return email;
    },
  };
}

/** Makes a hash as the service does. */
async function hashOf(text: string): Promise<string> {
  const made: string[] = [];
  const store = { get: () => null, set: (_: string, hash: string) => made.push(hash), remove: () => {} };
  const adapter = await openStore("sqlite");
  const { passwords } = createAuth({ ...COMMON, adapter, mail: () => {}, providers: [password({ store })] });
  const user = await adapter.createUser?.({
    id: crypto.randomUUID(),
    name: null,
    email: newAddress(),
    emailVerified: new Date(),
  });
  await passwords.set(user?.id ?? "", text);
  return made[0] ?? "";
}

/** Addresses are as long as each other. */
function newAddress(): string {
  return `${crypto.randomUUID()}@example.com`;
}

/** What is posted for an address, and how it is answered, whoever has the address. */
interface Form {
  readonly name: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

const FORMS: readonly Form[] = [
  { name: "sign in with a wrong password", path: "callback/password", fields: { password: WRONG } },
  { name: "ask for a new password", path: "reset", fields: {} },
  { name: "register", path: "signup", fields: { password: WRONG } },
];

const ADDRESSES: readonly (readonly [name: AddressTimes["address"], find: (site: Site) => Promise<string>])[] = [
  ["unknown", () => Promise.resolve(newAddress())],
  ["known", (site) => site.join(true)],
  ["known, without a password", (site) => site.join(false)],
];

/** Posts a form. Gives the milliseconds until the answer has been read, and its status and target. */
type Post = (form: Form, email: string) => Promise<{ readonly took: number; readonly answer: string }>;

async function openForms(handler: Handler): Promise<Post> {
  const opened = await handler(authRequest("csrf"));
  const cookie = cookiesOf(opened);
  const { csrfToken } = await opened.json() as { readonly csrfToken: string };
  return async ({ path, fields }, email) => {
    const request = authRequest(path, cookie, { csrfToken, email, ...fields });
    const began = performance.now();
    const response = await handler(request);
    await response.text();
    const took = performance.now() - began;
    return { took, answer: `${response.status} ${response.headers.get("location") ?? ""}` };
  };
}

/** Times the answers of a form to each kind of address, in turns. */
async function compareAddresses(site: Site, form: Form, samples: number): Promise<AddressTimes[]> {
  tell(form.name);
  const post = await openForms(site.handler);
  const rows = [];
  for (const [address, find] of ADDRESSES) {
    // Beforehand: an answer that follows a write of the benchmark itself would be slower.
    const emails: string[] = [];
    while (emails.length < WARM_UP + samples) emails.push(await find(site));
    rows.push({ address, emails, times: [] as number[] });
  }
  let expected: string | undefined;
  for (let sample = 0; sample < WARM_UP + samples; sample++) {
    // Each kind finds the machine as the one before left it, so the order rotates.
    const first = sample % rows.length;
    for (const { emails, times } of [...rows.slice(first), ...rows.slice(0, first)]) {
      const { took, answer } = await post(form, emails[sample] ?? "");
      expected ??= answer;
      if (answer !== expected || !/^(?:200|302) (?!.*RateLimit)/.test(answer)) {
        throw new Error(`Cannot compare: "${form.name}" answers ${answer}, and before ${expected}`);
      }
      if (sample >= WARM_UP) times.push(took);
    }
  }
  return rows.map(({ address, times }) => ({ form: form.name, address, times }));
}

/**
 * Runs a function, and measures meanwhile by how much timers are late, in milliseconds. `monitorEventLoopDelay` of
 * `node:perf_hooks` would say so, but not on every runtime.
 */
async function measureDelays(run: () => Promise<void>): Promise<number[]> {
  const late: number[] = [];
  const wait = 5;
  let isRunning = true;
  const watching = (async () => {
    while (isRunning) {
      const began = performance.now();
      await new Promise((resolve) => setTimeout(resolve, wait));
      late.push(Math.max(0, performance.now() - began - wait));
    }
  })();
  try {
    await run();
  } finally {
    isRunning = false;
    await watching;
  }
  return late;
}

/** Signs many people in at once, each with their own password. */
async function measureRush(site: Site): Promise<MeasuredRush> {
  tell(`${RUSH} sign-ins at once`);
  const post = await openForms(site.handler);
  const form: Form = { name: "sign in", path: "callback/password", fields: { password: TEXT } };
  const emails = await Promise.all(Array.from({ length: RUSH + 1 }, () => site.join(true)));
  await post(form, emails.pop() ?? "");
  const idle = await measureDelays(() => new Promise((resolve) => setTimeout(resolve, 2000)));
  const statuses: string[] = [];
  const began = performance.now();
  const delays = await measureDelays(async () => {
    const answers = await Promise.all(emails.map((email) => post(form, email)));
    for (const { answer } of answers) statuses.push(isSignedIn(answer) ? "signed in" : answer.slice(0, 3));
  });
  const seconds = (performance.now() - began) / 1000;
  const signedIn = statuses.filter((status) => status === "signed in").length;
  const toldToWait = statuses.filter((status) => status === "503").length;
  if (signedIn + toldToWait !== RUSH) throw new Error(`Cannot measure: sign-ins are answered ${statuses}`);
  return { signedIn, toldToWait, seconds, idle, delays };
}

function isSignedIn(answer: string): boolean {
  return answer.startsWith("302 ") && !answer.includes("error=");
}

/** Counts how many sign-ins a second end, each of which computes one hash. */
async function measureRate(site: Site, count: number): Promise<number> {
  tell("sign-ins per second");
  const post = await openForms(site.handler);
  const form: Form = { name: "sign in", path: "callback/password", fields: { password: TEXT } };
  const emails = await Promise.all(Array.from({ length: count }, () => site.join(true)));
  const began = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let email = emails.pop(); email !== undefined; email = emails.pop()) {
      const { answer } = await post(form, email);
      if (!isSignedIn(answer)) throw new Error(`Cannot measure: a sign-in is answered ${answer}`);
    }
  }));
  return count / (performance.now() - began) * 1000;
}

const READS: readonly (readonly [name: string, question: QuestionName])[] = [
  ["GET session, cookie seen before", "session-known"],
  ["GET session, stored in a SQLite file", "session-stored"],
];

/** Compares reading a session where `password()` is listed, and where it is not. */
async function measureReads(timing: Timing): Promise<MeasuredRead[]> {
  const adapter = await openStore("sqlite");
  // A sealed session counts only while its user is there.
  await adapter.createUser?.({ id: ADA.id, name: ADA.name, email: ADA.email, emailVerified: null });
  const questionsOf = (providers: AuthConfig["providers"], question: QuestionName) => {
    const strategy = question === "session-stored" ? "database" : "jwt";
    const config = { ...COMMON, adapter, mail: () => {}, providers, session: { strategy } } as const;
    const answer = createAuth(config).handler;
    const questions = { ...authjsQuestions(answer), ...authjsQuestions(answer, adapter) };
    return { name: "@x/auth", answer, questions } as const;
  };
  const rows: MeasuredRead[] = [];
  for (const [name, question] of READS) {
    tell(name);
    const without = await contenderOf(questionsOf([github(CLIENT)], question), question, "without");
    const listed = await contenderOf(questionsOf([github(CLIENT), password()], question), question, "with");
    if (!without || !listed) throw new Error("Cannot compare: there are not two sides");
    const rounds = await measureInTurns([without, listed], timing);
    rows.push({ name, without: rounds.get("without") ?? [], listed: rounds.get("with") ?? [] });
  }
  return rows;
}

const { timing, samples } = readInput<PasswordsInput>();
const measured = await withoutNetwork(async (): Promise<MeasuredPasswords> => {
  const reads = await measureReads(timing);
  const addresses: AddressTimes[] = [];
  // Each has a site of its own: one site does not send more than 500 emails at once.
  for (const form of FORMS) addresses.push(...await compareAddresses(await openSite(), form, samples));
  const site = await openSite();
  const perSecond = await measureRate(site, samples);
  return { algorithm: site.algorithm, addresses, rush: await measureRush(site), perSecond, reads };
});
finish(measured);
