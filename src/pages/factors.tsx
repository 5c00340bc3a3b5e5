/** @jsxImportSource preact */
/**
 * The page with what somebody can prove that it is them: a list, and a step for each change.
 *
 * @module
 */
import type { VNode } from "preact";
import { CodeField, TickField } from "./fields.tsx";
import { Alert, filled, LinkButton, PostForm, SiteLink, SubmitButton, ThemeLink, Wait } from "./parts.tsx";
import { keyUrl, linkAt, webUrl } from "./urls.ts";
import type { FactorEntry, FactorsPage, FactorsStep, TotpSetup } from "../request/factor_views.ts";
import type { Texts, Wording } from "../texts/texts.ts";

interface Parts {
  readonly page: FactorsPage;
  readonly words: Wording;
}

/** A step, with the page that it is of. */
type StepParts<Kind extends FactorsStep["kind"]> = Parts & { readonly step: Extract<FactorsStep, { kind: Kind }> };

/** Chooses the heading of the page, by the name of its text. */
export function factorsHeadingOf({ step: { kind } }: Pick<FactorsPage, "step">): keyof Texts {
  switch (kind) {
    case "list":
      return "factorsTitle";
    case "totp":
      return "addTotp";
    case "recovery-codes":
    case "recovery-codes-again":
      return "recoveryTitle";
    case "remove":
      return "removeTitle";
    case "undo":
      return "undoTitle";
    case "undone":
      return "undoneTitle";
    default:
      return kind satisfies never;
  }
}

/** The name of the factor that the heading is about, if it is about one. */
export function factorNamed({ step }: Pick<FactorsPage, "step">, texts: Texts): string {
  return step.kind === "remove" ? nameOf(step.factor, texts) : "";
}

function nameOf({ name, type }: FactorEntry, texts: Texts): string {
  return name || texts[type];
}

/** The content of the page. */
export function FactorsContent({ page, words }: Parts): VNode {
  const { texts } = words;
  return (
    <>
      <h1>{filled(texts[factorsHeadingOf(page)], { factor: factorNamed(page, texts) })}</h1>
      <Step page={page} words={words} />
    </>
  );
}

function Step({ page, words }: Parts): VNode {
  const { step } = page;
  const parts = { page, words };
  switch (step.kind) {
    case "list":
      return <List {...parts} step={step} />;
    case "totp":
      return <Totp {...parts} step={step} />;
    case "recovery-codes":
      return <RecoveryCodes {...parts} step={step} />;
    case "recovery-codes-again":
      return <RecoveryCodesAgain {...parts} step={step} />;
    case "remove":
      return <Remove {...parts} step={step} />;
    case "undo":
      return <Undo {...parts} step={step} />;
    case "undone":
      return <Undone {...parts} step={step} />;
    default:
      return step satisfies never;
  }
}

const ERROR = "error";

/** What each problem is called. */
const PROBLEMS: Readonly<Record<NonNullable<FactorsPage["problem"]>, keyof Texts>> = {
  "wrong": "errorCode",
  "expired": "passkeyTimeout",
  "too-many": "errorTooMany",
  "name": "errorName",
};

function Problem({ page: { problem, retryAfter }, words }: Parts): VNode | null {
  if (problem === null) return null;
  return (
    <Alert id={ERROR}>
      {words.texts[PROBLEMS[problem]]}
      {problem === "too-many" && retryAfter && <Wait seconds={retryAfter} words={words} />}
    </Alert>
  );
}

function List({ page, words, step }: StepParts<"list">): VNode {
  const { texts } = words;
  const lead = page.isOn ? texts.factorsOn : page.purpose === "required" ? texts.factorsRequired : texts.factorsOff;
  const isEmpty = page.factors.length === 0 && page.recoveryCodes === null;
  return (
    <>
      <p class="lead">{lead}</p>
      <Problem page={page} words={words} />
      {step.isSaved && <p class="lead" role="status">{texts.saved}</p>}
      {!isEmpty && (
        <ul class="factors">
          {page.factors.map((factor) => <Entry page={page} words={words} factor={factor} />)}
          {page.recoveryCodes !== null && (
            <li>
              <h2>{texts.recoveryCodes}</h2>
              <p class="hint">{filled(texts.recoveryCodesLeft, { count: countIn(words, page.recoveryCodes) })}</p>
            </li>
          )}
        </ul>
      )}
      <Additions page={page} words={words} />
      <div class="actions">
        {page.purpose === "manage" && <SiteLink url={page.siteUrl} words={words} />}
        {page.purpose === "required" && page.isOn && (
          <LinkButton
            url={page.callbackUrl}
            text={texts.continue}
            primary
          />
        )}
      </div>
    </>
  );
}

function countIn({ tag }: Wording, count: number): string {
  return new Intl.NumberFormat(tag).format(count);
}

// The server does not know where somebody is, so it writes days alone.
function dayIn({ tag }: Wording, date: Date): string {
  return new Intl.DateTimeFormat(tag, { dateStyle: "medium", timeZone: "UTC" }).format(date);
}

