/** @jsxImportSource preact */
/**
 * The steps of the page of factors that add one: a key for an application, and recovery codes.
 *
 * @module
 */
import type { VNode } from "preact";
import { countIn, ERROR, type FactorParts, Problem, type StepParts, stepUrl } from "./factor_parts.tsx";
import { CodeField, TickField } from "./fields.tsx";
import { filled, PostForm, SubmitButton, ThemeLink } from "./parts.tsx";
import { keyUrl, linkAt } from "./urls.ts";
import type { TotpSetup } from "../request/factor_views.ts";
import type { Wording } from "../texts/texts.ts";

/** The modules around a QR code that stay light (ISO/IEC 18004). */
const QUIET = 4;

/** A key to put into an application: a picture, text and a link, and a field for its first code. */
export function Totp({ page, words, step: { setup } }: StepParts<"totp">): VNode {
  const { texts } = words;
  return (
    <>
      <p class="lead">{texts.totpLead}</p>
      <Picture setup={setup} words={words} />
      <dl class="key">
        <dt>{texts.totpKey}</dt>
        <dd>
          <code dir="ltr">{setup.secret}</code>
        </dd>
      </dl>
      <div class="actions">
        <a class="site" href={keyUrl(setup.uri)}>{texts.totpOpen}</a>
      </div>
      <div class="methods">
        <PostForm kind="fields" action={page.action} state={page} values={{ act: "confirm", id: setup.id }}>
          <Problem page={page} words={words} />
          <CodeField kind="digits" label={texts.totpCode} errorId={page.problem === null ? undefined : ERROR} />
          {page.isOn && !page.sessionsStay && <TickField name="keepSessions" label={texts.keepSessions} />}
          <SubmitButton text={texts.continue} />
        </PostForm>
      </div>
      <Back page={page} words={words} />
    </>
  );
}

function Picture(
  { setup: { qr: { size, path } }, words }: { readonly setup: TotpSetup; readonly words: Wording },
): VNode {
  const width = size + 2 * QUIET;
  return (
    <svg class="qr" role="img" aria-label={words.texts.totpPicture} viewBox={`${-QUIET} ${-QUIET} ${width} ${width}`}>
      <path d={path}></path>
    </svg>
  );
}

/** A link back to the list. */
function Back({ page, words: { texts } }: FactorParts): VNode {
  return (
    <div class="actions">
      <ThemeLink url={linkAt(stepUrl(page, {}))} text={texts.cancel} />
    </div>
  );
}

/** Recovery codes, shown once, and a field for the end of one of them. */
export function RecoveryCodes({ page, words, step: { codes, ask } }: StepParts<"recovery-codes">): VNode {
  const { texts } = words;
  const lines = codes.map((code) => `${code}\r\n`).join("").toWellFormed();
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(lines)}`;
  return (
    <>
      <p class="lead">{texts.recoveryLead}</p>
      <ul class="codes" dir="ltr">
        {codes.map((code) => (
          <li>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <a class="site" href={file} download="recovery-codes.txt">{texts.recoverySave}</a>
      </div>
      <KeepForm page={page} words={words} ask={ask} />
    </>
  );
}

/** The same field, without the codes. */
export function RecoveryCodesAgain({ page, words, step: { ask } }: StepParts<"recovery-codes-again">): VNode {
  const { texts } = words;
  return (
    <>
      <p class="lead">{texts.recoveryAgainLead}</p>
      <KeepForm page={page} words={words} ask={ask} />
      <div class="methods">
        <PostForm kind="plain" action={page.action} state={page} values={{ act: "recovery" }}>
          <button type="submit" class="button quiet">
            <span class="name">{texts.newRecoveryCodes}</span>
          </button>
        </PostForm>
      </div>
    </>
  );
}

function KeepForm({ page, words, ask }: FactorParts & { readonly ask: number }): VNode {
  const { texts } = words;
  return (
    <div class="methods">
      <PostForm kind="fields" action={page.action} state={page} values={{ act: "keep" }}>
        <Problem page={page} words={words} />
        <CodeField
          kind="ending"
          label={filled(texts.recoveryAsk, { number: countIn(words, ask) })}
          errorId={page.problem === null ? undefined : ERROR}
        />
        {!page.sessionsStay && <TickField name="keepSessions" label={texts.keepSessions} />}
        <SubmitButton text={texts.continue} />
      </PostForm>
    </div>
  );
}
