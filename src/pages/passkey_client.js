// @ts-check
/**
 * Passkeys on the sign-in page, and on the page that asks for a second proof. scripts/embed_client.ts copies it into
 * passkey_script.ts.
 *
 * @module
 */

/** Ends the ceremony that is under way: a browser allows one at a time. */
let pending = new AbortController();

/** Whether that ceremony is conditional: the browser offers passkeys in a field, and nobody has pressed a button. */
let isOffer = false;

for (const group of document.querySelectorAll("fieldset")) {
  if (self.PublicKeyCredential) open(group);
  else if (!self.isSecureContext) note(group, textsOf(group).insecure);
}

/** @param {HTMLFieldSetElement} group */
function open(group) {
  group.disabled = group.hidden = false;
  note(group, "");
  const inputs = inputsOf(group);
  // One that leads elsewhere asks for an email, for which the browser sends the form by itself.
  for (const button of group.querySelectorAll(/** @type {"button"} */ ("button:not([formaction])"))) {
    button.addEventListener("click", (event) => {
      event.preventDefault();
      if (button.type === "submit") run(group, "authenticate");
      else if (inputs.every((input) => input.reportValidity())) run(group, "register");
    });
  }
  document.addEventListener("visibilitychange", () => {
    // Another tab may have got a challenge since, and only the newest one is valid.
    if (isOffer && !document.hidden) offer(group);
  });
  offer(group);
}

/**
 * @param {HTMLFieldSetElement} group
 * @returns {any}
 */
function textsOf(group) {
  return JSON.parse(group.dataset.texts ?? "{}");
}

/**
 * Lists the inputs of a group, and the email field of another form that it shares.
 *
 * @param {HTMLFieldSetElement} group
 * @returns {HTMLInputElement[]}
 */
function inputsOf(group) {
  const shared = document.getElementById(group.dataset.shared ?? "");
  return [...group.querySelectorAll("input"), .../** @type {HTMLInputElement[]} */ (shared ? [shared] : [])];
}

/**
 * Lets the browser offer passkeys in the email field (conditional UI).
 *
 * @param {HTMLFieldSetElement} group
 */
async function offer(group) {
  if (group.dataset.autofill === undefined) return;
  const before = pending;
  if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
  // Somebody may have pressed a button in the meantime.
  if (before === pending) run(group, "authenticate", "conditional");
}

/**
 * @param {HTMLFieldSetElement} group
 * @param {string} action
 * @param {CredentialMediationRequirement} [mediation]
 */
async function run(group, action, mediation = "optional") {
  pending.abort();
  const own = pending = new AbortController();
  const { signal } = own;
  isOffer = mediation === "conditional";
  const texts = textsOf(group);
  try {
    if (!isOffer) note(group, texts.follow);
    const { options } = await load(group, action, signal);
    if (options.timeout) self.setTimeout(() => own.abort(new DOMException("", "TimeoutError")), options.timeout);
    const request = { publicKey: withBytes(options), signal, mediation };
    const made = action === "register"
      ? await navigator.credentials.create(request)
      : await navigator.credentials.get(request);
    await send(group, action, /** @type {PublicKeyCredential} */ (made), options.rpId ?? options.rp?.id);
  } catch (error) {
    if (own !== pending) return;
    const { name } = /** @type {Error} */ (error);
    if (!isOffer) note(group, Object.hasOwn(texts, name) ? texts[name] : texts.failed);
    // A challenge expires, so an offer that ends is made again.
    if (!isOffer || name === "TimeoutError") offer(group);
  }
}

/**
 * @param {HTMLFieldSetElement} group
 * @param {string} action
 * @param {AbortSignal} signal
 */
async function load(group, action, signal) {
  // A page that asks for a second proof has them already.
  if (group.dataset.given) return { options: JSON.parse(group.dataset.given) };
  const url = new URL(group.dataset.options ?? "");
  url.searchParams.set("action", action);
  // Servers write URLs to logs, so fields are sent only for the actions that need them.
  const fields = isOffer ? [] : inputsOf(group).filter((input) => input.matches("[data-form-field~=" + action + "]"));
  for (const { name, value } of fields) url.searchParams.set(name, value);
  const response = await self.fetch(url, { signal });
  const answer = await response.json();
  // To add a passkey, somebody who signed in long ago must sign in again.
  if (answer.url) location.assign(answer.url);
  if (!response.ok) throw new Error();
  return answer;
}

/**
 * @param {HTMLFieldSetElement} group
 * @param {string} action
 * @param {PublicKeyCredential} credential
 * @param {string} rpId
 */
async function send(group, action, credential, rpId) {
  // What the browser offers is made anew with another challenge, and this one must stay the newest.
  isOffer = false;
  const inputs = /** @type {any} */ (group.elements);
  if (inputs.action) inputs.action.value = action;
  inputs.data.value = JSON.stringify(jsonOf(credential));
  const form = /** @type {HTMLFormElement} */ (group.form);
  // If a field is named `submit`, `form.submit` is that field.
  if (group.dataset.given || !signals.signalUnknownCredential) return HTMLFormElement.prototype.submit.call(form);
  const response = await self.fetch(/** @type {string} */ (Element.prototype.getAttribute.call(form, "action")), {
    method: "POST",
    headers: { "x-auth-return-redirect": "1" },
    body: new URLSearchParams(/** @type {any} */ (new FormData(form))),
  });
  const { url } = await response.json();
  const code = new URL(url).searchParams.get("code");
  // Whatever comes of it, nobody waits for it.
  await tell(group, { rpId, credentialId: credential.id }, code).catch(() => {});
  location.assign(url);
}

const signals = /** @type {any} */ (self.PublicKeyCredential ?? {});

/**
 * Tells the authenticator which passkeys the service knows. The list counts more than the code, which somebody may have
 * written into the address that a sign-in leads to.
 *
 * @param {HTMLFieldSetElement} group
 * @param {{ rpId: string, credentialId: string }} used
 * @param {string | null} code
 */
async function tell(group, used, code) {
  const url = new URL(group.dataset.options ?? "");
  url.searchParams.set("action", "list");
  const response = await self.fetch(url, { signal: AbortSignal.timeout(1000) });
  const { accepted = [] } = await response.json();
  if (accepted.some((/** @type {any} */ each) => each.allAcceptedCredentialIds.includes(used.credentialId))) {
    for (const each of accepted) await signals.signalAllAcceptedCredentials?.(each);
  } else if (code === "unknown_passkey" && (response.ok || response.status === 403)) {
    await signals.signalUnknownCredential(used);
  }
}

/** @param {PublicKeyCredential} credential */
function jsonOf(credential) {
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
function withBytes(options) {
  return {
    ...options,
    challenge: decode(options.challenge),
    // Browsers throw the same error for a timeout as for a cancellation, so our own timer must run out first.
    timeout: options.timeout && 2 * options.timeout,
    user: options.user && idBytes(options.user),
    allowCredentials: options.allowCredentials?.map(idBytes),
    excludeCredentials: options.excludeCredentials?.map(idBytes),
  };
}

/** @param {{ id: string }} named */
function idBytes(named) {
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
 * @param {HTMLFieldSetElement} group
 * @param {string} text
 */
function note(group, text) {
  group.nextElementSibling?.replaceChildren(text);
}
