/**
 * Asking for the session more often than the connection does, or less. Loaded when an application wants it.
 *
 * @module
 */
import type { Connection } from "./connection.ts";

/** When the service is asked. */
export interface Refetching {
  /** Seconds after which the service is asked again and again while somebody is signed in. @default never */
  readonly refetchInterval?: number | undefined;
  /** Whether the service is asked when the person comes back to the page. @default {true} */
  readonly refetchOnWindowFocus?: boolean | undefined;
  /** Whether `refetchInterval` goes on while the device is offline. @default {true} */
  readonly refetchWhenOffline?: boolean | undefined;
}

/** Changes when the service is asked. @returns What ends it. */
export function refetch(
  connection: Connection,
  { refetchInterval, refetchOnWindowFocus, refetchWhenOffline }: Refetching,
  refresh: (connection: Connection) => unknown,
): () => void {
  const { browser } = connection;
  const ended = new AbortController();
  const timer = refetchInterval && setInterval(() => {
    if (connection.state.session && (refetchWhenOffline !== false || browser.navigator.onLine)) refresh(connection);
  }, refetchInterval * 1000);
  // The listeners of the connection come after these, and ask only some time after they did last.
  const hush = (): void => void (connection.askedAt = Date.now());
  for (const type of refetchOnWindowFocus === false ? ["focus", "visibilitychange"] : []) {
    browser.addEventListener(type, hush, { capture: true, signal: ended.signal });
  }
  return () => {
    clearInterval(timer);
    ended.abort();
  };
}
