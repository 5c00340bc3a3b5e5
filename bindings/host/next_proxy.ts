/**
 * Admission in Next, where one request comes by twice: in the proxy, and in what it passes the request on to.
 *
 * @module
 */
import type { Session } from "../../src/kernel/model.ts";
import { BY_URL, type Host, withReading } from "./host.ts";

/** Tells a route handler that the proxy has renewed the session of the request. Whoever forges it renews nothing. */
const RENEWED = "x-auth-renewed";

/** Answers in proxy, and for handlers that `auth` wraps. */
export async function admitted(
  host: Host,
  request: Request,
  run: (request: Request & { auth: Session | null }) => unknown,
  isProxy: boolean,
): Promise<Response> {
  // What is posted may sign somebody out, behind a proxy that would set the renewed cookie all the same.
  const isRead = request.method === "GET" || request.method === "HEAD";
  const { denied, ...reading } = await host.admit(request, BY_URL, {
    renew: !request.headers.has(RENEWED) && (isRead || !isProxy),
  });
  if (denied) return withReading(denied, reading);
  const response = await run(Object.assign(request, { auth: reading.session })) as Response | undefined ?? goOn();
  if (!isPassedOn(response)) return withReading(response, reading);
  const { cookies } = reading;
  return withReading(cookies.length > 0 ? tellRenewed(response, request) : response, { session: null, cookies });
}

function goOn(): Response {
  return new Response(null, { headers: new Headers({ "x-middleware-next": "1" }) });
}

// As `NextResponse.next({ request: { headers } })` does it: whoever changes one header lists all.
function tellRenewed({ body, status, headers: given }: Response, request: Request): Response {
  const headers = new Headers([...given]);
  if (!headers.has("x-middleware-override-headers")) {
    const all = new Headers([...request.headers, [RENEWED, "1"]]);
    for (const [name, value] of all) headers.set(`x-middleware-request-${name}`, value);
    headers.set("x-middleware-override-headers", [...all.keys()].join(","));
  }
  return new Response(body, { status, headers });
}

// The page that follows says itself how it may be kept: a static one is the same for everybody.
function isPassedOn({ headers }: Response): boolean {
  return headers.has("x-middleware-next") || headers.has("x-middleware-rewrite");
}
