/** GitHub with one person, who always agrees. */
import { customFetch, type OAuthProvider } from "@x/auth";
import { github, type GitHubProfile } from "@x/auth/providers/github";
import type { Browser } from "./browser.ts";

export interface Octocat {
  readonly email: string;
  /** Whether GitHub's list of addresses says so. */
  readonly verified: boolean;
}

/** The provider, as a developer configures it. */
export function octocat({ email, verified }: Octocat): OAuthProvider<GitHubProfile> {
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

/** Signs the person in; the answer is the callback's. @param meanwhile What happens while they are there. */
export async function comeFromGitHub(browser: Browser, meanwhile: () => void = () => {}): Promise<Response> {
  const start = await browser.post("/auth/signin/github", { csrfToken: await browser.csrf() });
  meanwhile();
  const state = new URL(start.headers.get("location") ?? "").searchParams.get("state") ?? "";
  return await browser.get(`/auth/callback/github?${new URLSearchParams({ code: "1", state })}`);
}
