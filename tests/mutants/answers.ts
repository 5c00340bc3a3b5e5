import type { Mutant } from "./_mutant.ts";

const HOSTILE = ["tests/stories/hostile_response_test.ts"];
const HONO = ["tests/stories/hono_test.ts"];
const BAD = ["tests/stories/bad_requests_test.ts"];
const GUARD = ["tests/stories/guard_test.ts"];
const RAW = ["tests/stories/raw_test.ts"];

/** What an answer shares with the next one, and what is answered to a request that is none. */
export const answers: readonly Mutant[] = [
  {
    name: "ANS-1: answers share their headers",
    file: "src/service/respond.ts",
    find: "const headers = own?.headers ?? new Headers();",
    replace: "const headers = own?.headers ?? ((responseOf as { last?: Headers }).last ??= new Headers());",
    tests: HONO,
  },
  {
    name: "ANS-1: headers are set on a response of any class, which may lose them",
    file: "src/service/respond.ts",
    find: "const own = response && isDenosOwn(response) ? response : null;",
    replace: "const own = response ?? new Response(body, { status });",
    tests: HONO,
  },
  {
    name: "ANS-4: a class that extends Deno's is taken for it",
    file: "src/kernel/runtime.ts",
    find: "Object.getPrototypeOf(Object.getPrototypeOf(response)) === Object.prototype &&",
    replace: "",
    tests: HOSTILE,
  },
  {
    name: "ANS-7: everybody catches the same error of the configuration",
    file: "src/service/configure.ts",
    find: "return new Same(problem.message, { cause: problem.cause, logCode: problem.logCode });",
    replace: "return Same && problem;",
    tests: RAW,
  },
  {
    name: "ANS-8: everybody catches the same error of a provider",
    file: "src/oauth_client/discovery.ts",
    find:
      "throw error instanceof OAuthProviderError\n      ? new OAuthProviderError(error.message, { cause: error.cause, logCode: error.logCode })\n      : error;",
    replace: "throw error;",
    tests: ["tests/unit/oauth_client/discovery_test.ts"],
  },
  {
    name: "ANS-9: a provider's metadata can be written on",
    file: "src/oauth_client/discovery.ts",
    find: "metadata: Object.freeze(metadata),",
    replace: "metadata,",
    tests: ["tests/unit/oauth_client/discovery_test.ts"],
  },
  {
    name: "ANS-10: whoever sends an email changes the provider for the next one",
    file: "src/config/resolve_provider.ts",
    find: "{ ...request, provider: { ...provider, maxAge, ...added } }",
    replace: "{ ...request, provider: Object.assign(provider, added) }",
    tests: ["tests/unit/config/resolve_provider_test.ts"],
  },
  {
    name: "ANS-12: caches of networks keep an answer with a renewed session",
    file: "src/http/with_cookies.ts",
    find: "for (const name of [...headers.keys()].filter((name) => CACHED.test(name))) headers.delete(name);",
    replace: 'if (!CACHED) headers.delete("x-none");',
    tests: GUARD,
  },
  {
    name: "ANS-13: caches do not know that an answer depends on the cookie",
    file: "src/http/with_cookies.ts",
    find: 'headers.append("vary", "Cookie");',
    replace: ";",
    tests: GUARD,
  },
  {
    name: "ANS-13: a response keeps a cookie beside the one of the same name that is to replace it",
    file: "src/http/with_cookies.ts",
    find: 'headers.delete("set-cookie");',
    replace: ";",
    tests: ["tests/unit/http/with_cookies_test.ts"],
  },
  {
    name: "ANS-14: the handler throws where a URL is none",
    file: "src/service/configure.ts",
    find:
      'throw readUrl(incoming) ? cause : new BadRequest("Cannot read the request: its URL is not valid", { cause });',
    replace: "throw cause;",
    tests: BAD,
  },
  {
    name: "ANS-15: a guard throws where a URL is none",
    file: "src/service/access.ts",
    find: "url: readUrl(request)",
    replace: "url: new URL(request.url)",
    tests: BAD,
  },
  {
    name: "ANS-16: reading what stands for a URL throws",
    file: "src/http/origin.ts",
    find: "  try {\n    return new URL(request.url);\n  } catch {\n    return null;\n  }",
    replace: "  return new URL(request.url);",
    tests: BAD,
  },
  {
    name: "ANS-17: a URL that is none is taken for a fault of the configuration",
    file: "src/service/error_outcomes.ts",
    find: 'if (incoming && !url) return new BadRequest("Cannot read the request: its URL is not valid", { cause });',
    replace: "",
    tests: BAD,
  },
  {
    name: "ANS-18: a body that breaks off is a failure of the service",
    file: "src/service/form.ts",
    find: 'return { kind: "refused", status: 400, message: "Body broke off" };',
    replace: "throw error;",
    tests: BAD,
  },
  {
    name: "ANS-19: a slow body is a failure of the service",
    file: "src/service/engine.ts",
    find: "if (thrown instanceof SlowBody) return",
    replace: "if (thrown === undefined) return",
    tests: BAD,
  },
  {
    name: "ANS-20: whatever is slow after a body was read is blamed on the body",
    file: "src/kernel/deadline.ts",
    find: "this.#error = null;\n",
    replace: "",
    tests: BAD,
  },
  {
    name: "ANS-21: an empty object that a decoder gives is a session",
    file: "src/session_stores/jwt_store.ts",
    find: "return Object.keys(opened).length === 0 ? null : opened as JWT;",
    replace: "return opened as JWT;",
    tests: ["tests/unit/session_stores/jwt_store_test.ts"],
  },
  {
    name: "ANS-22: the age of a token may be anything",
    file: "src/crypto/seal.ts",
    find: 'if (iat !== undefined && typeof iat !== "number") return false;',
    replace: "void iat;",
    tests: ["tests/unit/crypto/seal_test.ts"],
  },
  {
    name: "ANS-23: the header of a token may be half as long",
    file: "src/crypto/seal.ts",
    find: "const MAX_HEADER_LENGTH = 512;",
    replace: "const MAX_HEADER_LENGTH = 256;",
    tests: ["tests/unit/crypto/seal_test.ts"],
  },
  {
    name: "ANS-24: the header of a token may be twice as long",
    file: "src/crypto/seal.ts",
    find: "const MAX_HEADER_LENGTH = 512",
    replace: "const MAX_HEADER_LENGTH = 1024",
    tests: ["tests/unit/crypto/seal_test.ts"],
  },
  {
    name: "ANS-25: a warning repeats with each request",
    file: "src/service/setup.ts",
    find: "if (warned.has(line) || warned.size > MOST_WARNINGS) return;",
    replace: "",
    tests: ["tests/stories/config_test.ts"],
  },
  {
    name: "ANS-26: a form that does not tell its page leads back to where it was sent",
    file: "src/service/actions.ts",
    find: 'headers.get("referer") ?? url.origin;',
    replace: 'headers.get("referer") ?? url.href;',
    tests: ["tests/stories/actions_test.ts"],
  },
];