function Entry({ page, words, factor }: Parts & { readonly factor: FactorEntry }): VNode {
  const { texts } = words;
  const { id, type, createdAt, usedAt } = factor;
  const nameId = `name-${id}`;
  return (
    <li>
      <h2 id={nameId}>{nameOf(factor, texts)}</h2>
      {factor.name && <p class="hint">{texts[type]}</p>}
      {createdAt && <p class="hint">{filled(texts.addedOn, { date: dayIn(words, createdAt) })}</p>}
      {usedAt && <p class="hint">{filled(texts.usedOn, { date: dayIn(words, usedAt) })}</p>}
      {type === "totp" && (
        <details>
          <summary>{texts.rename}</summary>
          <PostForm kind="fields" action={page.action} state={page} values={{ act: "rename", id }}>
            <div class="field">
              <label for={`rename-${id}`}>{texts.factorName}</label>
              <input
                {...{ id: `rename-${id}`, name: "name", type: "text", autocomplete: "off", required: true }}
                value={factor.name ?? ""}
                maxlength={100}
              />
            </div>
            <button type="submit" class="button">
              <span class="name">{texts.save}</span>
            </button>
          </PostForm>
        </details>
      )}
      <a class="site" href={webUrl(stepUrl(page, { act: "remove", id }))} aria-describedby={nameId}>{texts.remove}</a>
    </li>
  );
}

/** The address of a step of the page. */
function stepUrl({ action, callbackUrl }: FactorsPage, step: Readonly<Record<string, string>>): string {
  return `${action}?${new URLSearchParams({ ...step, callbackUrl })}`;
}

function Additions({ page, words: { texts } }: Parts): VNode {
  const form = { kind: "plain", action: page.action, state: page } as const;
  const isFirst = page.factors.length === 0;
  const needsCodes = !isFirst && page.recoveryCodes === null;
  return (
    <div class="methods">
      {needsCodes && (
        <PostForm {...form} values={{ act: "recovery" }}>
          <SubmitButton text={texts.makeRecoveryCodes} />
        </PostForm>
      )}
      {page.add.map((type) =>
        type === "totp"
          ? (
            <PostForm {...form} values={{ act: "totp" }}>
              <ActButton text={texts.addTotp} isPrimary={isFirst} />
            </PostForm>
          )
          : page.passkeyUrl !== null && <LinkButton url={page.passkeyUrl} text={texts.addPasskeyTitle} />
      )}
      {page.recoveryCodes !== null && (
        <PostForm {...form} values={{ act: "recovery" }}>
          <button type="submit" class="button" aria-describedby="codes-hint">
            <span class="name">{texts.newRecoveryCodes}</span>
          </button>
          <p class="note" id="codes-hint">{texts.newRecoveryCodesHint}</p>
        </PostForm>
      )}
    </div>
  );
}

function ActButton({ text, isPrimary }: { readonly text: string; readonly isPrimary: boolean }): VNode {
  return (
    <button type="submit" class={isPrimary ? "button primary" : "button"}>
      <span class="name">{text}</span>
    </button>
  );
}

/** The modules around a QR code that stay light (ISO/IEC 18004). */
const QUIET = 4;

function Totp({ page, words, step: { setup } }: StepParts<"totp">): VNode {
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
          {page.isOn && <TickField name="keepSessions" label={texts.keepSessions} />}
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
function Back({ page, words: { texts } }: Parts): VNode {
  return (
    <div class="actions">
      <ThemeLink url={linkAt(stepUrl(page, {}))} text={texts.cancel} />
    </div>
  );
}

function RecoveryCodes({ page, words, step: { codes, ask } }: StepParts<"recovery-codes">): VNode {
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

function RecoveryCodesAgain({ page, words, step: { ask } }: StepParts<"recovery-codes-again">): VNode {
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

function KeepForm({ page, words, ask }: Parts & { readonly ask: number }): VNode {
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
        <TickField name="keepSessions" label={texts.keepSessions} />
        <SubmitButton text={texts.continue} />
      </PostForm>
    </div>
  );
}

function Remove({ page, words, step: { factor } }: StepParts<"remove">): VNode {
  const { texts } = words;
  return (
    <>
      <p class="lead">{texts.removeLead}</p>
      <Problem page={page} words={words} />
      <div class="actions pair">
        <PostForm kind="plain" action={page.action} state={page} values={{ act: "remove", id: factor.id }}>
          <SubmitButton text={texts.remove} />
        </PostForm>
        <LinkButton url={stepUrl(page, {})} text={texts.cancel} />
      </div>
    </>
  );
}

function Undo({ page, words, step: { token, isProven, signInUrl } }: StepParts<"undo">): VNode {
  const { texts } = words;
  return (
    <>
      <p class="lead">{texts.undoLead}</p>
      {!isProven && <p class="lead">{texts.undoSignIn}</p>}
      <Problem page={page} words={words} />
      <div class="actions pair">
        {isProven
          ? (
            <PostForm kind="plain" action={page.action} state={page} values={{ act: "undo", token }}>
              <SubmitButton text={texts.undo} />
            </PostForm>
          )
          : <LinkButton url={signInUrl} text={texts.signIn} primary />}
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}

function Undone({ page, words, step: { signInUrl } }: StepParts<"undone">): VNode {
  const { texts } = words;
  return (
    <>
      <p class="lead">{texts.undoneLead}</p>
      <div class="actions">
        <LinkButton url={signInUrl} text={texts.signIn} primary />
        <SiteLink url={page.siteUrl} words={words} />
      </div>
    </>
  );
}
