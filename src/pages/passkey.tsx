/** @jsxImportSource preact */
/**
 * The passkey form of the sign-in page. Its script is passkey_client.js.
 *
 * @module
 */
import type { VNode } from "preact";
import { type InputContext, InputFields } from "./fields.tsx";
import type { PasskeyMethod } from "./method_list.ts";
import { webUrl } from "./urls.ts";
import type { Texts } from "../texts/texts.ts";

interface PasskeyForm {
  readonly method: PasskeyMethod;
  readonly context: InputContext;
  /** Whether the form shows fields of its own. */
  readonly hasFields: boolean;
  /** The id of the field of another form that the script uses. */
  readonly sharedId: string | undefined;
  /** The id of the form that has this field. */
  readonly sharedFormId: string | undefined;
  /** How the button looks that creates a passkey, if there is one. */
  readonly creates: "primary" | "quiet" | null;
  /** The button that signs in. */
  readonly button: VNode | null;
}

/**
 * The content of a passkey form: a sentence, and controls that stay hidden until the script finds that the browser
 * supports passkeys.
 *
 * The controls are in a fieldset because the script uses its properties. An input named `elements` would hide the
 * property of a form, but not that of a fieldset.
 */
export function PasskeyControls(form: PasskeyForm): VNode {
  const { method, context, hasFields, sharedId, button } = form;
  return (
    <>
      <fieldset
        hidden
        disabled
        data-options={webUrl(method.optionsUrl)}
        data-autofill={method.autofill && (hasFields || sharedId !== undefined) ? "" : undefined}
        data-shared={sharedId}
        data-texts={JSON.stringify(scriptTexts(context.texts))}
      >
        <input type="hidden" name="action" />
        <input type="hidden" name="data" />
        {hasFields && <InputFields method={method} context={context} />}
        {button}
        <CreateButton {...form} />
      </fieldset>
      <p class="note" role="status">{context.texts.passkeyUnavailable}</p>
    </>
  );
}

// Strangers who have to prove their address first send it with the form that has its field, without the script.
function CreateButton({ method, context: { texts, uniqueId }, creates, sharedFormId }: PasskeyForm): VNode | null {
  if (!creates) return null;
  const name = <span class="name">{texts.createPasskey}</span>;
  if (creates === "primary" || !method.confirmUrl) {
    return <button type="button" class={`button ${creates}`}>{name}</button>;
  }
  const hintId = uniqueId(`hint-for-${method.id}-registration`);
  return (
    <>
      <button
        type="submit"
        class={`button ${creates}`}
        formaction={webUrl(method.confirmUrl)}
        form={sharedFormId}
        aria-describedby={hintId}
      >
        {name}
      </button>
      <p class="note" id={hintId}>{texts.createPasskeyHint}</p>
    </>
  );
}

/** What the script of passkeys says, by the name of the error that the browser throws. */
export function scriptTexts(texts: Texts): Readonly<Record<string, string>> {
  return {
    NotAllowedError: texts.passkeyCancelled,
    TimeoutError: texts.passkeyTimeout,
    SecurityError: texts.passkeyAddress,
    InvalidStateError: texts.passkeyExists,
    TypeError: texts.passkeyOffline,
    follow: texts.passkeyFollow,
    insecure: texts.passkeyInsecure,
    failed: texts.passkeyFailed,
  };
}
