/**
 * Takes a screenshot of every built-in page, light and dark, for a phone and a desktop. Needs Chromium.
 *
 * @example Usage
 * ```sh
 * deno run -A scripts/screenshots.ts [folder]
 * deno run -A scripts/screenshots.ts --docs
 * ```
 *
 * With `--docs` it takes the pictures of the documentation, in docs/images. They show the font of the machine: use one with
 * a variable font, such as Inter, as `system-ui`.
 *
 * @module
 */
import type { Browser } from "playwright-core";
import { type RenderedPage, renderPage } from "../src/pages/render.ts";
import { findChromium, startChromium } from "../tests/_support/chromium.ts";
import { ACCOUNT_EXAMPLES, ACCOUNT_VIEW } from "./account_examples.ts";
import { CHALLENGE_EXAMPLES, FACTORS_EXAMPLES } from "./factor_examples.ts";
import { PASSWORD_EXAMPLES } from "./password_examples.ts";
import { printLine } from "./print.ts";
import { providerFiles } from "./provider_marks.ts";
import type { Theme } from "../src/kernel/model.ts";
import type { Page, SignInMethod } from "../src/request/outcome.ts";
import type { CredentialField, ProviderStyle } from "../src/contract/provider.ts";

/** The origin of the example pages. */
export const SITE = "https://app.example";

/** A page with a configuration. */
export interface PageExample {
  readonly name: string;
  readonly page: Page;
  readonly theme: Theme;
}

const SHAPE = `<rect width='40' height='40' rx='10' fill='COLOR'/><circle cx='20' cy='20' r='9' fill='#fff'/>`;

/** Providers that many sites have. Those without a file in src/providers have an initial. */
const POPULAR = (
  "google,github,apple,microsoft-entra-id,discord,gitlab,keycloak,auth0,facebook,kakao,twitter,linkedin,slack,spotify," +
  "twitch,reddit,notion,figma,dropbox,zoom,line,yandex,vk,okta,atlassian,bitbucket,instagram,tiktok,patreon,box"
).split(",");

const CATALOGUE: ReadonlyMap<string, readonly [string, ProviderStyle]> = new Map(
  providerFiles().map(({ id, name, style }) => [id, [name, style]]),
);

const BRANDS = POPULAR.map((id) =>
  CATALOGUE.get(id) ?? [id.replace(/^./, (first) => first.toUpperCase()), {}] as const
);

/** Providers that a developer has written. */
const OWN: readonly (readonly [string, ProviderStyle])[] = [
  ["Staff", { bg: "#0f766e", text: "#fff", logo: letter("#fff", "S", "#0f766e") }],
  ["Partners", { logo: letter("#be185d", "P", "#fff"), logoDark: letter("#fbcfe8", "P", "#831843") }],
  ["Customers", { bg: "#fde68a", bgDark: "#78350f", text: "#451a03", textDark: "#fef3c7" }],
  ["A star", {
    border: "#2563eb",
    borderDark: "#93c5fd",
    mark: "M12 2l3 7h7l-5.5 5 2 8-6.5-4.5-6.5 4.5 2-8L2 9h7z",
  }],
];

const PLAIN = ["Library", "University", "City"].map((name) => [name, {}] as const);

/** Names that are very long, very wide or written from right to left. */
const UNUSUAL = [
  "Königlich-Niederländische Universitätsbibliothek der Vereinigten Provinzen, Abteilung Identitätsverwaltung",
  "هيئة الحكومة الرقمية",
  "משרד הפנים (Israel) 2",
  "日本電信電話株式会社認証連携基盤サービス統合窓口",
  "Pneumonoultramicroscopicsilicovolcanoconiosisidentityprovider",
  "🪪",
].map((name) => [name, {}] as const);

type SignIn = Extract<Page, { readonly name: "signin" }>;

const FAILURE = { provider: "credentials", error: "CredentialsSignin", cancelled: false, values: {} };

const WORK_TOKEN = "1767225600.65536.AAAAAAAAAAAAAAAAAAAAAA.0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f";

const WORK = { id: "proof-of-work", fields: { proofOfWork: WORK_TOKEN }, waits: 30 };

const LINKS = { signUp: "/join", help: "/help", terms: "/terms", privacy: "/privacy" };

