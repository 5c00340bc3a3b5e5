/** The table of what stands before each endpoint: none that compares a secret or sends an email may be missing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryAdapter } from "@x/auth/adapters/memory";
import type { ProviderInput } from "@x/auth";
import { passkey } from "@x/auth/providers/passkey";
import { password } from "@x/auth/providers/password";
import { accountPage } from "../../src/account.ts";
import { makeFeature, type PointName } from "../../src/contract/feature.ts";
import { AUTH_ACTIONS, type AuthAction } from "../../src/kernel/route_path.ts";
import { ACTS, ROUTES } from "../../src/limits/acts.ts";
import type { Points } from "../../src/request/points.ts";
import { findRoute } from "../../src/service/routes.ts";
import type { ResolvedProvider } from "../../src/config/resolved_provider.ts";
import { openVisitedService, type Visitor } from "../_support/visitors.ts";

const TYPES = ["oauth", "email", "credentials", "webauthn"] as const;
const providers = new Map(
  TYPES.map((
    type,
  ) => [type as string, { id: type, type, formPost: true, passwords: {} } as unknown as ResolvedProvider]),
);
const actsAt: ReadonlySet<PointName> = new Set(["routes"]);

/** Every endpoint there is, as the table names it. */
function endpoints(): string[] {
  return ([...AUTH_ACTIONS] as AuthAction[]).flatMap((action) => {
    return [null, ...TYPES].flatMap((provider) => {
      return ["GET", "POST"].flatMap((method) => {
        const match = findRoute(method, { action, provider }, { providers, brokenProviders: new Map(), actsAt });
        return match.kind === "route" ? [`${method} ${action}${provider === null ? "" : ` ${provider}`}`] : [];
      });
    });
  });
}

test("the table has a row for each endpoint, and no other", () => {
  assert.deepEqual(Object.keys(ROUTES).toSorted(), endpoints().toSorted());
});

test("each act stands before an endpoint", () => {
  const standing = new Set(Object.values(ROUTES).flatMap((acts) => acts ?? []));
  assert.deepEqual(Object.keys(ACTS).filter((act) => !standing.has(act as never)), []);
});

/** What is asked of each endpoint, so that it comes to its act. */
const REQUESTS: Readonly<Record<string, (visitor: Visitor) => Promise<unknown>>> = {
  "POST signin email": (visitor) => visitor.ask("ada@example.com"),
  "GET callback email": async (visitor) => {
    await visitor.ask("ada@example.com");
    await visitor.get("/auth/callback/email?email=ada%40example.com&token=000000");
  },
  "POST callback email": async (visitor) => {
    await visitor.ask("ada@example.com");
    await visitor.post("/auth/callback/email?email=ada%40example.com&token=000000");
  },
  "POST callback credentials": async (visitor) => {
    await visitor.type("ada");
    // One that checks passwords itself has the same id, so it is in a service of its own.
    const own = await opened(false, [password({ hash: { make: () => "", verify: () => "no" } })]);
    await own.visitor().post("/auth/callback/password", { email: "ada@example.com", password: "a pelican" });
  },
  "POST account": async () => {
    const visitor = await signedIn();
    judged.length = 0;
    await visitor.post("/auth/account", { act: "changeEmail", to: "new@example.com" });
  },
  "POST signup": async () => {
    const own = await opened(false, [password({ hash: { make: () => "", verify: () => "no" } })]);
    await own.visitor().post("/auth/signup", { email: "ada@example.com", password: "a pelican on a bicycle" });
  },
  "POST reset": async () => {
    const visitor = await signedIn();
    judged.length = 0;
    await visitor.post("/auth/reset", { email: "ada@example.com" });
    const token = /token=([0-9a-f]{64})/.exec(letters.at(-1) ?? "")?.[1] ?? "";
    await visitor.post("/auth/reset", { email: "ada@example.com", token, password: "a pelican on a bicycle" });
  },
  "POST password": async () => {
    const visitor = await signedIn();
    judged.length = 0;
    await visitor.post("/auth/password", { password: "a pelican on a bicycle" });
  },
  "GET webauthn-options webauthn": (visitor) => {
    return visitor.get("/auth/webauthn-options/passkey?action=register&email=ada%40example.com");
  },
  "POST signin webauthn": (visitor) => visitor.post("/auth/signin/passkey", { email: "ada@example.com" }),
  "POST backchannel-logout oauth": (visitor) => {
    // Its keys cannot be loaded here, which is answered 503.
    return visitor.post("/auth/backchannel-logout/plain", { logout_token: "e30.e30.AA" }).catch(() => {});
  },
};

const judged: string[] = [];
const letters: string[] = [];

/** Somebody who has signed in by a code, where there are passwords. */
async function signedIn(): Promise<Visitor> {
  const own = await opened(false, [password({ hash: { make: () => "a hash", verify: () => "no" } })]);
  const visitor = own.visitor();
  await visitor.ask("ada@example.com");
  await visitor.get("/auth/callback/email?email=ada%40example.com&token=123456");
  return visitor;
}

/** @param confirm Whether strangers prove their address before they register. */
async function opened(confirm: boolean, others: readonly ProviderInput[] = [CHECKED_BY_APPLICATION]) {
  const points: Points = {
    guess: (_, { kind }) => (judged.push(kind), { act: "compare" }),
    mail: () => (judged.push("mail"), { act: "send" }),
  };
  return await openVisitedService({
    adapter: memoryAdapter(),
    features: [makeFeature("limits", [], () => Promise.resolve(points)), accountPage()],
    providers: [
      passkey({ confirm }),
      { id: "plain", name: "P", type: "oauth", issuer: "https://idp.test", clientId: "c", clientSecret: "s" },
      {
        id: "email",
        name: "Email",
        type: "email",
        generateVerificationToken: () => "123456",
        sendVerificationRequest: () => {},
      },
      ...others,
    ],
    mail: ({ text }) => void letters.push(text),
  });
}

const CHECKED_BY_APPLICATION: ProviderInput = {
  id: "password",
  name: "P",
  type: "credentials",
  credentials: { name: {} },
  authorize: () => null,
};

for (const [endpoint, acts] of Object.entries(ROUTES)) {
  // Second proofs are a feature's own, and tested with it.
  if (!acts || acts.includes("factor")) continue;
  test(`${endpoint} is judged as ${acts.join()}`, async () => {
    const request = REQUESTS[endpoint];
    assert.ok(request, "say here how a request comes to its act");
    const { visitor } = await opened(endpoint === "POST signin webauthn");
    judged.length = 0;
    await request(visitor());
    for (const act of acts) assert.ok(judged.includes(act), judged.join());
  });
}
