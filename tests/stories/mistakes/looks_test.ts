/** Pages, their looks, redirects, cookies and guarded paths that are not what they look like. */
import { createAuth } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { credentials } from "@x/auth/providers/credentials";
import { password as passwords } from "@x/auth/providers/password";
import { ERROR_PAGE, type Handler, type Mistake, SERVED, tellMistakes } from "./_table.ts";

const password = credentials({ credentials: { name: {} }, authorize: () => ({ id: "1", name: "Ada" }) });
const HERE = "http://localhost:3000";

/** A service that JavaScript lets one configure in this way. */
function serve(config: object) {
  return createAuth({ providers: [password], trustHost: true, ...config } as never).handler;
}

type Says = readonly [string, ...string[]];

/** The service goes on, and the log says what an option does not do. */
function warned(name: string, config: () => object, code: string, ...says: Says): Mistake {
  return {
    ...{ name, make: () => serve(config()), see: SERVED, code, level: "warn", says },
    log: new RegExp(` ${code}: `),
    besides: [/ guard-missing: /],
  };
}

/** Nothing is served. */
function refused(name: string, config: () => object, ...says: Says): Mistake {
  return { name, make: () => serve(config()), see: ERROR_PAGE, log: /Cannot use /, says };
}

/** A page of the service, which redirected to itself. */
function ownPage(page: string, path: string, ask = path, more: () => object = () => ({})): Mistake {
  return {
    ...warned(
      `\`pages.${page}\` is ${path}`,
      () => ({ ...more(), pages: { [page]: path } }),
      "page-of-service",
      `\`pages.${page}\``,
    ),
    ask: HERE + ask,
    see: { status: page === "error" ? 500 : 200, text: /<h1>/ },
    says: [`\`pages.${page}\` is "${path}"`, "redirect to itself", "set the path of a page of your own"],
  };
}

function withPasswords(): object {
  return { adapter: memoryAdapter(), providers: [passwords()], mail: () => {} };
}

/** A sign-in that wants to end elsewhere ends on the home page. */
function dropped(name: string, url: string, ...says: Says): Mistake {
  return {
    ...warned(name, () => ({}), "redirect-dropped", ...says),
    ask: `${HERE}/auth/signin?callbackUrl=${encodeURIComponent(url)}`,
  };
}

const LOGOS = ["logo.svg", "./public/logo.svg", "C:\\logo.svg", "<svg></svg>", "http://cdn.example/logo.svg"];

const secureAsk = (path: string) => async (handler: Handler) =>
  await handler(new Request(`https://shop.example${path}`, { headers: { accept: "text/html" } }));

