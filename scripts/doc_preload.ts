/**
 * Runs before the examples of the docs: one that starts a server or reads its private key runs to its end, although
 * there is no server and no such file.
 *
 * @module
 */
Object.defineProperty(Deno, "serve", { value: () => undefined });
Object.defineProperty(Deno, "readTextFile", { value: newPrivateKey });

async function newPrivateKey(): Promise<string> {
  const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"]);
  const bytes = new Uint8Array(await crypto.subtle.exportKey("pkcs8", privateKey));
  return `-----BEGIN PRIVATE KEY-----\n${btoa(String.fromCharCode(...bytes))}\n-----END PRIVATE KEY-----\n`;
}
