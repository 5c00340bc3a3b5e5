// @ts-check
/**
 * Tells the device which passkeys of the person who is signed in there are, and what they are called, and lets the browser make
 * one by itself. scripts/embed_client.ts copies it into signals_script.ts.
 *
 * An element `data-passkeys` has the URL of the options in `data-options`, and in `data-name` and `data-display-name` what the
 * person is called. With `data-upgrade`, which has the URL that the answer is posted to, the browser may make a passkey; the
 * token for the form is in `data-csrf`.
 *
 * @module
 */

const known = /** @type {any} */ (self.PublicKeyCredential ?? {});

for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-passkeys]"))) {
  // Nobody waits for it, and nobody is told.
  tell(part).then(() => upgrade(part)).catch(() => {});
}

/** @param {HTMLElement} part */
async function tell({ dataset }) {
  if (!known.signalAllAcceptedCredentials) return;
  const { accepted = [] } = await (await ask(dataset, "list", AbortSignal.timeout(5000))).json();
  const { name, displayName } = dataset;
  for (const each of accepted) {
    await known.signalAllAcceptedCredentials(each);
    const { rpId, userId } = each;
    await known.signalCurrentUserDetails?.({ rpId, userId, name, displayName });
  }
}

/**
 * @param {DOMStringMap} dataset
 * @param {string} action
 * @param {AbortSignal} signal
 */
function ask(dataset, action, signal) {
  const url = new URL(dataset.options ?? "");
  url.searchParams.set("action", action);
  return self.fetch(url, { signal });
}

/** Somebody who has just removed a passkey does not want another one made without a question. */
const REMOVED = "auth.passkey-removed";

/** @param {HTMLElement} part */
async function upgrade({ dataset }) {
  if (new URLSearchParams(location.search).get("done") === "removePasskey") sessionStorage.setItem(REMOVED, "1");
  if (sessionStorage.getItem(REMOVED)) return;
  const can = dataset.upgrade && await known.getClientCapabilities?.();
  if (!can?.conditionalCreate) return;
  // As long as the browser tries, it does nothing else with passkeys.
  const signal = AbortSignal.timeout(5000);
  const response = await ask(dataset, "upgrade", signal);
  if (!response.ok) return;
  const { options } = await response.json();
  const publicKey = known.parseCreationOptionsFromJSON(options);
  const made = /** @type {any} */ (
    await navigator.credentials.create(/** @type {any} */ ({ publicKey, mediation: "conditional", signal }))
  );
  if (!made) return;
  const sent = await self.fetch(dataset.upgrade ?? "", {
    method: "POST",
    headers: { "x-auth-return-redirect": "1" },
    body: new URLSearchParams({
      csrfToken: dataset.csrf ?? "",
      action: "upgrade",
      data: JSON.stringify(made.toJSON()),
    }),
  });
  const { url } = await sent.json();
  if (sent.ok && !new URL(url).searchParams.has("error")) return location.reload();
  await known.signalUnknownCredential?.({ rpId: options.rp.id, credentialId: made.id });
}
