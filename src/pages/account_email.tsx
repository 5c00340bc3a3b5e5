/** @jsxImportSource preact */
/**
 * The steps of the account page that change the address.
 *
 * @module
 */
import type { VNode } from "preact";
import { CancelLink, errorAt, Problem, type StepParts, stepUrl } from "./account_parts.tsx";
import { TickField } from "./fields.tsx";
import { filled, LinkButton, PostForm, SiteLink, SubmitButton, unlessTheyStay } from "./parts.tsx";
import { durationIn } from "../texts/duration.ts";

const DAY = 24 * 60 * 60;

/** The form for another address. */
export function NewAddress({ page, words, step: { to, lostDays } }: StepParts<"email">): VNode {
  const { texts, tag } = words;
  const former = page.view?.user.isEmailProven ? page.view.user.email : null;
  const lead = former === null
    ? texts.accountEmailLead
    : filled(texts.accountEmailLeadFormer, { email: former }, "who");
  return (
    <>
      <p class="lead">{lead}</p>
      <div class="methods">
        <PostForm kind="fields" action={page.action} state={page} values={{ act: "changeEmail" }}>
          <Problem page={page} words={words} />
          <div class="field">
            <label for="to">{texts.accountNewEmail}</label>
            <input
              {...{ id: "to", name: "to", type: "email", required: true, value: to ?? "" }}
              {...errorAt(page, ["email", "same-email"])}
              autocomplete="email"
              placeholder={texts.emailPlaceholder}
            />
          </div>
          {former !== null && lostDays !== undefined && (
            <div class="lost">
              <TickField name="lost" label={filled(texts.accountLost, { email: former })} hintId="lost-hint" />
              <p class="hint" id="lost-hint">
                {filled(texts.accountLostHint, { duration: durationIn(tag, lostDays * DAY) })}
              </p>
            </div>
          )}
          <SubmitButton text={texts.accountSendLink} />
        </PostForm>
        <CancelLink page={page} words={words} />
      </div>
    </>
  );
}

/** What happens next, after an email was sent. */
export function Sent({ page, words, step: { to, waitsFor } }: StepParts<"email-sent">): VNode {
  const { texts } = words;
  return (
    <>
      <p class="lead" role="status">{waitsFor === "new" ? texts.accountSentNew : texts.accountSentFormer}</p>
      {waitsFor === "new" && (
        <>
          <p class="lead">{filled(texts.checkEmailTo, { email: to }, "who")}</p>
          <p class="lead">{texts.checkEmailHelp}</p>
        </>
      )}
      <div class="actions">
        {page.view && <LinkButton url={stepUrl(page)} text={texts.accountBack} />}
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

/** The page behind a link of an email: to the new address, or to the former one. */
export function ConfirmAddress({ page, words, step: { token, to, at } }: StepParts<"confirm-email">): VNode {
  const { texts } = words;
  const form = { kind: "plain", action: page.action, state: page } as const;
  if (at === "new") {
    return (
      <>
        <p class="lead">{filled(texts.accountTakeLead, { email: to }, "who")}</p>
        <div class="methods">
          <Problem page={page} words={words} />
          <PostForm {...form} values={{ act: "takeEmail", token }}>
            <SubmitButton text={texts.continue} />
          </PostForm>
          <CancelLink page={page} words={words} />
        </div>
      </>
    );
  }
  return (
    <>
      <p class="lead">{filled(texts.accountAllowLead, { email: to }, "who")}</p>
      <div class="methods">
        <Problem page={page} words={words} />
        <PostForm {...form} values={{ act: "allowEmail", token }}>
          <SubmitButton text={texts.accountAllow} />
        </PostForm>
        <PostForm {...form} values={{ act: "cancelEmail", token }}>
          <button type="submit" class="button danger" aria-describedby="not-me">
            <span class="name">{texts.accountNotMe}</span>
          </button>
          <p class="note" id="not-me">
            {texts.accountNotMeHint}
            {unlessTheyStay(page, texts.endsAll)}
          </p>
        </PostForm>
      </div>
      <div class="actions">
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}
