/** A browser that keeps its cookies, and what it does at a service. */
import type { Handler } from "./_table.ts";

export const HERE = "http://localhost:3000";

/** Opens a path, or posts a form to it. */
export type Visitor = (path: string, fields?: Readonly<Record<string, string>>) => Promise<Response>;

/** A browser that keeps its cookies. */
export function visitor(handler: Handler, site: string = HERE): Visitor {
  const jar = new Map<string, string>();
  return async (path, fields) => {
    const headers = new Headers({ cookie: [...jar].map((pair) => pair.join("=")).join("; "), origin: site });
    const url = path.startsWith("http") ? path : site + path;
    const form = fields && { method: "POST", body: new URLSearchParams(fields) };
    const response = await handler(new Request(url, { headers, ...form }));
    for (const cookie of response.headers.getSetCookie()) {
      const [name = "", value = ""] = cookie.split(";", 1)[0]?.split(/=(.*)/s) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
}

/** Starts a sign-in with a provider, and gives the parameters with which the browser is sent there. */
export async function startAt(ask: Visitor, provider: string): Promise<URLSearchParams> {
  const { csrfToken } = await (await ask("/auth/csrf")).json();
  const { headers } = await ask(`/auth/signin/${provider}`, { csrfToken });
  return new URL(headers.get("location") ?? "").searchParams;
}
