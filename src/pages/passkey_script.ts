/**
 * The script of passkeys as text, generated from passkey_client.js by scripts/embed_client.ts.
 *
 * @module
 */

/** The script that browsers get. */
export const PASSKEY_SCRIPT: string = `let pending = new AbortController();
let isOffer = false;
for (const group of document.querySelectorAll("fieldset")) {
if (self.PublicKeyCredential) open(group);
else if (!self.isSecureContext) note(group, textsOf(group).insecure);
}
function open(group) {
group.disabled = group.hidden = false;
note(group, "");
const inputs = inputsOf(group);
for (const button of group.querySelectorAll( ("button:not([formaction])"))) {
button.addEventListener("click", (event) => {
event.preventDefault();
if (button.type === "submit") run(group, "authenticate");
else if (inputs.every((input) => input.reportValidity())) run(group, "register");
});
}
document.addEventListener("visibilitychange", () => {
if (isOffer && !document.hidden) offer(group);
});
offer(group);
}
function textsOf(group) {
return JSON.parse(group.dataset.texts ?? "{}");
}
function inputsOf(group) {
const shared = document.getElementById(group.dataset.shared ?? "");
return [...group.querySelectorAll("input"), ... (shared ? [shared] : [])];
}
async function offer(group) {
if (group.dataset.autofill === undefined) return;
const before = pending;
if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
if (before === pending) run(group, "authenticate", "conditional");
}
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
await send(group, action,  (made), options.rpId ?? options.rp?.id);
} catch (error) {
if (own !== pending) return;
const { name } =  (error);
if (!isOffer) note(group, Object.hasOwn(texts, name) ? texts[name] : texts.failed);
if (!isOffer || name === "TimeoutError") offer(group);
}
}
async function load(group, action, signal) {
if (group.dataset.given) return { options: JSON.parse(group.dataset.given) };
const url = new URL(group.dataset.options ?? "");
url.searchParams.set("action", action);
const fields = isOffer ? [] : inputsOf(group).filter((input) => input.matches("[data-form-field~=" + action + "]"));
for (const { name, value } of fields) url.searchParams.set(name, value);
const response = await self.fetch(url, { signal });
const answer = await response.json();
if (answer.url) location.assign(answer.url);
if (!response.ok) throw new Error();
return answer;
}
async function send(group, action, credential, rpId) {
isOffer = false;
const inputs =  (group.elements);
if (inputs.action) inputs.action.value = action;
inputs.data.value = JSON.stringify(jsonOf(credential));
const form =  (group.form);
if (group.dataset.given || !signals.signalUnknownCredential) return HTMLFormElement.prototype.submit.call(form);
const response = await self.fetch( (Element.prototype.getAttribute.call(form, "action")), {
method: "POST",
headers: { "x-auth-return-redirect": "1" },
body: new URLSearchParams( (new FormData(form))),
});
const { url } = await response.json();
const code = new URL(url).searchParams.get("code");
await tell(group, { rpId, credentialId: credential.id }, code).catch(() => {});
location.assign(url);
}
const signals =  (self.PublicKeyCredential ?? {});
async function tell(group, used, code) {
const url = new URL(group.dataset.options ?? "");
url.searchParams.set("action", "list");
const response = await self.fetch(url, { signal: AbortSignal.timeout(1000) });
const { accepted = [] } = await response.json();
if (accepted.some(( each) => each.allAcceptedCredentialIds.includes(used.credentialId))) {
for (const each of accepted) await signals.signalAllAcceptedCredentials?.(each);
} else if (code === "unknown_passkey" && (response.ok || response.status === 403)) {
await signals.signalUnknownCredential(used);
}
}
function jsonOf(credential) {
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
function withBytes(options) {
return {
...options,
challenge: decode(options.challenge),
timeout: options.timeout && 2 * options.timeout,
user: options.user && idBytes(options.user),
allowCredentials: options.allowCredentials?.map(idBytes),
excludeCredentials: options.excludeCredentials?.map(idBytes),
};
}
function idBytes(named) {
return { ...named, id: decode(named.id) };
}
function decode(text) {
return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
}
function encode(bytes) {
return btoa(String.fromCharCode(...new Uint8Array(bytes)))
.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
function note(group, text) {
group.nextElementSibling?.replaceChildren(text);
}`;