const CONFIRM = { purpose: "confirm", siteUrl: SITE } as const;

/** The pages to take screenshots of. */
export const PAGE_EXAMPLES: readonly PageExample[] = [
  example("signin-1", signIn(oauth(BRANDS.slice(1, 2)))),
  example("signin-5", signIn(oauth(BRANDS.slice(0, 5)))),
  example("signin-30", signIn(oauth(BRANDS))),
  example("signin-30-password", signIn([...oauth(BRANDS), password()])),
  example("signin-7-email", signIn([email(), ...oauth(BRANDS.slice(0, 7))])),
  example("signin-own", signIn(oauth(OWN))),
  example("signin-plain", signIn(oauth(PLAIN))),
  example("signin-password", signIn([...oauth(BRANDS.slice(0, 2)), password()])),
  example("signin-own-passwords", signIn([...oauth(BRANDS.slice(0, 2)), ownPassword()])),
  example("signin-own-passwords-wrong", {
    ...signIn([ownPassword()], "CredentialsSignin"),
    failure: { ...FAILURE, provider: "password", values: { email: "ada@example.com" } },
  }, { links: LINKS }),
  example("signin-two-forms", signIn([password(), ...oauth(PLAIN.slice(0, 1)), employee()])),
  example("signin-brand", signIn([...oauth(BRANDS.slice(1, 3)), password()]), { brandColor: "#0f766e" }),
  example("signin-logo", signIn([...oauth(BRANDS.slice(0, 3)), password()]), {
    brandColor: "#f59e0b",
    logo: banner("#f59e0b"),
  }),
  example("signin-error", signIn([...oauth(BRANDS.slice(1, 3)), password()], "OAuthAccountNotLinked")),
  example("signin-unusual", signIn([...oauth(UNUSUAL), password("a@example.com".padStart(120, "long."))], "Callback")),
  example("signin-nothing", signIn([])),
  example("signin-wrong", {
    ...signIn([...oauth(BRANDS.slice(1, 3)), email(), password()], "CredentialsSignin"),
    failure: { ...FAILURE, values: { email: "ada@example.com" } },
    lastUsed: "credentials",
  }),
  example("signin-challenge", {
    ...signIn([...oauth(BRANDS.slice(1, 3)), password()], "CredentialsSignin"),
    failure: { ...FAILURE, values: { email: "ada@example.com" } },
    challenge: { provider: "credentials", view: WORK },
  }),
  example("signin-challenge-email", {
    ...signIn([email(), ...oauth(BRANDS.slice(1, 3))]),
    challenge: { provider: "nodemailer", view: WORK },
  }),
  example("signin-cancelled", {
    ...signIn([...oauth(BRANDS.slice(0, 3)), email()], "OAuthCallbackError"),
    failure: { ...FAILURE, provider: "p1", cancelled: true },
    lastUsed: "p0",
  }),
  example("signin-filled", signIn([...oauth(BRANDS.slice(0, 5)), password()]), { buttons: "brand" }),
  example("signin-30-filled", signIn([...oauth(BRANDS), password()]), { buttons: "brand" }),
  example("signin-all", { ...signIn([...oauth(BRANDS.slice(0, 3)), email(), passkey(), login()]), lastUsed: "p1" }),
  example("signin-links", signIn([...oauth(BRANDS.slice(0, 2)), email()]), { links: LINKS }),
  example("signin-30-links", signIn(oauth(BRANDS)), { links: LINKS }),
  example("signin-confirm", { ...signIn([...oauth(BRANDS.slice(1, 2)), passkey()], "SessionRequired"), ...CONFIRM }, {
    links: LINKS,
  }),
  example("add-passkey", { ...signIn([passkey()]), purpose: "add-passkey", siteUrl: SITE }),
  example("signed-out", { name: "signed-out", signInUrl: `${SITE}/auth/signin`, siteUrl: SITE }),
  example("signout", {
    name: "signout",
    csrfToken: "token",
    action: `${SITE}/auth/signout`,
    callbackUrl: SITE,
  }),
  example("signout-logo", { name: "signout", csrfToken: null, action: "/", callbackUrl: "/" }, {
    brandColor: "#be185d",
    logo: banner("#be185d"),
  }),
  ...(["Configuration", "AccessDenied", "Verification", "WebAuthnVerificationError", "NotFound", "Default"] as const)
    .map((error) =>
      example(`error-${error}`, { name: "error", error, signInUrl: `${SITE}/auth/signin`, siteUrl: SITE }, {
        links: LINKS,
      })
    ),
  example("signin-email", signIn([...oauth(BRANDS.slice(1, 3)), email()], "EmailSignin")),
  example("signin-email-password", signIn([email(), password()]), { brandColor: "#0f766e" }),
  example("signin-passkey", signIn([passkey(), ...oauth(BRANDS.slice(1, 3))])),
  example("signin-passkey-email", signIn([passkey(), email(), ...oauth(BRANDS.slice(1, 2))]), {
    brandColor: "#0f766e",
  }),
  example("signin-30-passkey", signIn([...oauth(BRANDS), passkey("ada@example.com")])),
  example("verify-request", { name: "verify-request", signInUrl: `${SITE}/auth/signin`, siteUrl: SITE }),
  example("verify-request-sent", sentTo("ada@example.com"), { links: LINKS }),
  example("verify-request-confirm", sentTo("ada@example.com", "confirm")),
  example("verify-request-reset", sentTo("ada@example.com", "reset")),
  example("verify-request-sent-long", sentTo(`${"long.".repeat(12)}a@${"rather-".repeat(8)}long.example`)),
  example("verify-request-long", {
    name: "verify-request",
    signInUrl: `${SITE}/auth/signin`,
    siteUrl: `https://${"a-rather-long-name.".repeat(5)}example:8443`,
  }),
  example("confirm-email", confirmEmail("ada@example.com")),
  example("confirm-email-long", confirmEmail(`${"long.".repeat(12)}a@${"rather-".repeat(8)}long.example`), {
    brandColor: "#be185d",
    logo: banner("#be185d"),
  }),
  ...Object.entries({ ...CHALLENGE_EXAMPLES, ...FACTORS_EXAMPLES, ...PASSWORD_EXAMPLES, ...ACCOUNT_EXAMPLES }).map((
    [name, page],
  ) => example(name, page)),
];

