/**
 * The session of a page: kept up to date while it has listeners, and in sync with other tabs.
 *
 * @module
 */
import type { Session } from "../../src/kernel/model.ts";
import { type Connection, readSession, type SessionState, stateOf } from "./connection.ts";

const popups = () => import("./popup.ts");

/** Milliseconds within which returning to a page sends no second request. */
const THROTTLE = 5000;

/** The message between tabs: the session has changed. Each tab then asks the service, so no message is trusted. */
const CHANGED = "changed";

/** Begins the fragment of the page that a popup ends on. */
export const POPUP = "#x-auth-popup=";

/** Gives a page the session that a server has read for it. If the page knows another one, it asks the service. */
export function seed(connection: Connection, session: unknown): Connection {
  const { state } = connection;
  if (session === undefined) return connection;
  if (state.status === "loading") {
    connection.askedAt = Date.now();
    set(connection, stateOf(session as Session | null));
  } else if (JSON.stringify(session) !== JSON.stringify(state.session)) {
    // Only the service knows which is newer. Without a listener, this page receives no messages from other tabs.
    changed(connection);
  }
  return connection;
}

/** Watches the session: `listener` is called whenever `state` has changed. @returns What ends it. */
export function subscribe(connection: Connection, listener: () => void): () => void {
  const { browser, listeners } = connection;
  // On a server the session does not change.
  if (!browser.document) return () => {};
  const own = (): void => void (listeners.has(own) && listener());
  listeners.add(own);
  connection.stop ??= start(connection);
  return () => {
    if (!listeners.delete(own) || listeners.size > 0) return;
    connection.stop?.();
    connection.stop = undefined;
  };
}

/** Events that may mean that the person is back: on the window, or on the document, from which they bubble. */
const EVENTS = ["focus", "online", "pagehide", "pageshow", "visibilitychange"];

function start(connection: Connection): () => void {
  const { browser } = connection;
  const { document, location } = browser;
  const listen = (): void => {
    connection.channel = channelOf(connection);
    connection.channel.onmessage = ({ data }) => void (data === CHANGED && changed(connection));
  };
  const hangUp = (): void => {
    connection.channel?.close();
    connection.channel = undefined;
  };
  const look = ({ type, persisted }: { readonly type?: string; readonly persisted?: boolean }): void => {
    // An open channel can keep a page out of the back/forward cache, and a page in that cache receives no messages.
    if (type === "pagehide") return hangUp();
    if (type === "pageshow" && persisted) {
      hangUp();
      listen();
      changed(connection);
    } else if ((!type || !document.hidden) && Date.now() - connection.askedAt >= THROTTLE) refresh(connection);
  };
  const ended = new AbortController();
  for (const type of EVENTS) browser.addEventListener(type, look, ended);
  listen();
  look({});
  // This page may be where a popup ends.
  if (location.hash.startsWith(POPUP)) {
    popups().then(({ leavePopup }) => leavePopup(browser, (message) => announce(connection, message)));
  }
  return () => {
    ended.abort();
    hangUp();
  };
}

/** Opens a channel to the other pages of this origin that use the same service. */
export function channelOf({ basePath, browser }: Connection): BroadcastChannel {
  return new browser.BroadcastChannel(`x-auth:${basePath}`);
}

/** Tells the other tabs that the session has changed. */
export function announce(connection: Connection, message: string = CHANGED): void {
  // A channel does not receive its own messages.
  const channel = connection.channel ?? channelOf(connection);
  channel.postMessage(message);
  if (channel !== connection.channel) channel.close();
}

/** The session may have changed: responses to earlier requests no longer count. */
export async function changed(connection: Connection): Promise<void> {
  connection.version++;
  connection.askedAt = 0;
  if (connection.listeners.size > 0) await refresh(connection);
}

/** The session is known to have changed. */
export function learn(connection: Connection, session: Session | null): void {
  connection.version++;
  set(connection, stateOf(session));
  announce(connection);
}

/** Asks the service who is signed in. Only one request runs at a time: later callers share its response. */
export function refresh(connection: Connection): Promise<void> {
  return connection.asking ??= ask(connection).finally(() => connection.asking = undefined);
}

async function ask(connection: Connection): Promise<void> {
  let version: number;
  let state: SessionState;
  do {
    version = connection.version;
    connection.askedAt = Date.now();
    state = await readSession(connection).then((session) => stateOf(session), () => whileAway(connection.state));
    // A response to a request from before a change may show the state before it.
  } while (version !== connection.version);
  set(connection, state);
}

// A user who was signed in counts as signed in until the session ends.
function whileAway({ session }: SessionState): SessionState {
  return stateOf(session && Date.parse(session.expires) <= Date.now() ? null : session, true);
}

function set(connection: Connection, state: SessionState): void {
  // The same answer keeps the same object, so that nothing is drawn again.
  if (JSON.stringify(state) === JSON.stringify(connection.state)) return;
  connection.state = state;
  // Each in its own task, so that one that throws does not affect the others.
  connection.listeners.forEach(queueMicrotask);
}
