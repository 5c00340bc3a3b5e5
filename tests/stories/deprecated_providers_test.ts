/** Providers that Auth.js has, and whose services have ended or have another name: they work as there, and say so. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { createAuth, type ProviderInput } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { hydra } from "@x/auth/providers/hydra";
import { make, open, ORIGIN, Visitor } from "../_support/both_libraries.ts";
import { CLIENT, OAUTH_ROWS, ProviderDouble, type ProviderObject } from "../_support/provider_objects.ts";
import { SECRET } from "../_support/service.ts";

type Factory = (options?: object) => ProviderObject;

/** What the log says to use, by the name of the file. */
const SUCCESSORS: Readonly<Record<string, RegExp>> = {
  "azure-devops": /"azure-devops" is deprecated.*`microsoftEntraId` of @x\/auth\/providers\/microsoft-entra-id/,
  "email": /"email" is deprecated.*`nodemailer\(\{ id: "email", … \}\)` of @x\/auth\/providers\/nodemailer/,
  "identity-server4":
    /"identity-server4" is deprecated.*`duendeIdentityServer6` of @x\/auth\/providers\/duende-identity-server6/,
  "medium": /"medium" is deprecated.*choose another provider/,
  "osso": /"osso" is deprecated.*`boxyhqSaml` of @x\/auth\/providers\/boxyhq-saml/,
  "passage": /"passage" is deprecated.*`passkey` of @x\/auth\/providers\/passkey/,
};

const NAMES = ["ory-hydra", ...Object.keys(SUCCESSORS)];

const realFetch = globalThis.fetch;

afterEach(() => {
  globalThis.fetch = realFetch;
});

async function load(name: string): Promise<{ readonly factory: Factory; readonly members: object }> {
  const members = await import(`@x/auth/providers/${name}`);
  return { factory: members.default, members };
}

function optionsOf(name: string): object {
  if (name === "email") return { server: "smtp://localhost", from: "site@example.com" };
  return { ...CLIENT, issuer: "https://id.example.com", ...OAUTH_ROWS[name]?.options };
}

for (const name of NAMES) {
  test(`${name} is a default export, and has a name like all providers`, async () => {
    const { factory, members } = await load(name);
    const camel = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    assert.equal((members as Record<string, unknown>)[camel], factory);
  });
}

for (const [name, successor] of Object.entries(SUCCESSORS)) {
  test(`${name} is offered, and the log names once what to use`, async () => {
    const { factory } = await load(name);
    const warnings: (readonly [string, string | undefined])[] = [];
    const { handler } = createAuth({
      providers: [factory(optionsOf(name)) as unknown as ProviderInput],
      adapter: memoryAdapter(),
      secret: SECRET,
      trustHost: true,
      logger: { error: assert.fail, warn: (code, message) => void warnings.push([code, message]), debug: () => {} },
    });
    for (const _ of ["first", "second"]) {
      const response = await handler(new Request("https://app.test/auth/providers"));
      assert.deepEqual(Object.keys(await response.json()), [name]);
    }
    assert.deepEqual(warnings.map(([code]) => code), ["provider-deprecated"]);
    assert.match(warnings[0]?.[1] ?? "", successor);
  });
}

test("ory-hydra is hydra, whose id it has in Auth.js, too", async () => {
  assert.equal((await load("ory-hydra")).factory, hydra);
  assert.equal((await make("ory-hydra", optionsOf("ory-hydra"))).id, "hydra");
});

for (const name of Object.keys(SUCCESSORS).filter((name) => name !== "email")) {
  test(`${name}: the sign-in and its user are those of Auth.js`, async () => {
    const row = OAUTH_ROWS[name] ?? assert.fail(name);
    const their = await make(name, optionsOf(name));
    const our = (await load(name)).factory(optionsOf(name));
    const [theirs, ours] = [await signIn("theirs", their, their), await signIn("ours", our, their)];
    assert.deepEqual(ours, theirs);

    async function signIn(side: "ours" | "theirs", provider: ProviderObject, facts: ProviderObject) {
      const { token } = provider;
      // In Auth.js its token requests go to the authorization endpoint, where nobody answers them.
      const double = new ProviderDouble(row, name === "azure-devops" && token ? { ...facts, token } : facts);
      globalThis.fetch = double.fetch as typeof fetch;
      const { service, signedIn, errors, id } = open(side, provider);
      const visitor = new Visitor(service);
      const asked = await visitor.start(id);
      const end = await visitor.comeBack(id, double.consent(asked), false);
      assert.deepEqual([errors, end.href], [[], `${ORIGIN}/`]);
      const { name: called, email = null, image = null } = signedIn[0]?.user ?? {};
      return {
        endpoint: asked.origin + asked.pathname,
        scope: asked.searchParams.get("scope"),
        type: asked.searchParams.get("response_type"),
        account: signedIn[0]?.account.providerAccountId,
        user: { called, email, image },
      };
    }
  });
}
