/**
 * Says that the headers of a proxy are ignored. It is loaded when they are.
 *
 * @module
 */
import { otherNames } from "../config/other_names.ts";
import type { Warning } from "../config/warning.ts";
import { isHost, single } from "../http/origin.ts";
import type { RequestLike } from "../http/request_like.ts";
import type { Runtime } from "../kernel/runtime.ts";

/** The longest host that is quoted. */
const LONGEST = 120;

/** Makes the warning. It does not advise to use the host in the headers: a stranger may have written it. */
export function unheardProxy({ headers }: RequestLike, { env }: Runtime): Warning {
  const host = single(headers.get("x-forwarded-host"));
  const named = isHost(host) && host.length <= LONGEST ? `X-Forwarded-Host: ${host}` : "X-Forwarded-Host";
  return [
    "proxy-unheard",
    `the headers of a proxy are ignored (${named}): set the environment variable AUTH_URL to the address that people ` +
    "open, or AUTH_TRUST_HOST=true (the option `trustHost: true`) if all requests come through your proxy" +
    otherNames(env, "AUTH_TRUST_HOST", "AUTH_URL"),
  ];
}
