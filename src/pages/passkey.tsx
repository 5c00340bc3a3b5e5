/**
 * The part of the sign-in page that is for passkeys. Its script is in passkey_client.js.
 *
 * @module
 */
import { type IdMaker, InputFields } from "./fields.tsx";
import { webUrl } from "./urls.ts";
import type { ComponentChildren, VNode } from "preact";
import type { SignInMethod } from "../request/outcome.ts";

/** A way of signing in that needs a script. */
export type PasskeyMethod = Extract<SignInMethod, { type: "webauthn" }>;

const FALLBACK = "Passkeys need JavaScript, and a browser that knows them. Please sign in another way.";

/**
 * Renders what stands in a form for passkeys: a sentence, until the script finds that the browser can do more.
 *
 * A fieldset, because its members are safe from the names of the fields in it; those of a form are not.
 */
export function PasskeyParts(
  { method, email, uniqueId, children }: {
    readonly method: PasskeyMethod;
    readonly email: string | null;
    readonly uniqueId: IdMaker;
    /** The button to sign in with. */
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
      <p class="note" role="status">{FALLBACK}</p>
    </>
  );
}
