/**
 * Options of the pages, and of the guard, that do not do what they look like.
 *
 * @module
 */
import type { AuthConfig, PageName } from "../contract/config.ts";
import { isListed, readProtection } from "../http/protect.ts";
import { describeValue, isObject } from "../kernel/objects.ts";
import { parseRoute } from "../kernel/route_path.ts";
import { languageOf } from "../texts/choose.ts";
import { LANGUAGES } from "../texts/languages.ts";
import { COLOR_NAMES } from "./color_names.ts";
import type { ConfigFacts } from "./read_config.ts";
import type { Warning } from "./warning.ts";

/** Lists the warnings about how things look, and about what is guarded. */
export function lookWarnings(facts: ConfigFacts, ownPages: readonly PageName[]): readonly Warning[] {
  const { config } = facts;
  const { theme = {} } = config;
  const warnings: Warning[] = ownPages.map((name) => [
    "page-of-service",
    `\`pages.${name}\` is ${
      describeValue(config.pages?.[name])
    }, the page of the service that it would replace, so it ` +
    "would redirect to itself: it is ignored; remove it, or set the path of a page of your own",
  ]);
  for (const name of ["brandColor", "buttonText"] as const) {
    const color = theme[name] ?? "";
    if (!/^[a-z]+$/i.test(color) || COLOR_NAMES.has(color.toLowerCase())) continue;
    const what = `\`theme.${name}\` is ${
      describeValue(color)
    }, which is not the name of a colour, so browsers ignore it`;
    warnings.push(["option-mended", `${what}: set it to a CSS colour such as "#346df1"`]);
  }
  if (theme.language && !languageOf(theme.language)) {
    const known = LANGUAGES.map(({ tag }) => tag).join(", ");
    const what = `\`theme.language\` is ${describeValue(theme.language)}, in which no page exists, so it is ignored`;
    warnings.push(["option-mended", `${what}: set it to one of ${known}`]);
  }
  return [...warnings, ...protectWarnings(config, facts.basePath)];
}

const BUILT_IN = {
  signIn: "signin",
  signOut: "signout",
  error: "error",
  verifyRequest: "verify-request",
  signUp: "signup",
  reset: "reset",
  password: "password",
} as const;

/** Names the pages that are those of the service, which they are to replace. */
export function ownPagesOf(
  { config: { pages = {} }, basePath, env }: Pick<ConfigFacts, "config" | "basePath" | "env">,
): readonly PageName[] {
  const origin = env.origin ?? "http://host.invalid";
  return (Object.keys(BUILT_IN) as (keyof typeof BUILT_IN)[]).filter((name) => {
    const url = typeof pages[name] === "string" ? URL.parse(pages[name], origin) : null;
    return url?.origin === origin && parseRoute(url.pathname, basePath)?.action === BUILT_IN[name];
  });
}

function protectWarnings({ protect }: AuthConfig, basePath: string): Warning[] {
  if (!isObject(protect) && !Array.isArray(protect)) return [];
  const members: readonly unknown[] = Array.isArray(protect) ? protect : [protect];
  const lists = members.map((member) => isObject(member) ? (member as { routes?: unknown }).routes : [member]);
  if (!lists.every((list) => Array.isArray(list))) return [];
  const routes: readonly unknown[] = lists.flat();
  if (routes.length === 0 || lists.some((list) => list.length === 0)) {
    return [["protect-nothing", "`protect` lists no path, so it protects nothing: list paths, or remove it"]];
  }
  const own = readProtection([`${basePath}/*`]);
  // Of what is wrong with a path the log has a line already.
  return routes.filter((route) => basePath !== "" && own && isOwn(route, own, basePath)).map((route): Warning => [
    "protect-nothing",
    `\`protect\` lists ${describeValue(route)}, below which the service itself answers, and everybody may open its ` +
    "pages: list the paths of your application",
  ]);
}

function isOwn(route: unknown, own: Parameters<typeof isListed>[1], basePath: string): boolean {
  if (typeof route !== "string" || !isListed(route, own)) return false;
  const below = route.slice(basePath.length);
  // Other paths below `basePath` belong to the application.
  return below === "/*" || parseRoute(route.replace(/\/\*$/, ""), basePath) !== null;
}
