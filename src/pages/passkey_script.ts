/**
 * The script of the sign-in page as text, made of passkey_client.js by scripts/embed_client.ts.
 *
 * @module
 */

/** What browsers are sent. */
export const PASSKEY_SCRIPT: string = `const MESSAGES = {
__proto__: null,
NotAllowedError: "It was cancelled, or this device has no passkey for this site.",
TimeoutError: "That took too long. Try again.",
SecurityError: "Passkeys do not work at this address.",
InvalidStateError: "This device already has a passkey here. Sign in with it.",
TypeError: "The site cannot be reached. Check your connection.",
};
let pending = new AbortController();
let isOffer = false;
if (self.PublicKeyCredential) { for (const place of document.querySelectorAll("fieldset")) open(place); }
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
if (isOffer && !document.hidden) offer(place);
});
offer(place);
}
async function offer(place) {
if (place.dataset.autofill === undefined) return;
const before = pending;
if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
if (before === pending) run(place, "authenticate", "conditional");
}
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
send(place, action,  (made));
} catch (error) {
if (own !== pending) return;
const { name } =  (error);
if (!isOffer) say(place, MESSAGES[name] ?? "That did not work. Try another way.");
if (!isOffer || name === "TimeoutError") offer(place);
}
}
async function load(place, action, signal) {
const url = new URL(place.dataset.options ?? "");
url.searchParams.set("action", action);
const fields = place.querySelectorAll("[data-form-field]");
if (action === "register") { for (const { name, value } of fields) url.searchParams.set(name, value); }
const response = await self.fetch(url, { signal });
const answer = await response.json();
if (answer.url) location.assign(answer.url);
if (!response.ok) throw new Error();
return answer;
}
function send(place, action, credential) {
const inputs =  (place.elements);
inputs.action.value = action;
inputs.data.value = JSON.stringify(plain(credential));
HTMLFormElement.prototype.submit.call(place.form);
}
function plain(credential) {
const { id, rawId, type, authenticatorAttachment } = credential;
const given =  (credential.response);
const response = { transports: given.getTransports?.() };
for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
if (given[name]) response[name] = encode(given[name]);
}
return {
...{ id, rawId: encode(rawId), type, authenticatorAttachment, response },
clientExtensionResults: credential.getClientExtensionResults(),
};
}
function readable(options) {
return {
...options,
challenge: decode(options.challenge),
timeout: 2 * options.timeout,
user: options.user && withBytes(options.user),
allowCredentials: options.allowCredentials?.map(withBytes),
excludeCredentials: options.excludeCredentials?.map(withBytes),
};
}
function withBytes(named) {
return { ...named, id: decode(named.id) };
}
function decode(text) {
return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}
function encode(bytes) {
return btoa(String.fromCharCode(...new Uint8Array(bytes)))
.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
function say(place, text) {
place.nextElementSibling?.replaceChildren(text);
}`;
