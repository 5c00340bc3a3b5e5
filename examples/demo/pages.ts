/**
 * The HTML of the demo. Everything that comes from visitors or providers is escaped.
 *
 * @module
 */
import type { AdapterAccount, Session, UserSession } from "@x/auth";
import { DEMO_ACCOUNTS, type LoginView } from "./demo_id.ts";
import type { SentEmail } from "./mailbox.ts";
import { hasMoreThanOne, type Passkey, type SignInMethods } from "./passkeys.ts";

/** What the home page shows. */
export interface HomeView {
  /** Who is signed in. */
  readonly session: Session | null;
  /** The address and the password to show. */
  readonly login: { readonly email: string; readonly password: string };
}

/** Renders the home page. */
export function homePage({ session, login }: HomeView): string {
  return session ? welcomePage(session) : document(
    "Demo of @x/auth",
    `<h1>Hello, stranger</h1>
    <p class="lead">Nobody is signed in. Try any of these:</p>
    <dl><dt>Demo ID</dt><dd>an OpenID Provider on this machine, with two people</dd>
    <dt>Password</dt><dd><code>${escape(login.email)}</code> and <code>${escape(login.password)}</code></dd>
    <dt>Email</dt><dd>any address: it arrives in the mailbox</dd>
    <dt>Passkey</dt><dd>your device makes one</dd></dl>
    <div class="actions">${primary("/auth/signin", "Sign in")} ${button("/auth/signup", "Create an account")}</div>
    ${links(["/members", "Members only"], ["/mailbox", "Mailbox"])}`,
  );
}

function welcomePage(session: Session): string {
  const { name, email } = session.user ?? {};
  return document(
    "Demo of @x/auth",
    `${avatar(name ?? email ?? "")}<h1>Hello, <a href="/auth/account">${escape(name ?? email ?? "user")}</a></h1>
    <p class="lead">You are signed in. Your browser can read this much of the session:</p>
    <pre id="session">${escape(JSON.stringify(session, null, 2))}</pre>
    <div class="actions">${primary("/members", "Members only")} ${button("/auth/account", "Your account")}</div>
    ${links(["/mailbox", "Mailbox"], ["/auth/signout?callbackUrl=%2F", "Sign out"])}`,
  );
}

/** What the members page shows: everything that is stored about one user. */
export interface MembersView extends SignInMethods {
  readonly session: Session;
  readonly sessions: readonly UserSession[];
}

/** Renders the members page. */
export function membersPage(view: MembersView): string {
  const { user, accounts, sessions } = view;
  const others = accounts.filter(({ type }) => type !== "webauthn");
  return document(
    "Members only",
    `${avatar(user?.name ?? user?.email ?? "")}<h1>Members only</h1>
    <p class="lead">This is all that is stored about you.</p>
    <h2>You</h2>
    <dl id="user"><dt>Name</dt><dd>${escape(user?.name ?? "none")}</dd>
    <dt>Email</dt><dd>${escape(user?.email ?? "none")}</dd>
    <dt>Verified</dt><dd>${user?.emailVerified ? time(user.emailVerified) : "not yet: use a sign-in link"}</dd>
    <dt>Id</dt><dd><code>${escape(user?.id ?? "")}</code></dd></dl>
    <h2>Accounts</h2>
    ${listOf("accounts", others.map(accountItem), "None. Sign in with Demo ID now, and its account is added to yours.")}
    <h2>Passkeys</h2>
    ${passkeyList(view)}
    <h2>Sessions</h2>
    ${listOf("sessions", sessions.map(sessionItem), "None.")}
    <div class="actions">${primary("/auth/signin?callbackUrl=%2Fmembers", "Add an account")}
    ${button("/auth/signin/passkey?callbackUrl=%2Fmembers", "Add a passkey")}
    ${button("/auth/password?callbackUrl=%2Fmembers", "Password")}</div>
    ${links(["/", "Home"], ["/auth/account", "Your account"], ["/auth/signout?callbackUrl=%2F", "Sign out"])}`,
  );
}

