/** A provider of OAuth on loopback at which everybody has an account: the browser says who it is. */
import { createHash } from "node:crypto";
import type { OAuthProvider } from "@x/auth";

/** The provider. */
export interface LoopbackProvider {
  readonly url: string;
  /** The entry of `providers` for both services. */
  entry(id: string): OAuthProvider & { readonly clientId: string; readonly clientSecret: string };
  close(): Promise<void>;
}

interface Code {
  readonly sub: string;
  readonly challenge: string;
}

/** Starts the provider. A browser that adds `as=ada` to the authorization request is Ada. */
export function startLoopbackProvider(): LoopbackProvider {
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, answer);
  const url = `http://127.0.0.1:${server.addr.port}`;
  return {
    url,
    entry: (id) => ({
      id,
      name: id,
      type: "oauth",
      authorization: { url: `${url}/authorize`, params: { scope: "profile" } },
      token: `${url}/token`,
      userinfo: `${url}/userinfo`,
      clientId: "client",
      clientSecret: "secret",
      checks: ["pkce", "state"],
      profile: (profile) => ({
        id: `${profile.id} at ${id}`,
        name: String(profile.name),
        email: `${profile.id}@${id}.example`,
      }),
    }),
    close: () => server.shutdown(),
  };
}

async function answer(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === "/authorize") return authorize(searchParams);
  if (pathname === "/token") return token(new URLSearchParams(await request.text()));
  const sub = request.headers.get("authorization")?.replace(/^bearer /i, "") ?? "";
  return Response.json({ id: sub, name: `The person ${sub}` });
}

function authorize(params: URLSearchParams): Response {
  const back = new URL(params.get("redirect_uri") ?? "");
  const code: Code = { sub: params.get("as") ?? "", challenge: params.get("code_challenge") ?? "" };
  back.searchParams.set("code", btoa(JSON.stringify(code)));
  back.searchParams.set("state", params.get("state") ?? "");
  return new Response(null, { status: 302, headers: { location: back.href } });
}

function token(form: URLSearchParams): Response {
  const { sub, challenge } = JSON.parse(atob(form.get("code") ?? "")) as Code;
  const expected = createHash("sha256").update(form.get("code_verifier") ?? "").digest("base64url");
  if (challenge !== expected) return Response.json({ error: "invalid_grant" }, { status: 400 });
  return Response.json({ access_token: sub, token_type: "bearer" });
}
