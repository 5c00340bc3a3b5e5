import type { Mutant } from "./_mutant.ts";

const EVE = ["tests/unit/providers/eveonline_test.ts"];
const REQUESTS = ["tests/unit/providers/own_requests_test.ts"];
const ERRORS = ["tests/unit/providers/own_errors_test.ts"];
const REFRESH = ["tests/unit/access_tokens/refresh_test.ts"];
const OPTIONS = ["tests/unit/config/required_options_test.ts"];

/** What vendors do in a way of their own. */
export const vendors: readonly Mutant[] = [
  {
    name: "CAT-1: EVE Online: an access token of any issuer says who signed in",
    file: "src/providers/eveonline.ts",
    find: "if (!ISSUERS.includes(iss))",
    replace: "if (!iss)",
    tests: EVE,
  },
  {
    name: "CAT-1: EVE Online: an access token of another application says who signed in",
    file: "src/providers/eveonline.ts",
    find: "if (![aud].flat().includes(clientId))",
    replace: "if (!aud)",
    tests: EVE,
  },
  {
    name: "CAT-1: EVE Online: an access token that has expired says who signed in",
    file: "src/providers/eveonline.ts",
    find: '!(now > 0 && typeof exp === "number" && exp > now)',
    replace: 'typeof exp !== "number"',
    tests: EVE,
  },
  {
    name: "CAT-1: EVE Online: without a lifetime every access token is valid",
    file: "src/providers/eveonline.ts",
    find: "now > 0 && ",
    replace: "",
    tests: EVE,
  },
  {
    name: "CAT-1: EVE Online: a character is found anywhere in sub",
    file: "src/providers/eveonline.ts",
    find: "/^CHARACTER:EVE:(\\d+)$/",
    replace: "/CHARACTER:EVE:(\\d+)/",
    tests: EVE,
  },
  {
    name: "H05: Etsy: any id goes into a path",
    file: "src/providers/etsy.ts",
    find: "/^\\d+$/",
    replace: "/\\d/",
    tests: REQUESTS,
  },
  {
    name: "V25: Eventbrite: an address is verified because another one is",
    file: "src/providers/eventbrite.ts",
    find: "email_verified: main?.verified === true",
    replace: "email_verified: profile.emails?.some(({ verified }) => verified === true) ?? false",
    tests: REQUESTS,
  },
  {
    name: "V25: Kakao: an address that belongs to somebody else by now is verified",
    file: "src/providers/kakao.ts",
    find: "is_email_valid === true && ",
    replace: "",
    tests: REQUESTS,
  },
  {
    name: "V25: Intuit: any emailVerified is a yes",
    file: "src/providers/intuit.ts",
    find: "profile.emailVerified === true",
    replace: "Boolean(profile.emailVerified)",
    tests: REQUESTS,
  },
  {
    name: "CAT-1: Lichess: the address is that of the profile",
    file: "src/providers/lichess.ts",
    find: "email: answer?.email ?? null",
    replace: "email: answer?.email ?? profile.email",
    tests: REQUESTS,
  },
  {
    name: "CAT-1: HubSpot: an access token that is not active says who signed in",
    file: "src/providers/hubspot.ts",
    find: "profile.active !== true",
    replace: "profile.active === false",
    tests: ERRORS,
  },
  {
    name: "CAT-1: HubSpot: callbacks get the access token in the profile",
    file: "src/providers/hubspot.ts",
    find: "{ token: _, signed_access_token: __, ...profile }",
    replace: "profile",
    tests: REQUESTS,
  },
  {
    name: "H05: Gumroad: an error is a profile",
    file: "src/providers/gumroad.ts",
    find: "profile.success !== true",
    replace: "profile.success === false",
    tests: ERRORS,
  },
  {
    name: "CAT-1: Gitea: a wrong secret is the fault of whoever signs in",
    file: "src/providers/gitea.ts",
    find: ' && body.error_description === "client is not authorized"',
    replace: "",
    tests: ERRORS,
  },
  {
    name: "CAT-1: a refresh goes to the endpoint for codes although the provider has another one",
    file: "src/oauth_client/token_endpoint.ts",
    find: "refreshUrl && !params ? String(refreshUrl) : server.metadata.token_endpoint",
    replace: "server.metadata.token_endpoint",
    tests: REFRESH,
  },
  {
    name: "CAT-1: metadata in a place of its own is not looked for below the issuer of the environment",
    file: "src/config/merge_provider.ts",
    find: ' || name === "wellKnown"',
    replace: "",
    tests: OPTIONS,
  },
];
