import { test, type TestContext } from "node:test";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import process from "node:process";
import { writeForDeno, type Written } from "../../scripts/docs/run.ts";
import { APP_PLATFORMS } from "../../scripts/docs/app_platforms.ts";

const ENVIRONMENT = {
  AUTH_SECRET: "0123456789abcdef0123456789abcdef",
  AUTH_URL: "https://example.com",
  AUTH_GITHUB_ID: "id",
  AUTH_GITHUB_SECRET: "secret",
};

const written = writeForDeno(["docs/platforms/aws-lambda.md", "docs/platforms/netlify.md"], "npm/platforms_docs");

/** Loads the program of a page with what its deployment has in the environment, for one test. */
async function load<T>(t: TestContext, page: string): Promise<T> {
  for (const [name, value] of Object.entries(ENVIRONMENT)) {
    const before = process.env[name];
    process.env[name] = value;
    t.after(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
  const { file } = written.find(({ block }: Written) => block.page === page) ?? assert.fail(page);
  return await import(file) as T;
}

interface Lambda {
  onEvent(event: object): Promise<{
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly cookies: readonly string[];
    readonly body: string;
  }>;
}

function event(method: string, rawPath: string, more: object = {}): object {
  const requestContext = { domainName: "abc.lambda-url.eu-west-1.on.aws", http: { method } };
  return { version: "2.0", rawPath, rawQueryString: "", headers: {}, isBase64Encoded: false, requestContext, ...more };
}

test("the function for AWS Lambda answers events of payload format 2.0, with cookies in both directions", async (t) => {
  const { onEvent } = await load<Lambda>(t, "docs/platforms/aws-lambda.md");
  const csrf = await onEvent(event("GET", "/auth/csrf"));
  const { csrfToken } = JSON.parse(Buffer.from(csrf.body, "base64").toString());
  const cookies = csrf.cookies.map((cookie) => cookie.split(";")[0] ?? "");
  assert.ok(cookies.length > 0 && csrf.headers["set-cookie"] === undefined);
  const headers = { "content-type": "application/x-www-form-urlencoded", origin: "https://example.com" };
  const form = new URLSearchParams({ csrfToken, redirectTo: "/members" }).toString();
  for (const isBase64Encoded of [false, true]) {
    const body = isBase64Encoded ? Buffer.from(form).toString("base64") : form;
    const started = await onEvent(event("POST", "/auth/signin/github", { headers, cookies, body, isBase64Encoded }));
    assert.equal(started.statusCode, 302);
    assert.match(started.headers.location ?? "", /^https:\/\/github\.com\/login\/oauth\/authorize\?/);
    assert.match(started.cookies[0] ?? "", /^__Secure-authjs\.state\./);
  }
});

test("the function for AWS Lambda guards paths however they are spelled, and stays on its origin", async (t) => {
  const { onEvent } = await load<Lambda>(t, "docs/platforms/aws-lambda.md");
  const headers = { accept: "text/html", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  for (const path of ["/members", "/%6dembers/", "//members", "/MEMBERS/x", "//evil.example/../members"]) {
    const { statusCode, headers: { location = "" } } = await onEvent(event("GET", path, { headers }));
    assert.equal(statusCode, 302, path);
    assert.ok(location.startsWith("https://example.com/auth/signin?"), `${path}: ${location}`);
  }
});

test("the function for Netlify answers the requests that its paths name", async (t) => {
  const { default: site, config } = await load<{
    default(request: Request): Promise<Response>;
    readonly config: { readonly path: readonly string[] };
  }>(t, "docs/platforms/netlify.md");
  assert.deepEqual(await (await site(new Request("https://example.com/api/me"))).json(), { name: null });
  assert.match(await (await site(new Request("https://example.com/auth/signin"))).text(), /GitHub/);
  const headers = { accept: "text/html", "sec-fetch-mode": "navigate" };
  assert.equal((await site(new Request("https://example.com/members", { headers }))).status, 302);
  assert.deepEqual(config.path, ["/auth/*", "/api/*", "/members/*"]);
});

test("a page whose platform is not here says which part no test runs", () => {
  for (const name of ["aws-lambda", "cloudflare", "electron", "expo", "netlify", "tauri", "vercel"]) {
    const [, head = ""] = /^# [^\n]+\n\n([^]*?)\n## /.exec(readFileSync(`docs/platforms/${name}.md`, "utf8")) ?? [];
    assert.match(head.replaceAll(/\s+/g, " "), /do not run it|not tested/, name);
  }
  assert.ok(APP_PLATFORMS.length > 0);
});
