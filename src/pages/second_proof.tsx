/** @jsxImportSource preact */
/**
 * The page that asks for a second proof: one way at a time, with links to the others.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { CodeField, TickField } from "./fields.tsx";
import { Alert, Emblem, filled, PostForm, SubmitButton, ThemeLink, Wait } from "./parts.tsx";
import { scriptTexts } from "./passkey.tsx";
import { linkAt } from "./urls.ts";
import type { ChallengePage, ProofMethod } from "../request/factor_views.ts";
import { durationIn } from "../texts/duration.ts";
import type { Texts, Wording } from "../texts/texts.ts";

interface Parts {
  readonly page: ChallengePage;
  readonly words: Wording;
}

const DAY = 24 * 60 * 60;
const HOUR = 60 * 60;

/** The links to each way. */
const WAYS: Readonly<Record<ProofMethod, keyof Texts>> = {
  "passkey": "usePasskey",
  "totp": "useTotp",
  "email-code": "useEmailCode",
  "recovery-code": "useRecoveryCode",
};

/** The content of the page. */
export function SecondProofPage(parts: Parts): VNode {
  const { page, words } = parts;
  const { texts } = words;
  return (
    <>
      <Emblem name="padlock" />
      <h1>{texts.confirmTitle}</h1>
      <p class="lead">{texts[leadOf(page)]}</p>
      {page.sentTo !== undefined && <p class="lead">{filled(texts.checkEmailTo, { email: page.sentTo }, "who")}</p>}
      <div class="methods">
        <ProofForm {...parts} />
        {page.sentTo !== undefined && (
          <PostForm kind="plain" action={page.action} state={page} values={{ method: page.method }}>
            <button type="submit" class="button quiet">
              <span class="name">{texts.sendAgain}</span>
            </button>
          </PostForm>
        )}
      </div>
      <OtherWays {...parts} />
      <div class="actions">
        <ThemeLink url={linkAt(page.undoUrl)} text={texts.undoTitle} />
        <ThemeLink url={linkAt(page.cancelUrl)} text={texts.cancel} />
      </div>
    </>
  );
}

function leadOf({ method, sentTo }: ChallengePage): keyof Texts {
  switch (method) {
    case "passkey":
      return "proofPasskeyLead";
    case "totp":
      return "proofTotpLead";
    case "email-code":
      return sentTo === undefined ? "proofEmailLead" : "proofEmailSent";
    case "recovery-code":
      return "proofRecoveryLead";
    default:
      return method satisfies never;
  }
}

const ERROR = "error";

function ProofForm({ page, words }: Parts): VNode {
  const { texts } = words;
  const errorId = page.problem === null ? undefined : ERROR;
  const form = { action: page.action, state: page, values: { method: page.method } };
  const alert = <Problem page={page} words={words} />;
  switch (page.method) {
    case "passkey":
      return (
        <PostForm {...form} kind="fields">
          {alert}
          <PasskeyProof page={page} words={words} />
        </PostForm>
      );
    case "totp":
    case "email-code":
      if (page.method === "email-code" && page.sentTo === undefined) {
        return (
          <PostForm {...form} kind="fields">
            {alert}
            <SubmitButton text={texts.useEmailCode} />
          </PostForm>
        );
      }
      return (
        <PostForm {...form} kind="fields">
          {alert}
          <CodeField kind="digits" label={texts.code} errorId={errorId} />
          <Trust page={page} words={words} />
          <SubmitButton text={texts.continue} />
        </PostForm>
      );
    case "recovery-code":
      return (
        <PostForm {...form} kind="fields">
          {alert}
          <CodeField kind="recovery" label={texts.recoveryCode} errorId={errorId} />
          <SubmitButton text={texts.continue} />
        </PostForm>
      );
    default:
      return page.method satisfies never;
  }
}

/** What each problem is called; a passkey that was refused has a text of its own. */
const PROBLEMS: Readonly<Record<NonNullable<ChallengePage["problem"]>, keyof Texts>> = {
  "wrong": "errorCode",
  "expired": "passkeyTimeout",
  "too-many": "errorTooMany",
  "not-sent": "errorCodeNotSent",
};

function Problem({ page: { problem, method, retryAfter }, words }: Parts): VNode | null {
  if (problem === null) return null;
  const text = problem === "wrong" && method === "passkey" ? "passkeyFailed" : PROBLEMS[problem];
  return (
    <Alert id={ERROR}>
      {words.texts[text]}
      {problem === "too-many" && retryAfter && <Wait seconds={retryAfter} words={words} />}
    </Alert>
  );
}

function Trust({ page: { trustDays }, words: { texts, tag } }: Parts): VNode | null {
  if (trustDays === null) return null;
  return <TickField name="trust" label={filled(texts.trustDevice, { duration: durationIn(tag, trustDays * DAY) })} />;
}

/** The controls stay hidden until the script finds that the browser supports passkeys. Its script is passkey_client.js. */
function PasskeyProof({ page, words }: Parts): VNode {
  const { texts } = words;
  return (
    <>
      <fieldset
        hidden
        disabled
        data-given={JSON.stringify(page.passkeyOptions ?? {})}
        data-texts={JSON.stringify(scriptTexts(texts))}
      >
        <input type="hidden" name="data" />
        <Trust page={page} words={words} />
        <SubmitButton text={texts.usePasskey} />
      </fieldset>
      <p class="note" role="status">{texts.passkeyUnavailable}</p>
    </>
  );
}

function OtherWays({ page, words }: Parts): ComponentChildren {
  const { texts } = words;
  return (
    <>
      {page.others.length > 0 && (
        <nav class="ways" aria-labelledby="ways">
          <h2 id="ways">{texts.otherWays}</h2>
          <ul>
            {page.others.map(({ method, url }) => (
              <li>
                <ThemeLink url={linkAt(url)} text={texts[WAYS[method]]} />
              </li>
            ))}
          </ul>
        </nav>
      )}
      {page.lost && <Lost {...{ page, words }} lost={page.lost} />}
    </>
  );
}

function Lost({ page, words: { texts, tag }, lost }: Parts & { readonly lost: NonNullable<ChallengePage["lost"]> }) {
  const duration = durationIn(tag, lost.hours * HOUR);
  if (lost.isAsked) return <p class="lead" role="status">{filled(texts.lostAsked, { duration })}</p>;
  return (
    <div class="ways">
      <p class="note">{filled(texts.lostLead, { duration })}</p>
      <PostForm kind="plain" action={page.action} state={page} values={{ method: "lost" }}>
        <button type="submit" class="button quiet">
          <span class="name">{texts.lostButton}</span>
        </button>
      </PostForm>
    </div>
  );
}