/** A page with every provider that there is. */
export const CATALOGUE_EXAMPLE: PageExample = example("signin-catalogue", signIn(oauth([...CATALOGUE.values()])));

/** Renders an example in a color scheme. */
export async function renderExample(
  { page, theme }: PageExample,
  colorScheme: Theme["colorScheme"],
  language = "en",
): Promise<RenderedPage> {
  const named = { name: "Acme", language, ...theme, colorScheme };
  return await renderPage(page, { theme: named, formAction: ["https:"], https: true });
}

function example(name: string, page: Page, theme: Theme = {}): PageExample {
  return { name, page, theme };
}

function signIn(methods: readonly SignInMethod[], error: string | null = null): SignIn {
  return { name: "signin", csrfToken: "token", callbackUrl: SITE, error, email: null, methods };
}

function oauth(brands: readonly (readonly [string, ProviderStyle])[]): readonly SignInMethod[] {
  return brands.map(([name, style], index) => (
    { type: "oauth", id: `p${index}`, name, style, action: `${SITE}/auth/signin/p${index}` }
  ));
}

function email(): SignInMethod {
  return { type: "email", id: "nodemailer", name: "Email", style: {}, action: `${SITE}/auth/signin/nodemailer` };
}

function passkey(value?: string): SignInMethod {
  const address = { label: "Email", type: "email", required: true, autocomplete: "username webauthn" };
  return {
    ...{
      type: "webauthn",
      id: "passkey",
      name: "a passkey",
      style: {},
      autofill: false,
      registers: true,
      listsByEmail: false,
    },
    fields: { email: { ...address, placeholder: "you@example.com", ...(value && { value }) } },
    action: `${SITE}/auth/callback/passkey`,
    optionsUrl: `${SITE}/auth/webauthn-options/passkey`,
    confirmUrl: null,
  };
}

function sentTo(address: string, purpose?: "confirm" | "reset"): Page {
  const sent = { to: address, seconds: 600, ...(purpose && { purpose }) };
  return { name: "verify-request", signInUrl: `${SITE}/auth/signin`, siteUrl: SITE, sent };
}

