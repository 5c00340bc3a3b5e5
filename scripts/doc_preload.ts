/**
 * Runs before the examples of the documentation, so that they finish without permissions: `Deno.serve()` starts no
 * server, and `Deno.readTextFile()` returns a new private key.
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
