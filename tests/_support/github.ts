/** GitHub with one user, who always agrees to sign in. */
import { customFetch, type OAuthProvider } from "@x/auth";
import { github, type GitHubProfile } from "@x/auth/providers/github";
import type { Browser } from "./browser.ts";

export interface GitHubUser {
  readonly email: string;
  /** Whether GitHub's list of addresses says that it is verified. */
  readonly verified: boolean;
}

/** The provider `github()`, with answers instead of a network. */
export function githubWith({ email, verified }: GitHubUser): OAuthProvider<GitHubProfile> {
  const answers: Readonly<Record<string, unknown>> = {
    "/login/oauth/access_token": { access_token: "t", token_type: "bearer", scope: "user:email" },
    "/user": { id: 583231, login: "octocat", name: "Octocat", email },
    "/user/emails": [{ email, primary: true, verified }],
  };
  const fetch = (input: string | URL | Request, init?: RequestInit) => {
    const { pathname } = new URL(new Request(input, init).url);
    return Promise.resolve(Response.json(answers[pathname] ?? {}, { status: pathname in answers ? 200 : 404 }));
  };
  return github({ clientId: "1", clientSecret: "1", [customFetch]: fetch });
}

/**
 * Signs the user in.
 *
 * @param browser The browser.
 * @param meanwhile Runs while the browser is at GitHub.
 * @returns The response of the callback.
 */
export async function signInWithGitHub(browser: Browser, meanwhile: () => void = () => {}): Promise<Response> {
  const start = await browser.post("/auth/signin/github", { csrfToken: await browser.csrf() });
  meanwhile();
  const state = new URL(start.headers.get("location") ?? "").searchParams.get("state") ?? "";
  return await browser.get(`/auth/callback/github?${new URLSearchParams({ code: "1", state })}`);
}
