/**
 * What is asked of both services.
 *
 * @module
 */
import { encode } from "@x/auth/jwt";
import type { Scenario, Subject } from "./measure.ts";
import { SECRET, subjects } from "./subjects.ts";

const ORIGIN = "http://localhost";
const COOKIE = "authjs.session-token";

/** Cookies that differ, more than any cache of opened tokens will have seen before it meets them again. */
const NEW_COOKIES = 4000;

/** Prepares the scenarios: tokens are sealed and CSRF tokens fetched before anything is measured. */
export async function scenarios(): Promise<Scenario[]> {
  const sealed = await Promise.all(Array.from({ length: NEW_COOKIES }, () => sessionCookie()));
  const known = await sessionCookie();
  const forms = new Map<Subject, FormTicket>();
  for (const subject of Object.values(subjects)) forms.set(subject, await openForm(subject));

  const session = (name: string, cookieOf: (index: number) => string): Scenario => {
    return asks(name, (_, index) => get("session", cookieOf(index)), expectBody(200, /"name":"Ada"/));
  };
  return [
    session("session, known cookie", () => known),
    session("session, new cookie", (index) => sealed[index % NEW_COOKIES] ?? known),
    asks("session, no cookie", () => get("session"), expectBody(200, /^null$/)),
    asks("csrf", () => get("csrf"), expectBody(200, /"csrfToken":"[0-9a-f]{64}"/)),
    asks("providers", () => get("providers"), expectBody(200, /"github":\{.*"credentials":\{/)),
    asks("sign-in page", () => get("signin"), expectBody(200, /<form [^]*<form /)),
    asks("credentials", (subject) => signIn(forms.get(subject)), expectSessionCookie),
  ];
}

type Expectation = (response: Response) => Promise<string | null>;

function asks(name: string, request: Scenario["request"], expectation: Expectation): Scenario {
  return {
    name,
    request,
    async prove(subject) {
      const problem = await expectation(await subject.answer(request(subject, 0)));
      if (problem) throw new Error(`Cannot compare "${name}": the answer of ${subject.name} ${problem}`);
    },
  };
}

function expectBody(status: number, pattern: RegExp): Expectation {
  return async (response) => {
    const body = await response.text();
    if (response.status !== status) return `has status ${response.status}`;
    return pattern.test(body) ? null : `does not hold ${pattern}: ${body.slice(0, 200)}`;
  };
}

async function expectSessionCookie(response: Response): Promise<string | null> {
  await response.body?.cancel();
  const given = response.headers.getSetCookie().some((cookie) => cookie.startsWith(`${COOKIE}=ey`));
  return given ? null : `sets no session: ${response.status} ${response.headers.get("location")}`;
}

function get(action: string, cookie?: string): Request {
  return new Request(`${ORIGIN}/auth/${action}`, cookie ? { headers: { cookie } } : {});
}

async function sessionCookie(): Promise<string> {
  const token = { sub: "1", name: "Ada", email: "ada@example.com" };
  return `${COOKIE}=${await encode({ token, secret: SECRET, salt: COOKIE })}`;
}

interface FormTicket {
  readonly cookie: string;
  readonly csrfToken: string;
}

async function openForm(subject: Subject): Promise<FormTicket> {
  const response = await subject.answer(get("csrf"));
  const { csrfToken } = await response.json() as { readonly csrfToken: string };
  const cookie = response.headers.getSetCookie().map((line) => line.split(";")[0]).join("; ");
  return { cookie, csrfToken };
}

function signIn(form: FormTicket | undefined): Request {
  if (!form) throw new TypeError("Cannot sign in: the form was not opened");
  const { cookie, csrfToken } = form;
  return new Request(`${ORIGIN}/auth/callback/credentials`, {
    method: "POST",
    headers: { cookie, origin: ORIGIN },
    body: new URLSearchParams({ csrfToken, username: "ada", password: "secret" }),
  });
}
