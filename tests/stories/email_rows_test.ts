/** What a sign-in by email stores and tells, compared with Auth.js. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bothServices, Client, type Side } from "../_support/both_services.ts";
import { mapAdapter } from "../_support/sign_in_twice.ts";

type Row = Readonly<Record<string, unknown>>;
type Adapter = Record<string, (...args: unknown[]) => Promise<Row | null>>;

/** A service of one side that sends emails, and what it stored and sent. */
function open(config: object, provider: object = {}, adapter = mapAdapter() as Adapter) {
  return (["here", "there"] as const).map((name: Side["name"]) => {
    const stored: [operation: string, row: Row][] = [];
    const mails: Row[] = [];
    const watched = Object.fromEntries(
      Object.entries(name === "here" ? adapter : mapAdapter() as Adapter).map(([operation, run]) => [
        operation,
        (...args: unknown[]) => {
          if (/^create/.test(operation)) stored.push([operation, args[0] as Row]);
          return run(...args);
        },
      ]),
    );
    const sides = bothServices(() => ({
      adapter: watched,
      providers: [{
        id: "email",
        name: "Email",
        type: "email",
        sendVerificationRequest: (mail: Row) => void mails.push(mail),
        ...provider,
      }],
      ...config,
    }));
    return { client: new Client(sides[name === "here" ? 0 : 1]), stored, mails };
  });
}

async function signIn({ client, mails }: { client: Client; mails: readonly Row[] }, email: string) {
  await client.post("/auth/signin/email", { email });
  await (await client.send(String(mails.at(-1)?.url))).body?.cancel();
  return (await client.json("/auth/session"))?.user;
}

test("an address that an own normalizeIdentifier returns is stored as it is, as with Auth.js", async () => {
  const rows = await Promise.all(
    open({}, { normalizeIdentifier: (address: string) => address.trim().replace("+shop", "") }).map(async (side) => {
      const user = await signIn(side, " Ada+shop@Example.com");
      const addresses = side.stored.map(([operation, { email, identifier }]) => [operation, email ?? identifier]);
      return {
        user,
        addresses,
        sent: side.mails[0]?.identifier,
        link: new URL(String(side.mails[0]?.url)).searchParams.get("email"),
      };
    }),
  );
  const [here, there] = rows;
  assert.deepEqual(here?.addresses.slice(0, 2), [
    ["createVerificationToken", "Ada@Example.com"],
    ["createUser", "Ada@Example.com"],
  ]);
  assert.deepEqual(here, there);
});

for (const theme of [undefined, { brandColor: "#346df1" }, { colorScheme: "dark", logo: "/logo.svg" }]) {
  test(`sendVerificationRequest is given a theme as Auth.js gives it, with ${JSON.stringify(theme)}`, async () => {
    const [here, there] = await Promise.all(
      open({ ...(theme && { theme }) }).map(async (side) => {
        await signIn(side, "ada@example.com");
        return side.mails[0]?.theme as Row;
      }),
    );
    // Where a theme is configured, Auth.js leaves out what it does not say.
    assert.deepEqual(here, { colorScheme: "auto", logo: "", brandColor: "", buttonText: "", ...there });
  });
}
