/** A worker with passkeys, which trusts one maker of authenticators, and an OpenID Provider. */
import { Buffer } from "node:buffer";
import process from "node:process";
import { createAuth } from "@x/auth";
import { setRootCertificates } from "@x/auth/attestation";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { passkey } from "@x/auth/providers/passkey";

setRootCertificates("packed", [
  new Uint8Array(Buffer.from(process.env.ROOT, "base64")),
]);

const idp = {
  id: "idp",
  name: "IdP",
  type: "oidc",
  issuer: "https://idp.test",
  clientId: "client-1",
};
const { handler } = createAuth({
  adapter: memoryAdapter(),
  session: { strategy: "jwt" },
  providers: [
    passkey({ registrationOptions: { attestationType: "direct" } }),
    { ...idp, clientSecret: "secret-of-client-1" },
  ],
});

export default { fetch: (request) => handler(request) };
