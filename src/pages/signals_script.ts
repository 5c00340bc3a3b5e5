/**
 * The script that tells the device of passkeys as text, generated from signals_client.js by scripts/embed_client.ts.
 *
 * @module
 */

/** The script that browsers get. */
export const SIGNALS_SCRIPT: string = `const known =  (self.PublicKeyCredential ?? {});
for (const part of  (document.querySelectorAll("[data-passkeys]"))) {
tell(part).then(() => upgrade(part)).catch(() => {});
}
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
function ask(dataset, action, signal) {
const url = new URL(dataset.options ?? "");
url.searchParams.set("action", action);
return self.fetch(url, { signal });
}
const REMOVED = "auth.passkey-removed";
async function upgrade({ dataset }) {
if (new URLSearchParams(location.search).get("done") === "removePasskey") sessionStorage.setItem(REMOVED, "1");
if (sessionStorage.getItem(REMOVED)) return;
const can = dataset.upgrade && await known.getClientCapabilities?.();
if (!can?.conditionalCreate) return;
const signal = AbortSignal.timeout(5000);
const response = await ask(dataset, "upgrade", signal);
if (!response.ok) return;
const { options } = await response.json();
const publicKey = known.parseCreationOptionsFromJSON(options);
const made =  (
await navigator.credentials.create( ({ publicKey, mediation: "conditional", signal }))
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
}`;
