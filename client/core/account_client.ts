/**
 * The account of the person, for all components of a page that show it.
 *
 * @module
 */
import type {
  AccountActOptions,
  AccountActs,
  AccountClient,
  AccountFailure,
  AccountHook,
  AccountLeft,
  AccountResult,
  AccountState,
  EmailAsked,
  OwnAccount,
} from "./account_results.ts";
import type { AccountFields, AccountPage } from "./account.ts";
import { caller, type Find } from "./act.ts";
import { channelOf, subscribe } from "./channel.ts";
import type { Connection } from "./connection.ts";

const accounts = () => import("./account.ts");

/** What a page knows of the account. */
interface Store {
  readonly listeners: Set<() => void>;
  state: AccountState;
  /** How often something was done, as far as this page knows. */
  version: number;
  /** How many answers are waited for. */
  pending: number;
  /** The question that is under way. */
  asking?: Promise<void> | undefined;
  /** The last act. */
  last: Promise<unknown>;
  /** How many acts are under way. */
  acting: number;
  /** The user of the session, when the account was asked for. */
  user?: string | undefined;
  /** Ends what the first listener has started. */
  stop?: (() => void) | undefined;
  /** The channel between pages of this origin. Open only while there are listeners. */
  channel?: BroadcastChannel | undefined;
}

/** The message between tabs: the account has changed. Each tab then asks the service, so no message is trusted. */
const CHANGED = "account";

/** What is known before anything was asked. */
export const UNKNOWN: AccountState = { account: undefined, error: null, isLoading: true };

const stores = new WeakMap<Connection, Store>();

function storeOf(connection: Connection): Store {
  const store = stores.get(connection) ??
    { listeners: new Set(), state: UNKNOWN, version: 0, pending: 0, last: Promise.resolve(), acting: 0 };
  stores.set(connection, store);
  return store;
}

/** Gives what is known. The same object until it changes. */
export function accountState(connection: Connection): AccountState {
  return storeOf(connection).state;
}

/** Watches the account: `listener` is called whenever the state has changed. @returns What ends it. */
export function watchAccountAt(connection: Connection, listener: () => void): () => void {
  // On a server nothing is asked.
  if (!connection.browser.document) return () => {};
  const store = storeOf(connection);
  const { listeners } = store;
  const own = (): void => void (listeners.has(own) && listener());
  listeners.add(own);
  store.stop ??= start(connection, store);
  return () => {
    if (!listeners.delete(own) || listeners.size > 0) return;
    store.stop?.();
    store.stop = undefined;
  };
}

function start(connection: Connection, store: Store): () => void {
  const { browser } = connection;
  const listen = (): void => {
    store.channel = channelOf(connection);
    store.channel.onmessage = ({ data }) => void (data === CHANGED && askAgain(connection, store));
  };
  const hangUp = (): void => {
    store.channel?.close();
    store.channel = undefined;
  };
  const back = ({ persisted }: { readonly persisted?: boolean }): void => {
    if (!persisted) return;
    listen();
    askAgain(connection, store);
  };
  const ended = new AbortController();
  // An open channel can keep a page out of the back/forward cache, and a page in that cache receives no messages.
  browser.addEventListener("pagehide", hangUp, ended);
  browser.addEventListener("pageshow", back, ended);
  listen();
  store.user = userIn(connection);
  refreshAccount(connection);
  const leave = subscribe(connection, () => follow(connection, store));
  return () => {
    leave();
    ended.abort();
    hangUp();
  };
}

/** Answers to earlier questions no longer count. */
function askAgain(connection: Connection, store: Store): void {
  store.version++;
  refreshAccount(connection);
}

/** Tells the other tabs. A channel does not receive its own messages. */
function announce(connection: Connection, { channel }: Store): void {
  const own = channel ?? channelOf(connection);
  own.postMessage(CHANGED);
  if (own !== channel) own.close();
}

/** The user as the session has them; empty if nobody is signed in, `undefined` while that is not known. */
function userIn({ state: { session } }: Connection): string | undefined {
  return session ? JSON.stringify(session.user ?? null) : session === null ? "" : undefined;
}

