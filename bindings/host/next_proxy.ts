/**
 * Admission in Next, where one request comes by twice: in the proxy, and in what it passes the request on to.
 *
 * @module
 */
import type { Session } from "../../src/kernel/model.ts";
import { type Admission, type Host, orStepUp, withReading } from "./host.ts";
import { seenOf, withNextUrl } from "./next_paths.ts";

/** Tells a route handler that the proxy has renewed the session of the request. A forged one prevents a renewal. */
const RENEWED = "x-auth-renewed";

/** Says which page a visitor comes from, so that Next shows an intercepting route of that page. Any client can send it. */
const FROM = "next-url";

/** Answers in proxy, and for handlers that `auth` wraps. */
export async function admitted(
  host: Host,
  request: Request,
  run: (request: Request & { auth: Session | null }) => unknown,
  isProxy: boolean,
): Promise<Response> {
  // A POST may sign the user out, after which the proxy would still set the renewed cookie.
  const isRead = request.method === "GET" || request.method === "HEAD";
  const renew = !request.headers.has(RENEWED) && (isRead || !isProxy);
  withNextUrl(request);
  const { hidesFrom, admission: { denied, isClosed, ...reading } } = await admit(host, request, { renew, isProxy });
  if (denied) return withReading(isProxy && isOptimizer(request) ? refuse(denied) : denied, reading);
  const known = Object.assign(request, { auth: reading.session });
  const response = await orStepUp(async () => await run(known) as Response | undefined ?? goOn());
  if (!isPassedOn(response)) return withReading(response, reading);
  const rewritten = await admitRewritten(host, request, response);
  if (rewritten?.denied) return withReading(rewritten.denied, reading);
  const { session, cookies } = reading;
  const changes = { set: cookies.length > 0 ? [RENEWED] : [], remove: hidesFrom ? [FROM] : [] };
  // An unguarded page keeps its own `Cache-Control`: a static one is the same for all visitors.
  return withReading(withRequest(response, request, changes), {
    session: isClosed || rewritten?.isClosed ? session : null,
    cookies,
  });
}

interface Entry {
  readonly admission: Admission;
  /** Whether Next must not learn which page the visitor comes from, because the visitor may not see it. */
  readonly hidesFrom: boolean;
}

async function admit(
  host: Host,
  request: Request,
  { renew, isProxy }: { readonly renew: boolean; readonly isProxy: boolean },
): Promise<Entry> {
  const seen = seenOf(request);
  const from = isProxy ? request.headers.get(FROM) : null;
  if (from === null) return { admission: await host.admit(request, seen, { renew }), hidesFrom: false };
  const all = await host.admit(request, { ...seen, routes: [...seen.routes, from] }, { renew });
  if (!all.denied) return { admission: all, hidesFrom: false };
  const alone = await host.admit(request, seen, { renew: false });
  // Renewed already: the second time it is no longer due.
  return { admission: { ...alone, cookies: all.cookies }, hidesFrom: true };
}

// A path that a proxy of the application rewrites to is another path of the same request.
async function admitRewritten(host: Host, request: Request, { headers }: Response): Promise<Admission | null> {
  const given = headers.get("x-middleware-rewrite");
  if (given === null) return null;
  const to = new URL(given, request.url);
  if (to.origin !== new URL(request.url).origin) return null;
  const seen = seenOf(request);
  const { nextUrl } = request as Parameters<typeof seenOf>[0];
  const rewritten = seenOf({ url: to.href, nextUrl: { ...nextUrl, pathname: to.pathname } });
  const routes = [...seen.routes, ...rewritten.routes];
  return await host.admit(request, { ...seen, routes }, { renew: false });
}

// The optimizer of Next requests a picture without the visitor's headers, and treats a redirect as a failure. Any other
// request over HTTP/1.1 has a host.
function isOptimizer({ headers }: Request): boolean {
  return [...headers.keys()].every((name) => name.startsWith("x-forwarded-"));
}

function refuse({ status, headers: given }: Response): Response {
  const headers = new Headers([...given].filter(([name]) => name !== "location"));
  return new Response(null, { status: status < 400 ? 401 : status, headers });
}

function goOn(): Response {
  return new Response(null, { headers: new Headers({ "x-middleware-next": "1" }) });
}

interface Changes {
  readonly set: readonly string[];
  readonly remove: readonly string[];
}

// As `NextResponse.next({ request: { headers } })` does it: to change one header, all are listed.
function withRequest(response: Response, request: Request, { set, remove }: Changes): Response {
  if (set.length + remove.length === 0) return response;
  const headers = new Headers([...response.headers]);
  const own = headers.get("x-middleware-override-headers");
  const all = new Headers([...request.headers, ...set.map((name) => [name, "1"] as [string, string])]);
  if (own === null) { for (const [name, value] of all) headers.set(`x-middleware-request-${name}`, value); }
  const names = (own?.split(",") ?? [...all.keys()]).map((name) => name.trim()).filter((name) =>
    !remove.includes(name)
  );
  for (const name of remove) headers.delete(`x-middleware-request-${name}`);
  headers.set("x-middleware-override-headers", names.join(","));
  return new Response(response.body, { status: response.status, headers });
}

function isPassedOn({ headers }: Response): boolean {
  return headers.has("x-middleware-next") || headers.has("x-middleware-rewrite");
}