/** The names of providers, by their ids. */
const NAMES: Readonly<Record<string, string>> = {
  "demo-id": "Demo ID",
  "email": "Email",
  "passkey": "Passkey",
  "password": "Password",
};

function nameOf(provider: string): string {
  return NAMES[provider] ?? provider;
}

function accountItem({ provider, providerAccountId }: AdapterAccount): string {
  const owner = DEMO_ACCOUNTS.find(({ login }) => provider === "demo-id" && login === providerAccountId);
  return `<strong>${escape(nameOf(provider))}</strong>${owner ? ` of ${escape(owner.name)}` : ""}
    <small>${escape(owner?.email ?? providerAccountId)}</small>`;
}

function sessionItem({ provider, signedInAt, isCurrent }: UserSession): string {
  const how = provider ? nameOf(provider) : "Unknown";
  return `<strong>${escape(how)}</strong>${isCurrent ? ", this browser" : ""}
    <small>since ${signedInAt ? time(signedInAt) : "an earlier visit"}</small>`;
}

function passkeyList(view: MembersView): string {
  if (view.passkeys.length === 0) return "<p>None. Add one, and you need no password and no email.</p>";
  const isRemovable = hasMoreThanOne(view);
  const items = view.passkeys.map((passkey) => passkeyItem(passkey, isRemovable));
  const note = isRemovable ? "" : "<p>It is your only way to sign in, so you cannot remove it.</p>";
  return `<ul id="passkeys">${items.join("")}</ul>${note}`;
}

function passkeyItem(passkey: Passkey, isRemovable: boolean): string {
  const { credentialID, credentialDeviceType, credentialBackedUp, counter, name } = passkey;
  const kind = credentialDeviceType === "multiDevice" ? "on several devices" : "on one device";
  const remove = isRemovable ? '<button class="button" name="remove" value="yes">Remove</button>' : "";
  return `<li><strong>${escape(name || `Passkey ${credentialID.slice(0, 6)}`)}</strong>
    <small>${kind}${credentialBackedUp ? ", backed up" : ""}, counter ${counter}</small>
    <form class="row" method="post" action="/passkeys"><input type="hidden" name="passkey" value="${
    escape(credentialID)
  }">
    <div class="field"><input name="name" aria-label="Name of the passkey" maxlength="60" value="${escape(name ?? "")}">
    </div><button class="button">Rename</button> ${remove}</form></li>`;
}

/** Renders the answer to a user who wants to remove the last sign-in method. */
export function lastMethodPage(): string {
  return document(
    "Not removed",
    `<h1>Not removed</h1>
    <p class="lead">It is your only way to sign in. Add another one first, or verify your address with a link.</p>
    <div class="actions">${primary("/members", "Back")}</div>`,
  );
}

/** Renders the emails that were sent. */
export function mailboxPage(emails: readonly SentEmail[]): string {
  const items = emails.map(({ to, subject, links, sent }) =>
    `<strong>${escape(subject)}</strong> <small>to ${escape(to)}, ${time(sent)}</small>
    ${links.map(({ text, url }) => `<a href="${escape(url)}">${escape(text)}</a>`).join("<br>")}`
  );
  return document(
    "Mailbox",
    `<h1>Mailbox</h1>
    <p class="lead">All emails of this site arrive here. Everybody can read them.</p>
    ${listOf("emails", items, "No emails yet.")}
    <div class="actions">${primary("/mailbox", "Refresh")}</div>
    ${links(["/", "Home"])}`,
  );
}

/** A list of items that are HTML. */
function listOf(id: string, items: readonly string[], none: string): string {
  if (items.length === 0) return `<p>${none}</p>`;
  return `<ul id="${id}">${items.map((item) => `<li>${item}</li>`).join("")}</ul>`;
}

function primary(href: string, text: string): string {
  return `<a class="button primary" href="${escape(href)}"><span class="name">${escape(text)}</span></a>`;
}

