/** V25, V26, LNK-3: who came how, what was added then, who verifies what next, and what is left: every row. */
import { test } from "node:test";
import assert from "node:assert/strict";
import type { CompleteAdapter } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import type { Scene, Stage } from "../_support/histories.ts";
import { handlerStage } from "../_support/history_handler.ts";
import { signInStage } from "../_support/history_sign_in.ts";
import { type Act, type Claim, Oracle } from "../_support/oracle_histories.ts";
import { openVisitedService } from "../_support/visitors.ts";
import { countRows } from "./_service.ts";

/** The founder's browsers, and the one of whoever verifies the address next. */
const [FIRST, SECOND, NEXT] = [0, 1, 2];

const FOUNDINGS = {
  "a provider that vouches": come("founder", true),
  "a provider that says no": come("founder", false),
  "a provider that says nothing": come("founder", null),
  "a passkey": [{ do: "register", browser: FIRST, email: "ann", key: 0 }],
  "a link": [{ do: "ask", browser: FIRST, email: "ann" }, { do: "open", browser: FIRST, email: "ann" }],
  "a password": [{ do: "password", browser: FIRST, email: "ann" }, { do: "type", browser: FIRST }],
} as const satisfies Readonly<Record<string, readonly Act[]>>;

const ADDITIONS = {
  "a passkey": [{ do: "register", browser: FIRST, email: "ann", key: 1 }],
  "an account without a word": come("silent", null),
  "an account that vouches for the address": come("vouching", true),
  "an account that vouches for another": come("other", true, { email: "ben" }),
} as const satisfies Readonly<Record<string, readonly Act[]>>;

const PROOFS = {
  "a link": [{ do: "ask", browser: NEXT, email: "ann" }, { do: "open", browser: NEXT, email: "ann" }],
  "a provider that vouches and links": come("next", true, { browser: NEXT, provider: "linking" }),
  "a provider that says nothing and links": come("next", null, { browser: NEXT, provider: "linking" }),
  "a provider that vouches": come("next", true, { browser: NEXT }),
} as const satisfies Readonly<Record<string, readonly Act[]>>;

type Founding = keyof typeof FOUNDINGS;
type Addition = keyof typeof ADDITIONS;
type Proof = keyof typeof PROOFS;

interface Row {
  readonly founding: Founding;
  readonly added: readonly Addition[];
  /** Whether the founder is signed in elsewhere, too. */
  readonly twice: boolean;
  readonly proof: Proof;
}

interface Coming {
  readonly browser?: number;
  readonly provider?: "plain" | "linking";
  readonly email?: string;
}

function come(
  sub: string,
  verified: boolean | null,
  { browser = FIRST, provider = "plain", email = "ann" }: Coming = {},
): readonly Act[] {
  const told: Claim = { sub, email, verified };
  return [{ do: "leave", browser, provider }, { do: "return", browser, told }];
}

/** The founder comes again, in another browser. */
function again(founding: Founding): readonly Act[] {
  const [key] = [{ do: "authenticate", browser: SECOND, key: 0 }] as const;
  if (founding === "a passkey") return [key];
  const acts: readonly Act[] = FOUNDINGS[founding];
  return acts.filter((act) => act.do !== "password").map((act) =>
    act.do === "wait" ? act : { ...act, browser: SECOND }
  );
}

/** What must be left of the founder's user, and where the one who verifies the address is. */
interface Left {
  readonly sessions: number;
  readonly passkeys: number;
  readonly accounts: readonly string[];
  readonly hasAddress: boolean;
  /** In the founder's user, in one of their own, or nowhere. */
  readonly next: "there" | "own" | "out";
}

function leftOf({ founding, added, twice, proof }: Row, strategy: Stage["strategy"]): Left {
  const isProven = founding === "a provider that vouches" || founding === "a link";
  const isVouched = added.includes("an account that vouches for the address");
  const founder = {
    "a provider that vouches": ["plain/founder"],
    "a provider that says no": ["plain/founder"],
    "a provider that says nothing": ["plain/founder"],
    "a passkey": [],
    "a link": [],
    "a password": ["password"],
  }[founding];
  const others = added.flatMap((addition) => {
    return addition === "a passkey" ? [] : addition === "an account without a word" ? ["plain/silent"] : addition ===
        "an account that vouches for another"
      ? ["plain/other"]
      : ["plain/vouching"];
  });
  const stored = strategy === "database" ? 1 : 0;
  const all = {
    sessions: (twice ? 2 : 1) * stored,
    passkeys: (founding === "a passkey" ? 1 : 0) + (added.includes("a passkey") ? 1 : 0),
    accounts: [...founder, ...others],
    hasAddress: true,
  };
  if (proof === "a provider that vouches") {
    // Nobody takes an address from whom a provider vouches for, or whom the application knows.
    if (isProven || isVouched || founding === "a password") return { ...all, next: "out" };
    return { ...all, hasAddress: false, next: "own" };
  }
  const linked = proof === "a link" ? [] : ["linking/next"];
  const entered = { hasAddress: true, next: "there" } as const;
  // The founding account is the verification: what came after it stays.
  if (isProven) return { ...all, ...entered, sessions: all.sessions + stored, accounts: [...all.accounts, ...linked] };
  const kept = all.accounts.filter((account) => account === "password" || account === "plain/vouching");
  return { ...entered, sessions: stored, passkeys: 0, accounts: [...kept, ...linked] };
}

