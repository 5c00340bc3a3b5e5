/**
 * The passkey form of the sign-in page. Its script is passkey_client.js.
 *
 * @module
 */
import { type IdMaker, InputFields } from "./fields.tsx";
import { webUrl } from "./urls.ts";
import type { ComponentChildren, VNode } from "preact";
import type { SignInMethod } from "../request/outcome.ts";

/** A way of signing in that needs a script. */
export type PasskeyMethod = Extract<SignInMethod, { type: "webauthn" }>;

const UNAVAILABLE = "Passkeys need JavaScript and a browser that supports them. Please sign in another way.";

/**
 * Renders the content of a passkey form: a sentence, and controls that stay hidden until the script finds that the
 * browser supports passkeys.
 *
 * The controls are in a fieldset because the script uses its properties. An input named `elements` would hide the
 * property of a form, but not that of a fieldset.
 */
export function PasskeyParts(
  { method, email, uniqueId, children }: {
    readonly method: PasskeyMethod;
    readonly email: string | null;
    readonly uniqueId: IdMaker;
    /** The button that signs in. */
    readonly children: ComponentChildren;
  },
): VNode {
  return (
    <>
      <fieldset
        hidden
        disabled
        data-options={webUrl(method.optionsUrl)}
        data-autofill={method.autofill ? "" : undefined}
      >
        <input type="hidden" name="action" />
        <input type="hidden" name="data" />
        <InputFields method={method} email={email} uniqueId={uniqueId} />
        {children}
        {method.registers && (
          <button type="button" class="button">
            <span class="name">Create a passkey</span>
          </button>
        )}
      </fieldset>
      <p class="note" role="status">{UNAVAILABLE}</p>
    </>
  );
}