function button(href: string, text: string): string {
  return `<a class="button" href="${escape(href)}"><span class="name">${escape(text)}</span></a>`;
}

function links(...targets: readonly (readonly [href: string, text: string])[]): string {
  return `<nav>${
    targets.map(([href, text]) => `<a class="site" href="${escape(href)}">${escape(text)}</a>`).join("")
  }</nav>`;
}

/** The initials of somebody, in a colour of their own, so that people can be told apart. */
function avatar(name: string): string {
  const initials = name.split(/[\s@.]+/).slice(0, 2).map((word) => word.slice(0, 1).toUpperCase()).join("");
  const colour = [...name].reduce((sum, char) => sum + char.charCodeAt(0), 0) % 4;
  return `<span class="avatar c${colour}" aria-hidden="true">${escape(initials)}</span>`;
}

function time(date: Date): string {
  return `<time datetime="${date.toISOString()}">${escape(date.toUTCString())}</time>`;
}

/** Renders the page for an address that does not exist. */
export function notFoundPage(): string {
  return document(
    "Not found",
    `<h1>Not found</h1><p class="lead">There is no such page.</p>
    <div class="actions">${primary("/", "Home")}</div>`,
  );
}

/** Renders the login page of Demo ID, with the style sheet of the site. */
export function demoIdPage({ accounts, action }: LoginView, styleSheet: string): string {
  const buttons = accounts.map(({ login, name, email }) =>
    `<button class="button account" name="login" value="${escape(login)}">${avatar(name)}
    <span class="name"><strong>${escape(name)}</strong> <small>${escape(email)}</small></span></button>`
  );
  return document(
    "Demo ID",
    `<h1>Demo ID</h1>
    <p class="lead">Who are you today? The site gets the name and the address.</p>
    <form class="methods" method="post" action="${escape(action)}">${buttons.join("\n")}
    <button class="button quiet" name="login" value=""><span class="name">Cancel</span></button></form>`,
    `<link rel="icon" href="data:,">\n<link rel="stylesheet" href="${escape(styleSheet)}">`,
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
<body class="__next-auth-theme-auto"><div class="page"><main class="card">
${content}
</main></div></body>
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

/** Makes the style sheet of the demo: that of the library's sign-in page, and what only the demo needs. */
export function styleSheet(signInPage: string): string {
  return [...signInPage.matchAll(/<style>([^<]*)<\/style>/g)].map(([, css]) => css).join("\n") + STYLE;
}

const STYLE = `
h1 a { color: inherit; }
h2 { margin: 24px 0 6px; font-size: 1rem; }
h2 ~ p, small { color: var(--quiet); }
small { display: block; font-size: .875rem; font-weight: 400; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 16px; margin: 20px 0 0; }
h2 + dl { margin: 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
ul { display: grid; gap: 8px; margin: 0; padding: 0; list-style: none; }
#emails { gap: 18px; }
pre { margin: 20px 0 0; padding: 12px 14px; overflow-x: auto; background: var(--canvas); border-radius: 10px;
  font-size: .8125rem; }
code { overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; justify-content: center; gap: 4px 16px; margin-top: 16px; }
.lead + ul, .lead + p { margin-top: 20px; }
.lead + p { text-align: center; }
.actions { gap: 10px; }
.row { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 6px; }
.row .field { flex: 1 1 8rem; }
.row .button { width: auto; min-height: 46px; }
.account { text-align: start; }
.account::after { content: none; }
.quiet { border-color: transparent; color: var(--quiet); }
.avatar { display: grid; place-items: center; flex: none; width: 40px; height: 40px; border-radius: 50%;
  color: #fff; font-weight: 650; }
.card > .avatar { width: 56px; height: 56px; margin: 0 auto 16px; font-size: 1.25rem; }
.c0 { background: #a1326b; } .c1 { background: #3553cf; } .c2 { background: #0f6b5c; } .c3 { background: #8a4b08; }
`;
