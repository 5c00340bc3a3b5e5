/** @jsxImportSource preact */
/**
 * The overview of an account: who it is, what they can prove it with, where they are signed in, and what they can take or
 * delete.
 *
 * @module
 */
import type { VNode } from "preact";
import { Devices } from "./account_devices.tsx";
import {
  type AccountParts,
  DONE,
  Part,
  Problem,
  Row,
  RowForm,
  RowLink,
  type StepParts,
  stepUrl,
  type ViewParts,
} from "./account_parts.tsx";
import { Email, Owner, Profile } from "./account_profile.tsx";
import { Password, SecondFactor } from "./account_secrets.tsx";
import { Passkeys, Ways } from "./account_ways.tsx";
import { Alert, dayIn, filled, PostForm, SiteLink, ThemeLink } from "./parts.tsx";
import { linkAt } from "./urls.ts";
import type { OwnSection } from "../request/account_views.ts";

/** The overview. */
export function Overview({ page, words, view, badges, step }: ViewParts & StepParts<"overview">): VNode {
  const { texts } = words;
  const parts = { page, words, view, badges };
  return (
    <>
      <Owner {...parts} />
      {step.done && <p class="done" role="status">{texts[DONE[step.done]]}</p>}
      <Problem page={page} words={words} />
      <Leaving {...parts} />
      <Profile {...parts} />
      <Email {...parts} />
      <Ways {...parts} />
      <Passkeys {...parts} />
      <Password {...parts} />
      <SecondFactor {...parts} />
      <Devices {...parts} />
      <Data {...parts} />
      {page.sections.map((section) => <Own page={page} words={words} section={section} />)}
      <Deletion {...parts} />
      <div class="actions">
        <ThemeLink url={linkAt(page.signOutUrl)} text={texts.signOut} />
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

function Leaving({ page, words, view: { deletedAt } }: ViewParts): VNode | null {
  if (deletedAt === null) return null;
  const { texts } = words;
  return (
    <div class="leaving">
      <p id="leaving">{filled(texts.accountLeaving, { date: dayIn(words, deletedAt) })}</p>
      <RowForm page={page} words={words} values={{ act: "keep" }} text={texts.accountKeep} about="leaving" />
    </div>
  );
}

function Data({ page, words, view: { mayExport } }: ViewParts): VNode | null {
  if (!mayExport) return null;
  const { texts } = words;
  return (
    <Part id="data" title={texts.accountData}>
      <Row what={<p class="hint" id="data-hint">{texts.accountExportLead}</p>}>
        <RowForm page={page} words={words} values={{ act: "export" }} text={texts.accountExport} about="data-hint" />
      </Row>
    </Part>
  );
}

/** A section of the application. Its fields and buttons stand in one form, which sends what every form has to send. */
function Own({ page, section }: AccountParts & { readonly section: OwnSection }): VNode {
  const { id, title, html, hasForm, problem } = section;
  // Only the tag `html` has made it, which escapes what is put into it.
  const content = <div class="own" dangerouslySetInnerHTML={{ __html: html }} />;
  return (
    <Part id={`own-${id}`} title={<bdi>{title}</bdi>}>
      {problem !== null && <Alert>{problem}</Alert>}
      {hasForm
        ? (
          <PostForm kind="fields" action={page.action} state={page} values={{ act: "section", section: id }}>
            {content}
          </PostForm>
        )
        : content}
    </Part>
  );
}

function Deletion({ page, words: { texts }, view: { mayDelete, deletedAt } }: ViewParts): VNode | null {
  if (!mayDelete || deletedAt !== null) return null;
  return (
    <Part id="delete" title={texts.accountDelete}>
      <Row what={<p class="hint" id="delete-hint">{texts.accountDeleteHint}</p>}>
        <RowLink url={stepUrl(page, { act: "delete" })} text={texts.accountDelete} about="delete-hint" danger />
      </Row>
    </Part>
  );
}
