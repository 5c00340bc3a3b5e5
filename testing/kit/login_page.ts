/**
 * The page of a fake provider, where a developer says who they are.
 *
 * @module
 */
import type { OpenProvider } from "./provider.ts";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
} as const;

/** Shows the page, and takes its form. The query is that of the authorization request. */
export async function answerLogin(request: Request, provider: OpenProvider): Promise<Response> {
  const { search, pathname } = new URL(request.url);
  if (request.method !== "POST") return new Response(pageOf(provider.id, search), { headers: HEADERS });
  const form = new URLSearchParams(await request.text());
  const claims = readClaims(form);
  if (!claims) return new Response(pageOf(provider.id, search, FAULT), { status: 400, headers: HEADERS });
  if (form.get("answer") === "refuse") provider.refuse();
  const { url, posted } = await provider.consent(`${new URL(request.url).origin}${pathname}${search}`, claims);
  if (!posted) return new Response(null, { status: 303, headers: { location: url.href, "cache-control": "no-store" } });
  return new Response(postingPage(url, posted), { headers: HEADERS });
}

const FAULT = "Further claims must be an object of JSON";

function readClaims(form: URLSearchParams): Readonly<Record<string, unknown>> | null {
  const given = ["name", "email"].flatMap((name) => form.get(name) ? [[name, form.get(name)]] : []);
  try {
    const more: unknown = JSON.parse(form.get("claims") || "{}");
    if (typeof more !== "object" || more === null || Array.isArray(more)) return null;
    return { ...Object.fromEntries(given), ...more };
  } catch {
    return null;
  }
}

function pageOf(id: string, search: string, fault = ""): string {
  return frame(
    `Sign in with ${id}`,
    `<p>This is not ${escapeText(id)}: it is a stand-in on your machine. Whoever you say you are, it agrees.</p>
<form method="post" action="${escapeText(search)}">
${fault && `<p role="alert">${fault}</p>`}
<label>Name <input name="name" value="Ada"></label>
<label>Email <input name="email" type="email" value="ada@example.com"></label>
<label>Further claims, as JSON <textarea name="claims" placeholder='{ "hd": "example.com" }'></textarea></label>
<button name="answer" value="agree">Sign in</button> <button name="answer" value="refuse" formnovalidate>Refuse</button>
</form>`,
  );
}

function postingPage(url: URL, posted: URLSearchParams): string {
  const fields = [...posted].map(([name, value]) => {
    return `<input type="hidden" name="${escapeText(name)}" value="${escapeText(value)}">`;
  });
  const form = `<form method="post" action="${escapeText(url.href)}">${
    fields.join("")
  }<button>Continue</button></form>`;
  return frame("Go back to the application", form);
}

function frame(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeText(title)}</title>
<style>body { font: 16px system-ui; max-width: 24rem; margin: 3rem auto; } label, input, textarea { display: block; }
input, textarea { width: 100%; font: inherit; margin-bottom: 1rem; } button { font: inherit; }</style>
<h1>${escapeText(title)}</h1>${body}</html>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
