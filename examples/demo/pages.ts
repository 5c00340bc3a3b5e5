/**
 * The HTML of the demo. Everything that comes from visitors or providers is escaped.
 *
 * @module
 */
import type { AdapterSession, Session } from "@x/auth";
import type { LoginView } from "./demo_id.ts";
import type { SentEmail } from "./mailbox.ts";
import { hasMoreThanOne, type Passkey, type SignInMethods } from "./passkeys.ts";

/** What the home page shows. */
export interface HomeView {
  /** Who is signed in. */
  readonly session: Session | null;
  /** The user name and password to show. */
  readonly login: { readonly username: string; readonly password: string };
}

/** Renders the home page. */
export function homePage({ session, login: hint }: HomeView): string {
  const name = session?.user?.name ?? session?.user?.email ?? "user";
  return document(
    "Demo of @x/auth",
    session
      ? `<h1>Hello, ${escape(name)}</h1>
        <p>You are signed in. This is the session that your browser can read:</p>
        ${sessionBox(session)}
        <nav><a class="button" href="/members">Members only</a>
        <a class="button quiet" href="/auth/signout?callbackUrl=%2F">Sign out</a></nav>`
      : `<h1>Hello, stranger</h1>
        <p>You are not signed in. Sign in with a <strong>passkey</strong>, which your device creates; with
        <strong>Demo ID</strong>, an OpenID Provider on this machine; by
        <strong>email</strong>, with any address, because the mailbox is part of this site; or with a password:
        <code>${escape(hint.username)}</code> and <code>${escape(hint.password)}</code>.</p>
        <nav><a class="button" href="/auth/signin">Sign in</a>
        <a class="button quiet" href="/mailbox">Mailbox</a>
        <a class="button quiet" href="/members">Members only</a></nav>`,
  );
}

/** What the members page shows: everything that is stored about one user. */
export interface MembersView extends SignInMethods {
  readonly session: Session;
  readonly sessions: readonly AdapterSession[];
}

/** Renders the members page. */
export function membersPage(view: MembersView): string {
  const { session, user, accounts, sessions } = view;
  return document(
    "Members only",
    `<h1>Members only</h1>
    <p>Only signed-in users see this page. Your session ends on ${time(new Date(session.expires))}
    unless you come back earlier.</p>
    <h2>You, in storage</h2>
    <dl id="user"><dt>Id</dt><dd><code>${escape(user?.id ?? "")}</code></dd>
    <dt>Email</dt><dd>${escape(user?.email ?? "none")}</dd>
    <dt>Verified</dt><dd>${user?.emailVerified ? time(user.emailVerified) : "not yet: use a sign-in link"}</dd></dl>
    <h2>Your accounts</h2>
    ${listOf("accounts", accounts.map(({ provider, providerAccountId }) => `${provider}: ${providerAccountId}`))}
    <p>Sign in with Demo ID while you are signed in, and its account is linked to yours.</p>
    <h2>Your passkeys</h2>
    ${passkeyList(view)}
    <h2>Your sessions</h2>
    ${listOf("sessions", sessions.map(({ expires }) => `ends on ${expires.toUTCString()}`))}
    <nav><a class="button" href="/">Home</a>
    <a class="button quiet" href="/auth/signin?callbackUrl=%2Fmembers">Add an account</a>
    <a class="button quiet" href="${escape(addPasskeyUrl(user?.email ?? ""))}">Add a passkey</a>
    <a class="button quiet" href="/auth/signout?callbackUrl=%2F">Sign out</a></nav>`,
  );
}

function addPasskeyUrl(email: string): string {
  return `/auth/signin?${new URLSearchParams({ callbackUrl: "/members", email })}`;
}

function passkeyList(view: MembersView): string {
  if (view.passkeys.length === 0) return "<p>None. Add one to sign in without a password or an email.</p>";
  const isRemovable = hasMoreThanOne(view);
  const items = view.passkeys.map((passkey) => passkeyItem(passkey, isRemovable));
  const note = isRemovable ? "" : "<p>It is your only sign-in method, so you cannot remove it.</p>";
  return `<ul id="passkeys">${items.join("")}</ul>${note}`;
}

function passkeyItem(passkey: Passkey, isRemovable: boolean): string {
  const { credentialID, credentialDeviceType, credentialBackedUp, counter, name } = passkey;
  const kind = credentialDeviceType === "multiDevice" ? "on several devices" : "on one device";
  const remove = isRemovable ? '<button class="quiet" name="remove" value="yes">Remove</button>' : "";
  return `<li><strong>${escape(name || "Passkey")}</strong><br>
    <small>${kind}${credentialBackedUp ? ", backed up" : ""}, counter ${counter}</small>
    <form method="post" action="/passkeys"><input type="hidden" name="passkey" value="${escape(credentialID)}">
    <input name="name" aria-label="Name of the passkey" maxlength="60" value="${escape(name ?? "")}">
    <button class="quiet">Rename</button> ${remove}</form></li>`;
}

/** Renders the answer to a user who wants to remove the last sign-in method. */
export function lastMethodPage(): string {
  return document(
    "Not removed",
    `<h1>Not removed</h1><p>It is your only sign-in method. Add another one first, or verify your address with a sign-in link.</p>
    <nav><a class="button" href="/members">Back</a></nav>`,
  );
}

