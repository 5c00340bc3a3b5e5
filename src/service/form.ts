/**
 * Reads a posted form and checks its CSRF token. No flow sees a form that fails.
 *
 * @module
 */
import type { RequestContext } from "../request/context.ts";
import { foreignRequest } from "../request/origin_advice.ts";
import { SlowBody } from "../kernel/deadline.ts";
import { MissingCSRF } from "../kernel/errors.ts";
import { type BodyResult, type Fields, readFields } from "../http/body.ts";
import { isCsrfTokenValid } from "../http/csrf.ts";
import { isFromOwnSite } from "../http/origin.ts";
import { READ_BEFORE } from "../http/parsed_body.ts";
import { type Outcome, refused } from "../request/outcome.ts";

/** What an endpoint requires of a form. */
export interface FormRules {
  /** Whether it must have the CSRF token and come from this site. */
  readonly csrf: boolean;
  /** The fields that we read. A form that repeats one is refused. */
  readonly fields: readonly string[];
}

/** The fields of a form that passed, or the refusal. */
export type ReadForm =
  | { readonly kind: "form"; readonly fields: Fields }
  | { readonly kind: "refused"; readonly outcome: Outcome };

/**
 * Reads the form of a request.
 *
 * @throws {MissingCSRF} if it is not from a page of this site.
 * @throws {SlowBody} if the deadline of the answer passes meanwhile.
 */
export async function readForm(ctx: RequestContext, { csrf, fields }: FormRules): Promise<ReadForm> {
  const late = new AbortController();
  const slow = new SlowBody("Cannot read the form: it takes too long");
  const read = () => readBody(ctx, late.signal);
  const body = await (ctx.deadline?.during(read, () => {
    late.abort();
    return slow;
  }) ?? read());
  // What arrived before the reading was stopped may be a part of the form.
  if (late.signal.aborted) throw slow;
  if (body.kind === "refused") return { kind: "refused", outcome: refused(body.status, body.message) };
  if (fields.some((name) => body.repeated.has(name))) {
    return { kind: "refused", outcome: refused(400, "A field is repeated") };
  }
  if (csrf) await checkCsrf(ctx, body.fields.csrfToken);
  return { kind: "form", fields: body.fields };
}

const BODY_CONSUMED =
  "the body of a form was read before the handler got it, so no form can be accepted: mount the handler before the body " +
  'parser (`app.use(parser)` after `app.use("/auth", …)`), or give it a request whose body nobody has read, such as ' +
  "`request.clone()`";

// A client that breaks off is not a failure of the service, so it is not logged.
async function readBody({ request, warn }: RequestContext, late: AbortSignal): Promise<BodyResult> {
  const isConsumed = request.bodyUsed;
  try {
    if (!isConsumed) return await readFields(request, late);
    warn?.(["body-consumed", BODY_CONSUMED]);
    return { kind: "refused", status: 400, message: "Body was read before" };
  } catch (error) {
    if (error instanceof TypeError && error.message === READ_BEFORE) warn?.(["body-consumed", BODY_CONSUMED]);
    return { kind: "refused", status: 400, message: "Body broke off" };
  }
}

async function checkCsrf(ctx: RequestContext, sent: unknown): Promise<void> {
  const { request, url, cookies, config } = ctx;
  if (!isFromOwnSite(request.headers, url.origin)) {
    throw foreignRequest(ctx, "accept form");
  }
  if (config.skipCSRFCheck || await isCsrfTokenValid(cookies, config.secrets, sent)) return;
  throw new MissingCSRF("Cannot accept form: its CSRF token is missing or does not match the cookie");
}
