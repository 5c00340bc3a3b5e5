/** `authorization.scopeSeparator` and `authorization.codeChallengeMethod`: what vendors have instead of the standard. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { AuthorizationEndpoint } from "../../../src/contract/provider.ts";
import { createIssuer } from "../../_support/issuer.ts";
import { visit } from "./_flow.ts";

async function start(
  authorization: AuthorizationEndpoint,
  added: Readonly<Record<string, string>> = {},
): Promise<URLSearchParams> {
  const issuer = createIssuer();
  const provider = issuer.oauthProvider({ authorization: { url: `${issuer.url}/authorize`, ...authorization } });
  return new URL(await visit(issuer, provider).start(added)).searchParams;
}

test("scopes are separated as the vendor wants, wherever they come from", async () => {
  const rows: readonly (readonly [AuthorizationEndpoint, Readonly<Record<string, string>>, string | null])[] = [
    [{ params: { scope: "a b c" }, scopeSeparator: "," }, {}, "a,b,c"],
    [{ params: { scope: ["a", "b"] }, scopeSeparator: "," }, {}, "a,b"],
    [{ params: { scope: "a b" }, scopeSeparator: "," }, { scope: "c d" }, "c,d"],
    [{ url: "https://idp.test/authorize?scope=a+b", scopeSeparator: "," }, {}, "a,b"],
    [{ params: { scope: "a,b" }, scopeSeparator: "," }, {}, "a,b"],
    [{ params: { scope: "" }, scopeSeparator: "," }, {}, null],
    [{ params: { scope: "a b" } }, {}, "a b"],
    // What looks like a parameter stays part of the value.
    [{ params: { scope: "a b" }, scopeSeparator: "&state=x&" }, {}, "a&state=x&b"],
  ];
  for (const [authorization, added, expected] of rows) {
    const params = await start(authorization, added);
    assert.equal(params.get("scope"), expected, JSON.stringify([authorization, added]));
    assert.equal(params.getAll("state").length, 1);
    assert.notEqual(params.get("state"), "x");
  }
});

test("a code challenge is made with S256 unless the vendor knows only plain, and its verifier fits", async () => {
  for (const codeChallengeMethod of [undefined, "S256", "plain"] as const) {
    const issuer = createIssuer();
    const provider = issuer.oauthProvider({
      authorization: { url: `${issuer.url}/authorize`, codeChallengeMethod },
    });
    const browser = visit(issuer, provider);
    const { searchParams: params } = new URL(await browser.start());
    const challenge = params.get("code_challenge");
    assert.equal(params.get("code_challenge_method"), codeChallengeMethod ?? "S256");
    // This issuer knows S256 alone, so it refuses the other one, and has seen the verifier.
    const { params: answer } = await issuer.consent(`https://idp.test/authorize?${params}`);
    await browser.finish(answer).catch(() => {});
    const verifier = issuer.requests.find(({ endpoint }) => endpoint === "token")?.form.get("code_verifier") ?? "";
    const hashed = createHash("sha256").update(verifier).digest("base64url");
    assert.equal(challenge, codeChallengeMethod === "plain" ? verifier : hashed);
    assert.ok(verifier.length >= 43);
  }
});

test("a configuration does not replace the method or the challenge", async () => {
  const lies = { code_challenge: "x", code_challenge_method: "plain", state: "x" };
  const sent = await start({ params: lies });
  assert.equal(sent.get("code_challenge_method"), "S256");
  assert.notEqual(sent.get("code_challenge"), "x");
  assert.notEqual(sent.get("state"), "x");
});