tellMistakes([
  ...LOGOS.map((logo) =>
    warned(
      `\`theme.logo\` is ${logo}`,
      () => ({ theme: { logo } }),
      "option-mended",
      "`theme.logo`",
      JSON.stringify(logo),
      "an https URL, a path that begins with one slash",
    )
  ),
  ...["brand", "primary"].map((brandColor) =>
    warned(
      `\`theme.brandColor\` is the word ${brandColor}`,
      () => ({ theme: { brandColor } }),
      "option-mended",
      "`theme.brandColor`",
      `"${brandColor}"`,
      "not the name of a colour",
      '"#346df1"',
    )
  ),
  warned(
    "`theme.brandColor` is a number",
    () => ({ theme: { brandColor: 0x346df1 } }),
    "option-mended",
    "`theme.brandColor`",
    '"#346df1"',
  ),
  warned(
    "`theme.buttonText` is a text for the button",
    () => ({ theme: { buttonText: "Log in" } }),
    "option-mended",
    "`theme.buttonText`",
    '"Log in"',
    "a CSS colour",
  ),
  warned(
    "`theme.language` is a word",
    () => ({ theme: { language: "klingon" } }),
    "option-mended",
    "`theme.language`",
    '"klingon"',
    "one of en, de",
  ),
  warned(
    "`theme.buttons` is another style",
    () => ({ theme: { buttons: "round" } }),
    "option-mended",
    "`theme.buttons`",
    '"neutral" or "brand"',
  ),
  warned("`theme.name` is an object", () => ({ theme: { name: {} } }), "option-mended", "`theme.name`", "text"),
  warned(
    "`pages.texts` is a list",
    () => ({ pages: { texts: ["Sign in"] } }),
    "option-mended",
    "`pages.texts`",
    "texts for each language",
  ),

  ownPage("signIn", "/auth/signin"),
  ownPage("signIn", "/auth/signin?from=home", "/auth/signin"),
  ownPage("signOut", "/auth/signout"),
  ownPage("error", "/auth/error", "/auth/error?error=Configuration"),
  ownPage("verifyRequest", "/auth/verify-request"),
  ownPage("signUp", "/auth/signup", "/auth/signup", withPasswords),
  ownPage("reset", "/auth/reset", "/auth/reset", withPasswords),
  ownPage("password", "/auth/password", "/auth/signup", withPasswords),

  warned("`protect` is an empty list", () => ({ protect: [] }), "protect-nothing", "`protect` lists no path"),
  warned(
    "`protect.routes` is empty",
    () => ({ protect: { routes: [] } }),
    "protect-nothing",
    "`protect` lists no path",
  ),
  warned(
    "a rule in `protect` has no path",
    () => ({ protect: ["/members/*", { routes: [], level: 2 }] }),
    "protect-nothing",
    "`protect` lists no path",
  ),
  warned(
    "a rule in `protect` is for /auth/*",
    () => ({ protect: ["/members/*", { routes: ["/auth/*"], level: 2 }] }),
    "protect-nothing",
    '`protect` lists "/auth/*"',
  ),
  refused(
    "a rule in `protect` has a misspelt name",
    () => ({ protect: ["/members/*", { routes: ["/admin/*"], lvl: 2 }] }) as never,
    "`protect`",
    '"lvl"',
    "level",
  ),
  refused(
    "`protect.maxAge` is a word",
    () => ({ protect: { routes: ["/admin/*"], maxAge: "soon" } }) as never,
    "`protect`",
    "`maxAge`",
    '"10m"',
  ),
  ...["/auth/*", "/auth/signin", "/auth/signin/*"].map((route) =>
    warned(
      `\`protect\` is for ${route}`,
      () => ({ protect: ["/members/*", route] }),
      "protect-nothing",
      `\`protect\` lists "${route}"`,
      "the service itself answers",
      "the paths of your application",
    )
  ),
  refused("`protect` has a path without a slash", () => ({ protect: ["members"] }), "`protect`", '"members"'),
  refused(
    "`protect` has two stars",
    () => ({ protect: ["/members/**"] }),
    "`protect`",
    '"/members/**"',
    '"/members/*"',
  ),
  refused("`protect` has a URL", () => ({ protect: ["https://a.test/m"] }), "`protect`", '"https://a.test/m"'),
  refused("`protect` has a regular expression", () => ({ protect: [/members/] }), "`protect`", "type object"),
  refused("`protect` has a query", () => ({ protect: ["/members?tab=1"] }), "`protect`", '"/members?tab=1"'),
  refused("`protect` is null", () => ({ protect: null }), "`protect`", "a list of paths"),

  dropped("`callbackUrl` is of another site", "https://app.example/x", "https://app.example", "`callbacks.redirect`"),
  dropped(
    "`callbackUrl` is of another port",
    "http://localhost:5173/",
    "http://localhost:5173",
    "`callbacks.redirect`",
  ),
  dropped(
    "`callbackUrl` is of an application",
    "myapp://done",
    "myapp://",
    "`callbacks.redirect`",
    "`redirectSchemes`",
  ),
  {
    ...dropped("`redirectTo` of signIn() is of another site", "", "https://app.example", "`callbacks.redirect`"),
    make: () => {
      const { signIn } = createAuth({ providers: [password], trustHost: true });
      return async () => await signIn(new Request(HERE), undefined, { redirectTo: "https://app.example/x" });
    },
    see: { status: 302 },
  },
  {
    ...warned(
      "`callbacks.redirect` returns a scheme",
      () => ({ callbacks: { redirect: () => "myapp://x" } }),
      "callback-result",
      "",
    ),
    ask: `${HERE}/auth/signin?callbackUrl=/x`,
    says: ["`callbacks.redirect` returned", '"myapp"', "`redirectSchemes`"],
  },

  warned(
    "the domain of a cookie is another site",
    () => ({ cookies: { sessionToken: { options: { domain: "other.test" } } } }),
    "cookie-dropped",
    "`cookies.sessionToken`",
    '"other.test"',
    "localhost",
    "leave it out",
  ),
  {
    ...warned(
      "the domain of a cookie is below that of the site",
      () => ({ cookies: { sessionToken: { options: { domain: "www.shop.example" } } } }),
      "cookie-dropped",
      "`cookies.sessionToken`",
      "set it to shop.example or to a domain above it",
    ),
    ask: secureAsk("/auth/signin"),
  },
  {
    ...warned(
      "the domain of a cookie is a top-level domain",
      () => ({ cookies: { state: { options: { domain: "example" } } } }),
      "cookie-dropped",
      "`cookies.state`",
      '"example"',
    ),
    ask: secureAsk("/auth/signin"),
  },
  warned(
    "a cookie for other sites is set over http",
    () => ({ cookies: { sessionToken: { options: { sameSite: "none" } } } }),
    "cookie-dropped",
    "`cookies.sessionToken`",
    '`sameSite` is "none"',
    "https",
    '`sameSite: "lax"`',
  ),
  refused(
    "the domain of a cookie is a URL",
    () => ({ cookies: { sessionToken: { options: { domain: "https://shop.example" } } } }),
    "`cookies.sessionToken`",
    "domain is not a host name",
  ),
  refused(
    "the domain of a cookie has a port",
    () => ({ cookies: { sessionToken: { options: { domain: "localhost:3000" } } } }),
    "`cookies.sessionToken`",
    "domain is not a host name",
  ),
  refused(
    "a __Host- cookie has a domain",
    () => ({ cookies: { csrfToken: { options: { domain: "shop.example" } } } }),
    "`cookies.csrfToken`",
    "no domain",
  ),
  refused(
    "the lifetime of a cookie is text",
    () => ({ cookies: { sessionToken: { options: { maxAge: "1d" } } } }),
    "`cookies.sessionToken`",
    "maxAge is not a whole number",
  ),
  refused("a cookie is its name", () => ({ cookies: { sessionToken: "sid" } }), "`cookies.sessionToken`", "an object"),
  refused("two cookies have one name", () => ({
    cookies: { state: { name: "flow" }, nonce: { name: "flow" } },
  }), "has the same name"),
]);
