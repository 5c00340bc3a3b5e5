import type { Mutant } from "./_mutant.ts";

const MUSTS = ["tests/security/logout_musts_test.ts"];
const ATTACKS = ["tests/security/logout_test.ts"];
const TOKEN = "src/logout/logout_token.ts";
const BACK = "src/logout/backchannel.ts";
const FRONT = "src/logout/frontchannel.ts";
const RP = "src/logout/rp_initiated.ts";
const URLS = "src/logout/end_session_url.ts";

/** A rule of logout tokens that always holds. */
function rule(name: string, find: string, replace: string, only = "back-channel"): Mutant {
  return { name: `OID-7: ${name}`, file: TOKEN, find, replace, tests: MUSTS, only };
}

/** Logout at a provider and by a provider. */
export const logout: readonly Mutant[] = [
  rule(
    "any typ is that of a logout token",
    'typ === undefined || (typeof typ === "string" && /^(?:application\\/)?logout\\+jwt$/i.test(typ)),',
    'typ === undefined || typ !== "",',
  ),
  rule("a logout token may be of any issuer", "({ claims: { iss } }, { issuer }) => iss === issuer,", "() => true,"),
  rule(
    "a logout token may be for other clients, too",
    "return audiences.includes(clientId) && (audiences.length === 1 || azp === clientId);",
    "return audiences.includes(clientId);",
  ),
  rule(
    "a logout token may be for another client",
    "return audiences.includes(clientId) && (audiences.length === 1 || azp === clientId);",
    "return audiences.length === 1;",
  ),
  rule("azp of a logout token is not looked at", "if (azp !== undefined && azp !== clientId) return false;", ""),
  rule(
    "a logout token needs no exp",
    "isTime(exp) && exp > now - tolerance,",
    "!isTime(exp) || exp > now - tolerance,",
  ),
  rule("a logout token never expires", "isTime(exp) && exp > now - tolerance,", "isTime(exp),"),
  rule("a logout token may be of any age", "&& iat >= now - OLDEST - tolerance,", ","),
  rule("a logout token may be from the future", "isTime(iat) && iat <= now + tolerance &&", "isTime(iat) &&"),
  rule("a logout token may be for later", "(isTime(nbf) && nbf <= now + tolerance),", "isTime(nbf),"),
  rule(
    "a logout token may hold other events",
    "isObject(events) && Object.keys(events).length === 1 &&",
    "isObject(events) &&",
  ),
  rule("the event of a logout token may be anything", "&&\n    isObject(events[LOGOUT_EVENT]),", ","),
  rule("a logout token may have a nonce", '({ claims }) => !("nonce" in claims),', "() => true,"),
  rule("a nonce that is null is none", '!("nonce" in claims)', "(claims.nonce ?? undefined) === undefined"),
  rule(
    "a client that demands sid does without it",
    "({ claims: { sid } }, { sidRequired }) => !sidRequired || isId(sid),",
    "() => true,",
  ),
  rule("a logout token needs no jti", "({ claims: { jti } }) => isId(jti),", "() => true,"),
  rule("any sid is one", "sid === undefined || isId(sid),", "true,"),
  rule("any sub is one", "sub === undefined || isId(sub),", "true,"),
  rule(
    "the header chooses between a public key and a shared secret",
    "return !isMac(alg) && (Array.isArray(announced)",
    "return (Array.isArray(announced)",
    "back-channel, 2.6, 3",
  ),
  rule(
    "the registered algorithm is not demanded",
    "if (registered !== undefined) return alg === registered;",
    "if (registered !== undefined) return true;",
    "back-channel, 2.6, 3",
  ),
  {
    name: "OID-7: an algorithm that the provider does not announce is accepted",
    file: TOKEN,
    find: '(Array.isArray(announced) ? announced.includes(alg) : alg === "RS256")',
    replace: "(Array.isArray(announced) || true)",
    tests: MUSTS,
    only: "back-channel, 2.6, 3",
  },
  {
    name: "OID-7: the signature of a logout token is not verified",
    file: BACK,
    find: "await assertSigned(ctx, signer, { text, token, alg, response });",
    replace: "void [signer, response, assertSigned];",
    tests: MUSTS,
    only: "back-channel, 2.6, 2",
  },
  {
    name: "OID-7, V68: a logout token is accepted twice",
    file: BACK,
    find: 'if (!await storage.once(key, expires)) throw new InvalidLogoutToken("its jti was used before");',
    replace: "await storage.once(key, expires);",
    tests: ATTACKS,
    only: "two logout tokens",
  },
  {
    name: "OID-7, V68: the jti of a logout token is forgotten while the token would be accepted",
    file: BACK,
    find: "(Number(iat) + OLDEST + clockTolerance + 1) * 1000",
    replace: "(Number(iat) + OLDEST) * 1000",
    tests: ATTACKS,
    only: "a logout token is refused a second time",
  },
  {
    name: "OID-7: JSON is a back-channel logout, too",
    file: BACK,
    find:
      'if (!FORM.test(request.headers.get("content-type") ?? "")) throw new InvalidLogoutToken("the body is not a form");',
    replace: "void [FORM, request];",
    tests: MUSTS,
    only: "back-channel, 2.5",
  },
  {
    name: "OID-7: a logout token is an id_token",
    file: "src/oauth_client/id_token.ts",
    find: "!(isObject(events) && Object.hasOwn(events, LOGOUT_EVENT)),",
    replace: "events === undefined || isObject(events),",
    tests: ATTACKS,
    only: "a logout token is no id_token",
  },
  {
    name: "OID-7: front-channel logout: any site may say that somebody logged out",
    file: FRONT,
    find: "if (!isIssuer(provider, issuer, iss) || !isId(sid)) {",
    replace: "if (!isId(sid)) {",
    tests: MUSTS,
    only: "front-channel, 2",
  },
  {
    name: "OID-7: front-channel logout: the session of the browser ends with any sid",
    file: FRONT,
    find: "if (!active || own?.provider !== provider || own.sid !== sid) return undefined;",
    replace: "if (!active || own?.provider !== provider) return undefined;",
    tests: MUSTS,
    only: "front-channel, 2",
  },
  {
    name: "OID-7: front-channel logout: any site may frame the answer",
    file: FRONT,
    find: "frame-ancestors ${ancestor}; sandbox`",
    replace: "frame-ancestors ${ancestor} *; sandbox`",
    tests: MUSTS,
    only: "front-channel, 2",
  },
  {
    name: "OID-7: front-channel logout: HEAD ends sessions",
    file: FRONT,
    find: 'if (ctx.request.method !== "GET") return answer;',
    replace: "",
    tests: MUSTS,
    only: "front-channel: HEAD",
  },
  {
    name: "OID-7: RP-initiated logout: a foreign state leads on",
    file: RP,
    find: "(state === null ? !logout.sent : sameText(logout.state, state))",
    replace: "(state === null ? !logout.sent : state !== '')",
    tests: MUSTS,
    only: "RP-initiated, 3",
  },
  {
    name: "OID-7: RP-initiated logout: a return without state leads on",
    file: RP,
    find: "(state === null ? !logout.sent : sameText(logout.state, state))",
    replace: "(state === null || sameText(logout.state, state))",
    tests: MUSTS,
    only: "RP-initiated, 3",
  },
  {
    name: "OID-7: RP-initiated logout: the cookie of a sign-in passes for that of a logout",
    file: RP,
    find: 'return `${cookies.nameOf("state")}.${SLOT}`;',
    replace: 'return cookies.nameOf("state");',
    tests: ATTACKS,
    only: "the cookie of a sign-in",
  },
  {
    name: "OID-7: RP-initiated logout: a provider gives the browser back for another one",
    file: RP,
    find: "logout !== null && logout.provider === provider.id &&",
    replace: "logout !== null &&",
    tests: ATTACKS,
    only: "the sign-out of",
  },
  {
    name: "OID-7: RP-initiated logout: a provider that hangs makes the sign-out fail",
    file: RP,
    find: "await withDeadline(runtime, timeouts.total * SHARE, what, () => beginLogout(ctx, input))",
    replace: "await beginLogout(ctx, input, void [runtime, timeouts, SHARE, what, withDeadline] as never)",
    tests: ATTACKS,
    only: "a sign-out ends here",
  },
  {
    name: "OID-7: RP-initiated logout: parameters of the configuration replace those of the protocol",
    file: URLS,
    find: "setParams(search, configured);\n  setParams(search, params);",
    replace: "setParams(search, params);\n  setParams(search, configured);",
    tests: ATTACKS,
    only: "`logout` can be",
  },
  {
    name: "OID-7: RP-initiated logout: a URL that is not https is followed",
    file: URLS,
    find: "if (redirectUrl && isSecureUrl(redirectUrl, allowInsecureRequests)) return redirectUrl;",
    replace: "if (redirectUrl) return redirectUrl;",
    tests: ATTACKS,
    only: "a sign-out ends here and says so",
  },
  {
    name: "OID-7: RP-initiated logout: an endpoint that is not the standard gets the id_token",
    file: URLS,
    find: "const params: Params = isStandard ? standard : { client_id, [returnParam]: back };",
    replace: "const params: Params = isStandard ? standard : { ...standard, [returnParam]: back };",
    tests: ATTACKS,
    only: "a provider with its own name",
  },
  {
    name: "OID-7: RP-initiated logout: the id_token is kept for every provider",
    file: "src/oauth/profile.ts",
    find: "const isHint = logout !== false && claims !== null",
    replace: "const isHint = claims !== null",
    tests: ATTACKS,
    only: "nothing is kept",
  },
  {
    name: "OID-7: RP-initiated logout: the claims hold the id_token as it is",
    file: "src/stores/provider_session.ts",
    find: "isHint ? await sealAtRest(sealer, hintOf(provider), idToken) : undefined",
    replace: "isHint ? (await sealAtRest(sealer, hintOf(provider), idToken), idToken) : undefined",
    tests: ATTACKS,
    only: "the id_token of",
  },
  {
    name: "OID-7: RP-initiated logout: whatever a claim holds is sent as the id_token",
    file: "src/stores/provider_session.ts",
    find: "return hint && await openAtRest(sealer, hint, hint.sealed);",
    replace: "return hint && (await openAtRest(sealer, hint, hint.sealed) ?? hint.sealed);",
    tests: ATTACKS,
    only: "a hint that was not sealed here",
  },
  {
    name: "BCL-24: a logout token need not be encrypted where id_tokens are",
    file: "src/logout/backchannel.ts",
    find: ': await openAnswer(provider, "id_token", text, "logout_token")',
    replace: ': text.split(".").length === 3 ? text : await openAnswer(provider, "id_token", text, "logout_token")',
    tests: ["tests/security/encrypted_logout_musts_test.ts"],
    only: "that is not encrypted",
  },
];
