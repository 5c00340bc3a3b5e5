/**
 * The answer while the configuration is wrong.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { type ConfigError, ErrorPageLoop } from "../kernel/errors.ts";
import { hostProblem } from "../http/origin.ts";
import { pageUrl } from "../request/links.ts";
import { json, type Outcome, redirectTo } from "../request/outcome.ts";
import type { ResolvedConfig } from "../config/resolve.ts";
import type { RoutePath } from "../kernel/route_path.ts";
import { flows } from "./routes.ts";

/** What visitors are told when the configuration is wrong: nothing that would help an attacker. */
export const BROKEN: Readonly<{ message: string }> = Object.freeze({
  message: "There is a problem with the server configuration. The server's log tells more.",
});

const PAGES: ReadonlySet<string> = new Set(["signin", "signout", "error", "verify-request"]);

/** Lists what is wrong for one request. Almost always nothing: the same list, so that it costs nothing. */
export function problemsOf(config: ResolvedConfig, url: URL): readonly ConfigError[] {
  const unbelieved = config.problems.length === 0 ? hostProblem(url, config) : null;
  return unbelieved ? [unbelieved] : config.problems;
}

/** Answers while the configuration is wrong: the log is told what, and the visitor that. */
export async function misconfigured(
  ctx: RequestContext,
  { action }: RoutePath,
  problems: readonly ConfigError[],
): Promise<Outcome> {
  const { config, request, url } = ctx;
  for (const error of problems) config.logger.error(error);
  if (request.method === "POST" || !PAGES.has(action)) return json(BROKEN, 500);
  const { errorPage } = await flows();
  const custom = config.pages.error && URL.canParse(config.pages.error, url) ? new URL(config.pages.error, url) : null;
  if (!custom) return errorPage(ctx, "Configuration");
  // The page itself asked for a session and was sent here: sending it back would go round for ever.
  const from = url.searchParams.get("callbackUrl");
  if (from && URL.canParse(from, url) && new URL(from, url).pathname === custom.pathname) {
    config.logger.error(
      new ErrorPageLoop("Cannot show the error page: it needs a session itself", { cause: problems[0] }),
    );
    return errorPage(ctx, "Configuration");
  }
  return redirectTo(pageUrl(ctx, "error", { error: "Configuration" }));
}