/** Renders the emails that were sent. */
export function mailboxPage(emails: readonly SentEmail[]): string {
  const items = emails.map(({ to, url, expires }) =>
    `<li><a href="${escape(url)}">Sign in as ${escape(to)}</a><br><small>works once, until ${
      time(expires)
    }</small></li>`
  );
  return document(
    "Mailbox",
    `<h1>Mailbox</h1>
    <p>All emails of this site arrive here, where everybody can read them. A real site sends real emails.</p>
    ${items.length > 0 ? `<ul id="emails">${items.join("")}</ul>` : "<p>No emails yet.</p>"}
    <nav><a class="button" href="/mailbox">Refresh</a> <a class="button quiet" href="/">Home</a></nav>`,
  );
}

function listOf(id: string, items: readonly string[]): string {
  if (items.length === 0) return "<p>None.</p>";
  return `<ul id="${id}">${items.map((item) => `<li>${escape(item)}</li>`).join("")}</ul>`;
}

function time(date: Date): string {
  return `<time datetime="${date.toISOString()}">${escape(date.toUTCString())}</time>`;
}

/** Renders the page for an address that does not exist. */
export function notFoundPage(): string {
  return document(
    "Not found",
    `<h1>Not found</h1><p>There is no such page.</p><nav><a class="button" href="/">Home</a></nav>`,
  );
}

/** Renders the login page of Demo ID. */
export function demoIdPage({ accounts, action }: LoginView): string {
  const buttons = accounts.map(({ login, name, email }) =>
    `<button class="account" name="login" value="${escape(login)}"><strong>${escape(name)}</strong>
    <span>${escape(email)}</span></button>`
  );
  return document(
    "Demo ID",
    `<h1>Demo ID</h1>
    <p>Who are you today? The site that sent you will receive the name and the email address.</p>
    <form method="post" action="${escape(action)}">${buttons.join("\n")}
    <button class="cancel" name="login" value="">Cancel</button></form>`,
    // This is a page of another site, so it contains its own style.
    `<link rel="icon" href="data:,">\n<style>${STYLE}</style>`,
  );
}

/** Returns a page that may load its own style sheet and images only. */
export function html(page: string, status = 200): Response {
  return new Response(page, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; " +
        "base-uri 'none'; frame-ancestors 'none'",
      "cache-control": "private, no-store",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
    },
  });
}

/** Returns a file that a page loads. */
export function asset(text: string, type: string): Response {
  return new Response(text, {
    headers: { "content-type": type, "cache-control": "public, max-age=300", "x-content-type-options": "nosniff" },
  });
}

function sessionBox(session: Session): string {
  return `<pre id="session">${escape(JSON.stringify(session, null, 2))}</pre>`;
}

const HEAD = `<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="/style.css">`;

function document(title: string, content: string, head = HEAD): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
${head}
</head>
<body><main>
${content}
</main></body>
</html>
`;
}

function escape(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? "");
}

/** The icon of the site, as SVG. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4"
fill="#2f5bd7"/><circle cx="8" cy="6" r="2.5" fill="#fff"/><path d="M3 14a5 5 0 0 1 10 0z" fill="#fff"/></svg>`;

/** The style sheet, for light and dark, and for screens from the size of a phone. */
export const STYLE = `
:root { --text: #1d2330; --soft: #5b6475; --paper: #fff; --ground: #eef1f6; --line: #d8dde6; --brand: #2f5bd7; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8ebf2; --soft: #a2abbd; --paper: #1b202b; --ground: #11141b; --line: #323a49; --brand: #7fa0ff; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; grid-template-columns: minmax(0, 34rem);
  place-content: center; padding: 1.25rem;
  background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
main { padding: clamp(1.25rem, 5vw, 2.5rem); background: var(--paper);
  border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 1rem 3rem rgb(0 0 0 / 8%); }
h2 { margin: 1.5rem 0 .5rem; font-size: 1.1rem; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1rem; margin: 0 0 1.25rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
ul { margin: 0 0 1.25rem; padding-left: 1.25rem; overflow-wrap: anywhere; }
a:not(.button) { color: var(--brand); }
small { color: var(--soft); }
h1 { margin: 0 0 .5rem; font-size: 1.6rem; line-height: 1.2; overflow-wrap: anywhere; }
p { margin: 0 0 1.25rem; color: var(--soft); }
code { color: var(--text); background: var(--ground); border-radius: .35rem; padding: .1em .4em; }
pre { margin: 0 0 1.25rem; padding: 1rem; overflow-x: auto; background: var(--ground); border-radius: .6rem;
  font-size: .875rem; }
nav, form { display: flex; flex-wrap: wrap; gap: .75rem; }
.button, button { display: inline-block; padding: .65rem 1.1rem; border: 1px solid var(--brand); border-radius: .6rem;
  background: var(--brand); color: var(--paper); font: inherit; font-weight: 600; text-decoration: none;
  cursor: pointer; }
input:not([type=hidden]) { min-width: 0; flex: 1 1 8rem; padding: .65rem; border: 1px solid var(--soft);
  border-radius: .6rem; background: transparent; color: inherit; font: inherit; }
li form { margin: .5rem 0 1rem; }
.quiet, .account, .cancel { background: transparent; color: var(--text); border-color: var(--line); }
.account { width: 100%; text-align: left; }
.account span { display: block; color: var(--soft); font-weight: 400; }
.cancel { border-color: transparent; color: var(--soft); }
.button:hover, button:hover { border-color: var(--text); }
:focus-visible { outline: 3px solid var(--brand); outline-offset: 2px; }
`;