function confirmEmail(address: string): Page {
  const action = `${SITE}/auth/callback/nodemailer?token=0f&email=a%40b.com`;
  return { name: "confirm-email", csrfToken: "token", action, callbackUrl: SITE, email: address, siteUrl: SITE };
}

function password(value?: string): SignInMethod {
  return form("a password", {
    email: { label: "Email", type: "email", placeholder: "you@example.com", required: true, ...(value && { value }) },
    password: { label: "Password", type: "password", required: true },
    remember: { label: "Stay signed in on this device", type: "checkbox" },
  });
}

/** The form of `password()`. */
function ownPassword(): SignInMethod {
  return {
    ...{ type: "credentials", id: "password", name: "Password", style: {}, action: `${SITE}/auth/callback/password` },
    fields: {
      email: { label: "Email", type: "email", required: true, autocomplete: "username" },
      password: { label: "Password", type: "password", required: true },
    },
    passwords: { resetUrl: `${SITE}/auth/reset`, signUpUrl: `${SITE}/auth/signup` },
  };
}

function login(): SignInMethod {
  return form("Credentials", { username: {}, password: { type: "password", required: true } });
}

function employee(): SignInMethod {
  return form("an employee number", { number: { label: "Employee number", inputmode: "numeric" } });
}

function form(name: string, fields: Readonly<Record<string, CredentialField>>): SignInMethod {
  return {
    type: "credentials",
    id: "credentials",
    name,
    style: {},
    fields,
    action: `${SITE}/auth/callback/credentials`,
  };
}

function letter(back: string, text: string, ink: string): string {
  const start = `<text x='10' y='15' text-anchor='middle' font-family='sans-serif' font-size='14' font-weight='700'`;
  return svg("0 0 20 20", `<rect width='20' height='20' rx='5' fill='${back}'/>${start} fill='${ink}'>${text}</text>`);
}

function banner(color: string): string {
  const shape = SHAPE.replace("COLOR", color);
  const bar = `<rect x='52' y='13' width='108' height='14' rx='7' fill='${color}'/>`;
  return svg("0 0 160 40", shape + bar);
}

function svg(viewBox: string, content: string): string {
  const [, , width, height] = viewBox.split(" ");
  const start = `<svg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}' viewBox='${viewBox}'>`;
  return `data:image/svg+xml,${encodeURIComponent(`${start}${content}</svg>`)}`;
}

const SIZES = [{ width: 390, height: 844 }, { width: 1280, height: 800 }];

async function takeScreenshots(chromium: Browser, folder: string): Promise<number> {
  let taken = 0;
  for (const viewport of SIZES) {
    for (const scheme of ["light", "dark"] as const) {
      const context = await chromium.newContext({ viewport, colorScheme: scheme, deviceScaleFactor: 1 });
      const tab = await context.newPage();
      for (const each of [...PAGE_EXAMPLES, CATALOGUE_EXAMPLE]) {
        const { html: body } = await renderExample(each, "auto");
        // At a secure origin, because browsers have no passkeys elsewhere.
        await tab.route(SITE, (route) => route.fulfill({ contentType: "text/html", body }), { times: 1 });
        await tab.goto(SITE);
        const path = `${folder}/${each.name}-${scheme}-${viewport.width}.png`;
        await tab.screenshot({ path, fullPage: true });
        taken += 1;
      }
      await context.close();
    }
  }
  return taken;
}

/** A picture of the documentation. */
interface Picture {
  readonly name: string;
  readonly page: Page;
  readonly scheme?: "dark" | "light";
  readonly language?: string;
  /** Whether it is the whole screen of a phone, and not the card alone. */
  readonly isPhone?: boolean;
  /** Whether the card is as wide as it becomes. */
  readonly isWide?: boolean;
  readonly links?: Theme["links"];
}

const SHOWN = { ...signIn([...oauth(BRANDS.slice(0, 2)), email(), passkey()]), lastUsed: "p1" };

const WRONG: Page = {
  ...signIn([...oauth(BRANDS.slice(1, 2)), login()], "CredentialsSignin"),
  failure: { ...FAILURE, values: { username: "ada" } },
};

const SIGN_OUT: Page = { name: "signout", csrfToken: "token", action: `${SITE}/auth/signout`, callbackUrl: SITE };

