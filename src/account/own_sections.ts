/**
 * Sections of the application: drawing them, and giving them what their forms have sent.
 *
 * @module
 */
import { withDeadline } from "../kernel/deadline.ts";
import { CallbackRouteError } from "../kernel/errors.ts";
import type { AdapterUser } from "../kernel/model.ts";
import type { RequestContext } from "../request/context.ts";
import type { OwnSection } from "../request/account_views.ts";
import { wordingFor } from "../request/language.ts";
import type { Actor } from "../sign_in/actor.ts";
import type { AccountActRows, ActInput, ActResult, Said } from "./acts.ts";
import { type AccountSection, isHtml } from "./section.ts";
import type { AccountSettings } from "./settings.ts";

/** The acts. */
export const OWN_SECTION_ACTS = {
  section: { judged: "renameAccount", open: null, run: submitSection },
} as const satisfies AccountActRows;

/** Draws the sections. One that fails is left out, and logged: the page must not fail because of it. */
export async function drawSections(
  ctx: RequestContext,
  user: AdapterUser,
  { sections }: Pick<AccountSettings, "sections">,
  said?: Said,
): Promise<readonly OwnSection[]> {
  const drawn = await Promise.all(sections.map((section) => draw(ctx, user, section)));
  return drawn.flatMap((shown) => shown ? [{ ...shown, problem: shown.id === said?.section ? said.text : null }] : []);
}

/** The share of the time of an answer in which a section is drawn. */
const PATIENCE = 1 / 2;

async function draw(
  ctx: RequestContext,
  user: AdapterUser,
  section: AccountSection,
): Promise<Omit<OwnSection, "problem"> | null> {
  const { id, title } = section;
  const { runtime, timeouts } = ctx.config;
  try {
    const html = await withDeadline(runtime, timeouts.total * PATIENCE, "`render`", () => section.render(user));
    if (!isHtml(html)) throw new TypeError("`render` has to give what the tag `html` has made");
    const heading = typeof title === "string" ? title : String(title(await languageFor(ctx)));
    return { id, title: heading, html: html.text, hasForm: section.submit !== undefined };
  } catch (cause) {
    const message = `Cannot show section "${id}" of \`accountPage\``;
    ctx.config.logger.error(new CallbackRouteError(message, { cause, logCode: "callback-threw" }), ctx);
    return null;
  }
}

async function languageFor(ctx: RequestContext): Promise<string> {
  const { theme } = ctx.config;
  return (await wordingFor(ctx, { theme })).tag;
}

async function submitSection(
  _ctx: RequestContext,
  { user }: Actor,
  { fields, settings }: ActInput,
): Promise<ActResult> {
  const section = settings.sections.find(({ id }) => id === fields.section);
  if (!section?.submit) return { kind: "problem", problem: "not-found" };
  const mistake = await submit(section, user, ownFields(fields));
  return typeof mistake === "string" && mistake !== ""
    ? { kind: "problem", problem: "section", said: { section: section.id, text: mistake } }
    : { kind: "done" };
}

async function submit(
  { id, submit }: AccountSection,
  user: AdapterUser,
  fields: Readonly<Record<string, string>>,
): Promise<string | void> {
  try {
    return await submit?.(user, fields);
  } catch (cause) {
    const message = `Cannot take the form of section "${id}" of \`accountPage\`: \`submit\` failed`;
    throw new CallbackRouteError(message, { cause, logCode: "callback-threw" });
  }
}

/** What the page itself sends with every form. */
const OF_THE_PAGE: ReadonlySet<string> = new Set(["csrfToken", "callbackUrl", "act", "section"]);

/** The fields of the application: texts, under names that are not the page's. */
function ownFields(fields: ActInput["fields"]): Readonly<Record<string, string>> {
  const own = Object.create(null);
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string" && !OF_THE_PAGE.has(name)) own[name] = value;
  }
  return own;
}