/** The session has changed. Another tab may have signed out, or changed the name. */
function follow(connection: Connection, store: Store): void {
  const user = userIn(connection);
  const before = store.user;
  store.user = user;
  if (user === undefined || user === before) return;
  // Nobody sees the account of somebody who has left.
  if (user === "") set(store, { account: null });
  // What this page does itself has an answer.
  if (before === undefined || store.acting > 0) return;
  askAgain(connection, store);
}

/** Asks for the account, for all who watch. Only one request runs at a time: later callers share its answer. */
export function refreshAccount(connection: Connection): Promise<void> {
  const store = storeOf(connection);
  return store.asking ??= ask(connection, store).finally(() => store.asking = undefined);
}

async function ask(connection: Connection, store: Store): Promise<void> {
  const { get } = accountOf(() => connection);
  wait(store, 1);
  let version: number;
  let result: AccountResult;
  do {
    version = store.version;
    result = await get();
    // An answer to a question from before an act may show the account before it.
  } while (version !== store.version);
  const account = result.ok ? result.account : result.status === 401 ? null : store.state.account;
  wait(store, -1, { account, error: result.ok ? null : result });
}

/** Does something. One act at a time, so that the last answer is the newest. */
function run<R extends Done | AccountFailure>(connection: Connection, act: () => Promise<R>): Promise<R> {
  const store = storeOf(connection);
  store.acting++;
  wait(store, 1);
  const acting = store.last.then(async () => {
    const result = await act();
    store.acting--;
    store.version++;
    const account: OwnAccount | null | undefined = result.account;
    wait(store, -1, { ...account !== undefined && { account }, error: result.ok ? null : result });
    if (result.ok && account !== undefined) announce(connection, store);
    return result;
  });
  store.last = acting;
  return acting;
}

interface Done {
  readonly ok: true;
  /** The account as it is now, if that is known. */
  readonly account?: OwnAccount | null;
}

function wait(store: Store, more: 1 | -1, changes?: Partial<AccountState>): void {
  store.pending += more;
  set(store, { ...changes, isLoading: store.pending > 0 });
}

function set(store: Store, changes: Partial<AccountState>): void {
  const state = { ...store.state, ...changes };
  if (JSON.stringify(state) === JSON.stringify(store.state)) return;
  store.state = state;
  // Each in its own task, so that one that throws does not affect the others.
  store.listeners.forEach(queueMicrotask);
}

/** Makes the functions for the account. */
export function accountOf(find: Find): AccountClient {
  const call = caller<Awaited<ReturnType<typeof accounts>>, AccountPage>(find, accounts);
  const get = call((late) => late.get);
  const send = call((late) => late.act);
  const exportData = call((late) => late.exportData);
  const act = (fields: AccountFields, options: AccountActOptions = {}): Promise<AccountResult | AccountLeft> =>
    run(find(options), () => send(fields, options));
  // Only ending a session and deleting lead away.
  const stay = act as (fields: AccountFields, options?: AccountActOptions) => Promise<AccountResult>;
  const acts: AccountActs = {
    rename: (name, options) => stay({ act: "rename", name }, options),
    changeEmail: (to, { lost, ...options } = {}) =>
      stay({ act: "changeEmail", to, ...lost && { lost: "1" } }, options) as Promise<EmailAsked | AccountFailure>,
    takeEmail: (options) => stay({ act: "takeEmail" }, options),
    cancelEmail: (options) => stay({ act: "cancelEmail" }, options),
    unlink: (id, options) => stay({ act: "unlink", id }, options),
    renamePasskey: (id, name, options) => stay({ act: "renamePasskey", id, name }, options),
    removePasskey: (id, options) => stay({ act: "removePasskey", id }, options),
    endSession: (id, options) => act({ act: "endSession", id }, options),
    endOthers: (options) => stay({ act: "endOthers" }, options),
    exportData: (options = {}) => run(find(options), () => exportData(options)),
    delete: (typed, options) => act({ act: "delete", typed }, options),
    keep: (options) => stay({ act: "keep" }, options),
  };
  return { get: (options = {}) => get(options), ...acts };
}

/** Gives what a component can do with the account. */
export function hookOf(connection: Connection): Omit<AccountHook, keyof AccountState> {
  const { get: _, ...acts } = accountOf(() => connection);
  return { refresh: () => refreshAccount(connection), ...acts };
}
