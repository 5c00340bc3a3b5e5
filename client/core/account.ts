/**
 * The account of the person. Loaded when it is first asked for.
 *
 * @module
 */
import type {
  AccountActOptions,
  AccountData,
  AccountFailure,
  AccountLeft,
  AccountOptions,
  AccountResult,
  ExportDataOptions,
  OwnAccount,
} from "./account_results.ts";
import type { Answer, Browser } from "./connection.ts";
import type { isOk, Page, post, solving } from "./forms.ts";
import type { signalPasskeys } from "./passkeys.ts";

/** The page, and what it can do with forms and passkeys. */
export interface AccountPage extends Page {
  readonly isOk: typeof isOk;
  readonly post: typeof post;
  readonly solving: typeof solving;
  readonly passkeys: () => Promise<{ readonly signalPasskeys: typeof signalPasskeys }>;
}

/** Fields of a form. */
export type AccountFields = Readonly<Record<string, unknown>> & { readonly act: string };

/** Reads the account. */
export async function get(page: AccountPage, { signal, redirectTo }: AccountOptions = {}): Promise<AccountResult> {
  const answer = await page.ask(page.connection, "account", signal);
  const { view } = answer.body ?? {};
  return answer.status === 200 && view ? { ok: true, account: view } : failureOf(page, answer, redirectTo);
}

/** What changes what the session says. */
const IN_SESSION = ["rename", "takeEmail"];

/** Does something. */
export async function act(
  page: AccountPage,
  fields: AccountFields,
  options: AccountActOptions = {},
): Promise<AccountResult | AccountLeft> {
  const answer = await send(page, fields, options);
  const { status, error, body, url } = answer;
  if (status !== 200 || error || !(body?.step || page.isOk(answer))) return failureOf(page, answer, options.redirectTo);
  // Where the session may have ended, the answer does not have the account.
  const result = body.view ? { ok: true as const, account: body.view as OwnAccount } : await get(page, options);
  if (!result.ok && result.error === "SessionRequired") {
    page.learn(page.connection, null);
    return { ok: true, account: null, url: url?.href ?? result.url };
  }
  if (!result.ok) return result;
  if (IN_SESSION.includes(fields.act)) {
    page.announce(page.connection);
    await page.changed(page.connection);
  }
  await tellDevice(page, fields.act, result.account);
  const { to } = body.step ?? {};
  return { ...result, ...to && { sentTo: to } };
}

/** Reads the data, and saves them. */
export async function exportData(
  page: AccountPage,
  { save = true, ...options }: ExportDataOptions = {},
): Promise<AccountData | AccountFailure> {
  const answer = await send(page, { act: "export" }, options);
  const { status, body } = answer;
  if (status !== 200 || !body?.exportedAt) return failureOf(page, answer, options.redirectTo);
  if (save) saveFile(page.connection.browser, `${JSON.stringify(body, null, 2)}\n`);
  return { ok: true, data: body };
}

function send(
  page: AccountPage,
  fields: AccountFields,
  { basePath: _, signal, redirectTo: __, ...more }: AccountActOptions,
): Promise<Answer> {
  const { post, solving } = page;
  return solving(
    page,
    signal,
    (solution) => post(page, "account", { ...more, ...fields, ...solution }, signal),
  );
}

/** Milliseconds that the browser has to read what it saves. */
const SAVING = 60_000;

function saveFile({ Blob, document, setTimeout, URL }: Browser, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = "account.json";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), SAVING);
}

interface Signals {
  signalCurrentUserDetails?(details: object): Promise<void>;
}

/** Tells the device which passkeys there are after one was removed, and what the person is called after that has changed. */
async function tellDevice(
  page: AccountPage,
  act: string,
  { user, passkeys, passkeySignals }: OwnAccount,
): Promise<void> {
  const { connection, ask } = page;
  const { browser } = connection;
  const { rpId, userHandle, optionsUrl } = passkeySignals ?? {};
  if (act === "removePasskey" && optionsUrl) {
    const { signalPasskeys } = await page.passkeys();
    await signalPasskeys(browser, new URL(optionsUrl).pathname.split("/").pop() ?? "", (path) => ask(connection, path));
  } else if (IN_SESSION.includes(act) && rpId && passkeys?.length) {
    // As the options of a registration name them.
    const name = user.email ?? user.id;
    const details = { rpId, userId: userHandle, name, displayName: user.name ?? name };
    const signals = browser.PublicKeyCredential as unknown as Signals | undefined;
    // Nobody waits for a device that cannot, or will not.
    await signals?.signalCurrentUserDetails?.(details).catch(() => {});
  }
}

function failureOf(
  { connection: { browser } }: AccountPage,
  { status, error, body, url }: Answer,
  redirectTo: string | undefined,
): AccountFailure {
  const { problem, step, view, retryAfter, ways, challenge } = body ?? {};
  const { href } = browser.location;
  // Not to the built-in page.
  if (url?.searchParams.has("callbackUrl")) url.searchParams.set("callbackUrl", new URL(redirectTo ?? href, href).href);
  return {
    ok: false,
    error: `${error ?? "Refused"}`,
    status,
    ...problem && { problem },
    ...retryAfter && { retryAfter },
    ...ways && { ways, challenge },
    ...step?.typed && { typed: step.typed },
    ...view && { account: view },
    ...url && { url: url.href },
  };
}
