// @ts-check
/**
 * Passkeys on the sign-in page: the only script of the pages. scripts/embed_client.ts puts it into passkey_script.ts.
 *
 * @module
 */

/**
 * What went wrong, by the name of the browser's error.
 *
 * @type {any}
 */
const MESSAGES = {
  __proto__: null,
  NotAllowedError: "It was cancelled, or this device has no passkey for this site.",
  TimeoutError: "That took too long. Try again.",
  SecurityError: "Passkeys do not work at this address.",
  InvalidStateError: "This device already has a passkey here. Sign in with it.",
  TypeError: "The site cannot be reached. Check your connection.",
};

/** The one request that can be under way, and whether nobody has asked for it yet. */
let pending = new AbortController();
let isOffer = false;

if (self.PublicKeyCredential) { for (const place of document.querySelectorAll("fieldset")) open(place); }

/** @param {HTMLFieldSetElement} place */
function open(place) {
  place.disabled = place.hidden = false;
  say(place, "");
  const inputs = [...place.querySelectorAll("input")];
  for (const button of place.querySelectorAll("button")) {
    button.addEventListener("click", (event) => {
      event.preventDefault();
      if (button.type === "submit") run(place, "authenticate");
      else if (inputs.every((input) => input.reportValidity())) run(place, "register");
    });
  }
  document.addEventListener("visibilitychange", () => {
    // Another tab may have begun since, and the newest challenge is the only one that counts.
    if (isOffer && !document.hidden) offer(place);
  });
  offer(place);
}

/**
 * Lets the browser offer passkeys where the address is typed.
 *
 * @param {HTMLFieldSetElement} place
 */
async function offer(place) {
  if (place.dataset.autofill === undefined) return;
  const before = pending;
  if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
  // Somebody may have pressed a button meanwhile.
  if (before === pending) run(place, "authenticate", "conditional");
}

/**
 * @param {HTMLFieldSetElement} place
 * @param {string} action
 * @param {CredentialMediationRequirement} [mediation]
 */
async function run(place, action, mediation = "optional") {
  pending.abort();
  const own = pending = new AbortController();
  const { signal } = own;
  isOffer = mediation === "conditional";
  try {
    if (!isOffer) say(place, "Follow the steps on your device.");
    const { options } = await load(place, action, signal);
    self.setTimeout(() => own.abort(new DOMException("", "TimeoutError")), options.timeout);
    const request = { publicKey: readable(options), signal, mediation };
    const made = action === "register"
      ? await navigator.credentials.create(request)
      : await navigator.credentials.get(request);
    send(place, action, /** @type {PublicKeyCredential} */ (made));
  } catch (error) {
    if (own !== pending) return;
    const { name } = /** @type {Error} */ (error);
    if (!isOffer) say(place, MESSAGES[name] ?? "That did not work. Try another way.");
    // A challenge does not live for ever: an offer that ends is made again.
    if (!isOffer || name === "TimeoutError") offer(place);
  }
}

/**
 * @param {HTMLFieldSetElement} place
 * @param {string} action
 * @param {AbortSignal} signal
 */
async function load(place, action, signal) {
  const url = new URL(place.dataset.options ?? "");
  url.searchParams.set("action", action);
  /** @type {NodeListOf<HTMLInputElement>} */
  const fields = place.querySelectorAll("[data-form-field]");
  // Signing in needs none of them, and addresses are written to logs.
  if (action === "register") { for (const { name, value } of fields) url.searchParams.set(name, value); }
  const response = await self.fetch(url, { signal });
  const answer = await response.json();
  // Who has been signed in for long must sign in again before anything is added.
  if (answer.url) location.assign(answer.url);
  if (!response.ok) throw new Error();
  return answer;
}

/**
 * @param {HTMLFieldSetElement} place
 * @param {string} action
 * @param {PublicKeyCredential} credential
 */
function send(place, action, credential) {
  const inputs = /** @type {any} */ (place.elements);
  inputs.action.value = action;
  inputs.data.value = JSON.stringify(plain(credential));
  // A field may be called `submit`, and the form would call it so too.
  HTMLFormElement.prototype.submit.call(place.form);
}

/** @param {PublicKeyCredential} credential */
function plain(credential) {
  const { id, rawId, type, authenticatorAttachment } = credential;
  const given = /** @type {any} */ (credential.response);
  /** @type {Record<string, unknown>} */
  const response = { transports: given.getTransports?.() };
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (given[name]) response[name] = encode(given[name]);
  }
  return {
    ...{ id, rawId: encode(rawId), type, authenticatorAttachment, response },
    clientExtensionResults: credential.getClientExtensionResults(),
  };
}

/** @param {any} options */
function readable(options) {
  return {
    ...options,
    challenge: decode(options.challenge),
    // Browsers say the same when time is up as when somebody says no: our own timer comes first.
    timeout: 2 * options.timeout,
    user: options.user && withBytes(options.user),
    allowCredentials: options.allowCredentials?.map(withBytes),
    excludeCredentials: options.excludeCredentials?.map(withBytes),
  };
}

/** @param {{ id: string }} named */
function withBytes(named) {
  return { ...named, id: decode(named.id) };
}

/** @param {string} text */
function decode(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}

/** @param {ArrayBuffer} bytes */
function encode(bytes) {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * @param {HTMLFieldSetElement} place
 * @param {string} text
 */
function say(place, text) {
  place.nextElementSibling?.replaceChildren(text);
}