async function lookAt(adapter: CompleteAdapter, user: string): Promise<Omit<Left, "next">> {
  const accounts = await adapter.listAccountsByUserId(user);
  return {
    sessions: (await adapter.listSessionsByUserId(user)).length,
    passkeys: (await adapter.listAuthenticatorsByUserId(user)).length,
    accounts: accounts.filter(({ type }) => type !== "webauthn").map(({ provider, providerAccountId }) => {
      return provider === "password" ? provider : `${provider}/${providerAccountId.replace("row-", "")}`;
    }),
    hasAddress: (await adapter.getUser(user))?.email === "ann@row.test",
  };
}

async function run(scene: Scene, oracle: Oracle, acts: readonly Act[]): Promise<void> {
  for (const act of acts) {
    oracle.do(act);
    await scene.do(act);
  }
}

/** Everything that may be added: each choice of it. */
const CHOICES = Object.keys(ADDITIONS).reduce<readonly Addition[][]>(
  (choices, addition) => [...choices, ...choices.map((chosen) => [...chosen, addition as Addition])],
  [[]],
);

const count = countRows("founding");

async function check(stage: Stage, adapter: CompleteAdapter, row: Row): Promise<void> {
  const { founding, added, twice, proof } = row;
  count();
  const [scene, oracle] = [await stage.open("row"), new Oracle(stage)];
  await run(scene, oracle, FOUNDINGS[founding]);
  const user = await scene.inside(FIRST) ?? "";
  await run(scene, oracle, added.flatMap((addition) => ADDITIONS[addition]));
  if (twice) await run(scene, oracle, again(founding));
  await run(scene, oracle, PROOFS[proof]);
  const next = await scene.inside(NEXT);
  const where = next === null ? "out" : next === user ? "there" : "own";
  const told = JSON.stringify(row);
  const expected = leftOf(row, stage.strategy);
  const seen = { ...await lookAt(adapter, user), next: where };
  assert.deepEqual({ ...seen, accounts: seen.accounts.toSorted() }, {
    ...expected,
    accounts: expected.accounts.toSorted(),
  }, told);
  for (const browser of [FIRST, SECOND, NEXT]) {
    const inside = oracle.inside(browser);
    const id = await scene.inside(browser);
    assert.equal(id === null ? null : id === user ? 0 : 1, inside, `browser ${browser}: ${told}`);
  }
}

function rows(stage: Stage, choices: readonly (readonly Addition[])[]): Row[] {
  const foundings = (Object.keys(FOUNDINGS) as Founding[]).filter((founding) => {
    // A sealed session with a password is nobody's whom storage knows.
    return stage.strategy === "database" || founding !== "a password";
  });
  return foundings.flatMap((founding) =>
    choices.flatMap((added) =>
      [false, true].flatMap((twice) =>
        (Object.keys(PROOFS) as Proof[]).map((proof) => ({ founding, added, twice, proof }))
      )
    )
  );
}

for (const strategy of ["database", "jwt"] as const) {
  const kept = strategy === "database" ? "stored" : "sealed";

  test(`with ${kept} sessions the first verification leaves what the contract says, in every row`, async () => {
    let adapter = memoryAdapter();
    const stage = signInStage(() => adapter, strategy);
    for (const row of rows(stage, CHOICES)) {
      adapter = memoryAdapter();
      await check(stage, adapter, row);
    }
  });

  test(`with ${kept} sessions it does so through the handler`, async () => {
    let adapter = memoryAdapter();
    const stage = handlerStage(() => adapter, strategy);
    for (const row of rows(stage, [CHOICES.at(-1) ?? []]).filter(({ twice }) => twice)) {
      adapter = memoryAdapter();
      await check(stage, adapter, row);
    }
  });
}

test("a password from before the verification is asked about, and what the application says counts from then on", async () => {
  const asked: unknown[] = [];
  const { visitor, passwords, links } = await openVisitedService({
    adapter: memoryAdapter(),
    session: { strategy: "database" },
    callbacks: {
      signIn({ account, emailProvenElsewhere }) {
        if (account?.type === "credentials") asked.push(emailProvenElsewhere);
        return true;
      },
    },
  });
  const email = "ann@row.test";
  passwords.set("ann", { id: "ann", email });
  await visitor().type("ann");
  const owner = visitor();
  await owner.ask(email);
  await owner.open(links.get(email) ?? new URL("http://localhost"));
  for (let time = 0; time < 2; time++) {
    const typed = visitor();
    await typed.type("ann");
    assert.equal(await typed.inside(), "ann");
  }
  assert.deepEqual(asked, [undefined, true, undefined]);
});