/** As somebody sees it, whose address need not be shortened. */
const ACCOUNT_PICTURE: Page = {
  ...ACCOUNT_EXAMPLES.account,
  view: {
    ...ACCOUNT_VIEW,
    user: { ...ACCOUNT_VIEW.user, email: "ada@example.com" },
    addable: ACCOUNT_VIEW.addable.slice(0, 2),
    passkeys: ACCOUNT_VIEW.passkeys?.slice(0, 1) ?? null,
    sessions: ACCOUNT_VIEW.sessions?.slice(0, 2) ?? null,
  },
};

const PICTURES: readonly Picture[] = [
  { name: "sign-in-light", page: SHOWN },
  { name: "sign-in-dark", page: SHOWN, scheme: "dark" },
  { name: "sign-in-phone", page: SHOWN, isPhone: true },
  { name: "sign-in-links", page: signIn(oauth(BRANDS.slice(0, 4))), links: LINKS },
  { name: "check-email", page: sentTo("ada@example.com") },
  { name: "check-email-dark", page: sentTo("ada@example.com"), scheme: "dark" },
  { name: "sign-in-arabic", page: SHOWN, language: "ar" },
  { name: "sign-in-error", page: WRONG },
  { name: "sign-out", page: SIGN_OUT },
  { name: "sign-up", page: PASSWORD_EXAMPLES.signup as Page },
  { name: "change-password", page: { ...PASSWORD_EXAMPLES["choose-saved"] as Page, email: "ada@example.com" } as Page },
  { name: "account-light", page: ACCOUNT_PICTURE, isWide: true },
  { name: "account-dark", page: ACCOUNT_PICTURE, isWide: true, scheme: "dark" },
  { name: "account-phone", page: ACCOUNT_PICTURE, isPhone: true },
  { name: "account-arabic", page: ACCOUNT_PICTURE, isWide: true, language: "ar" },
  { name: "second-proof", page: CHALLENGE_EXAMPLES["proof-totp"] },
  { name: "add-authenticator-app", page: FACTORS_EXAMPLES["factors-totp"] },
];

/** The theme of the pictures: what a site of that name would choose. */
const ACME: Theme = { logo: svg("0 0 40 40", SHAPE.replace("COLOR", "#3553cf")) };

/** Pixels around the card. */
const MARGIN = 32;

function around({ x, y, width, height }: Box): Box {
  return { x: x - MARGIN, y: y - MARGIN, width: width + 2 * MARGIN, height: height + 2 * MARGIN };
}

type Box = Readonly<Record<"x" | "y" | "width" | "height", number>>;

/** Takes the pictures with these names; without any, all. */
async function takePictures(chromium: Browser, folder: string, names: readonly string[]): Promise<number> {
  const chosen = PICTURES.filter(({ name }) => names.length === 0 || names.includes(name));
  for (const { name, page, scheme = "light", language = "en", isPhone = false, isWide = false, links } of chosen) {
    const { html: body } = await renderExample(example(name, page, { ...ACME, links }), scheme, language);
    const viewport = isPhone ? { width: 320, height: 620 } : { width: isWide ? 840 : 640, height: 1000 };
    const context = await chromium.newContext({ viewport, deviceScaleFactor: 1.5 });
    const tab = await context.newPage();
    await tab.route(SITE, (route) => route.fulfill({ contentType: "text/html", body }), { times: 1 });
    await tab.goto(SITE);
    const card = await tab.locator(".card").boundingBox();
    const path = `${folder}/${name}.png`;
    await tab.screenshot(isPhone || !card ? { path } : { path, clip: around(card), fullPage: true });
    await context.close();
  }
  return chosen.length;
}

if (import.meta.main) {
  const executablePath = findChromium();
  if (!executablePath) {
    printLine("Cannot find Chromium. Install it, or set CHROMIUM_PATH");
    Deno.exit(1);
  }
  const isForDocs = Deno.args[0] === "--docs";
  const folder = isForDocs ? "docs/images" : Deno.args[0] ?? await Deno.makeTempDir({ prefix: "pages-" });
  await Deno.mkdir(folder, { recursive: true });
  const chromium = await startChromium(executablePath);
  const take = isForDocs ? takePictures : takeScreenshots;
  const taken = await take(chromium, folder, Deno.args.slice(1)).finally(() => chromium.close());
  printLine(`${taken} screenshots in ${folder}`);
}
