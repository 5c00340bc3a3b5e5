import type { Mutant } from "./_mutant.ts";

const TOKENS = ["tests/unit/oauth_client/token_endpoint_test.ts"];
const REQUESTS = ["tests/unit/oauth/vendor_requests_test.ts"];
const ANSWERS = ["tests/unit/contract/provider_answers_test.ts"];
const TABLE = ["tests/unit/providers/catalogue_test.ts"];
const STORY = ["tests/stories/catalogue_test.ts"];

/** What providers may demand and answer beside the standard, and what the records of the catalogue hold them to. */
export const catalogue: readonly Mutant[] = [
  {
    name: "CAT-1: token.form replaces parameters of the protocol",
    file: "src/oauth_client/token_endpoint.ts",
    find: "if (!body.has(name) && value",
    replace: "if (value",
    tests: TOKENS,
  },
  {
    name: "CAT-1: what is absent in token.form is sent as text",
    file: "src/oauth_client/token_endpoint.ts",
    find: "&& value !== undefined && value !== null) body.set",
    replace: ") body.set",
    tests: TOKENS,
  },
  {
    name: "CAT-1: a token.form that throws is blamed on the answer",
    file: "src/oauth_client/token_endpoint.ts",
    find: 'throw new OAuthProviderError(`Cannot request tokens: \\`token.form\\` of provider "${id}" failed`, {\n' +
      '      logCode: "callback-threw",\n      cause: error,\n    });',
    replace: "throw error;",
    tests: TOKENS,
  },
  {
    name: "CAT-1: token.form takes a refresh for the exchange of a code",
    file: "src/oauth_client/token_endpoint.ts",
    find: 'const grantType = params ? "authorization_code" : "refresh_token";',
    replace: 'const grantType = "authorization_code";',
    tests: TOKENS,
  },
  {
    name: "CAT-1: only the first space between scopes is replaced",
    file: "src/oauth/authorization_url.ts",
    find: '.replaceAll(" ", scopeSeparator)',
    replace: '.replace(" ", scopeSeparator)',
    tests: REQUESTS,
  },
  {
    name: "CAT-1: a plain code challenge is called S256",
    file: "src/oauth/authorization_url.ts",
    find: 'params.set("code_challenge_method", codeChallengeMethod);',
    replace: 'params.set("code_challenge_method", "S256");',
    tests: REQUESTS,
  },
  {
    name: "CAT-1: every code challenge is plain",
    file: "src/oauth/authorization_url.ts",
    find: 'codeChallengeMethod = "S256" } = provider',
    replace: 'codeChallengeMethod = "plain" } = provider',
    tests: REQUESTS,
  },
  {
    name: "H05: a profile is read from an error",
    file: "src/contract/provider_answers.ts",
    find: "isRefusal ? null : await answer.json()",
    replace: "await answer.json()",
    tests: ANSWERS,
  },
  {
    name: "H05: text and numbers are profiles",
    file: "src/contract/provider_answers.ts",
    find: 'typeof value === "object" ? value as T | null : null',
    replace: "value as T | null",
    tests: ANSWERS,
  },
  {
    name: "H05: zero is an id",
    file: "src/contract/provider_answers.ts",
    find: "return id && (typeof id",
    replace: "return (typeof id",
    tests: ANSWERS,
  },
  {
    name: "H05: objects and truth are ids",
    file: "src/contract/provider_answers.ts",
    find: 'id && (typeof id === "number" || typeof id === "string") ? String(id)',
    replace: "id ? String(id)",
    tests: ANSWERS,
  },
  {
    name: "CAT-2: an access token is sent in the header although it is sent elsewhere",
    file: "src/contract/provider_answers.ts",
    find: "...(scheme && { authorization: `${scheme} ${tokens.access_token}` })",
    replace: 'authorization: `${scheme ?? "Bearer"} ${tokens.access_token}`',
    tests: ANSWERS,
  },
  {
    name: "H05: a repair turns an error of the token endpoint into tokens",
    file: "src/contract/provider_answers.ts",
    find: "Response.json(repair(body), { status: response.status })",
    replace: "Response.json(repair(body))",
    tests: ANSWERS,
  },
  {
    name: "H05: a repair is asked about a list",
    file: "src/contract/provider_answers.ts",
    find: "return isObject(body) ? Response",
    replace: "return body ? Response",
    tests: ANSWERS,
  },
  {
    name: "CAT-1: Spotify sends no code challenge",
    file: "src/providers/spotify.ts",
    find: 'checks: ["state", "pkce"]',
    replace: 'checks: ["state"]',
    tests: TABLE,
    only: "spotify",
  },
  {
    name: "CAT-1: TikTok gets its scopes with spaces",
    file: "src/providers/tiktok.ts",
    find: 'scopeSeparator: ","',
    replace: 'scopeSeparator: " "',
    tests: TABLE,
    only: "tiktok",
  },
  {
    name: "CAT-2: Atlassian gets the secret in a header",
    file: "src/providers/atlassian.ts",
    find: '"client_secret_post"',
    replace: '"client_secret_basic"',
    tests: STORY,
    only: "atlassian",
  },
  {
    name: "CAT-2: a refresh at Withings lacks what Withings demands of each token request",
    file: "src/providers/withings.ts",
    find: 'form: { action: "requesttoken" },',
    replace: 'form: ({ grantType }) => grantType === "refresh_token" ? {} : { action: "requesttoken" },',
    tests: STORY,
    only: "withings",
  },
  {
    name: "CAT-2: 42 School asks another host for the profile",
    file: "src/providers/42_school.ts",
    find: '"https://api.intra.42.fr/v2/me"',
    replace: '"https://api.42.fr/v2/me"',
    tests: STORY,
    only: "42-school",
  },
  {
    name: "CAT-3: whoever imports Spotify loads GitHub, too",
    file: "src/providers/spotify.ts",
    find: 'import type { Profile } from "../kernel/model.ts";',
    replace: 'import type { Profile } from "../kernel/model.ts";\nimport "./github.ts";',
    tests: ["tests/promises/catalogue_graph_test.ts"],
    only: "each",
  },
  {
    name: "CAT-2, H05: the error of a profile quotes the access token",
    file: "src/contract/provider_answers.ts",
    find: "answer.isRefusal ? `answered ${answer.status}`",
    replace: "answer.isRefusal ? `answered ${answer.status} to ${context.tokens.access_token}`",
    tests: STORY,
    only: "tiktok",
  },
];
