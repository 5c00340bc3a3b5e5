import { Buffer } from "node:buffer";
import assert from "node:assert/strict";
import { test } from "node:test";
import { WebAuthnVerificationError } from "../../../src/errors.ts";
import { webauthn } from "../../../src/providers/webauthn.ts";
import { completeProvider } from "../../../src/resolve_provider.ts";
import { resolveWebAuthn } from "../../../src/resolve_webauthn.ts";
import { type Setting, verifyAssertion, verifyAttestation } from "../../../src/webauthn/ceremony.ts";
import { readAssertion, readAttestation } from "../../../src/webauthn/credential.ts";
import { partyOf } from "../../../src/webauthn/party.ts";

/** A credential that is made and used, in hex: WebAuthn Level 3, section 16. */
interface Vector {
  readonly credentialId: string;
  readonly made: { readonly challenge: string; readonly clientData: string; readonly attestationObject: string };
  readonly used: {
    readonly challenge: string;
    readonly clientData: string;
    readonly authenticatorData: string;
    readonly signature: string;
  };
}

const VECTORS: Readonly<Record<string, Vector>> = {
  "none.ES256": {
    credentialId: "f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad94ff3ec330084be4",
    made: {
      challenge: "00c30fb78531c464d2b6771dab8d7b603c01162f2fa486bea70f283ae556e130",
      clientData:
        "7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a22414d4d507434557878475453746e" +
        "63647134313759447742466938767049612d7077386f4f755657345441222c226f726967696e223a2268747470733a2f2f6578616d706c" +
        "652e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e20" +
        "6d617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c2073" +
        "75636820617320746869733a20426b5165446a646354427258426941774a544c453551227d",
      attestationObject:
        "a363666d74646e6f6e656761747453746d74a068617574684461746158a4bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592" +
        "a5e0f01452b2e4b559000000008446ccb9ab1db374750b2367ff6f3a1f0020f91f391db4c9b2fde0ea70189cba3fb63f579ba6122b33ad" +
        "94ff3ec330084be4a5010203262001215820afefa16f97ca9b2d23eb86ccb64098d20db90856062eb249c33a9b672f26df61225820930a" +
        "56b87a2fca66334b03458abf879717c12cc68ed73290af2e2664796b9220",
    },
    used: {
      challenge: "39c0e7521417ba54d43e8dc95174f423dee9bf3cd804ff6d65c857c9abf4d408",
      clientData:
        "7b2274797065223a22776562617574686e2e676574222c226368616c6c656e6765223a224f63446e55685158756c5455506f334a555854" +
        "3049393770767a7a59425039745a63685879617630314167222c226f726967696e223a2268747470733a2f2f6578616d706c652e6f7267" +
        "222c2263726f73734f726967696e223a66616c73657d",
      authenticatorData: "bfabc37432958b063360d3ad6461c9c4735ae7f8edd46592a5e0f01452b2e4b51900000000",
      signature:
        "3046022100f50a4e2e4409249c4a853ba361282f09841df4dd4547a13a87780218deffcd380221008480ac0f0b93538174f575bf11a1" +
        "dd5d78c6e486013f937295ea13653e331e87",
    },
  },
};

function text(hex: string): string {
  return Buffer.from(hex, "hex").toString("base64url");
}

function registrationOf(credentialId: string, made: Vector["made"]): ReturnType<typeof readAttestation> {
  const id = text(credentialId);
  const response = { clientDataJSON: text(made.clientData), attestationObject: text(made.attestationObject) };
  return readAttestation(JSON.stringify({ id, rawId: id, type: "public-key", response }));
}

// The authenticators of the vectors verify nobody.
function settingOf(challenge: string, attestationType: "none" | "direct" = "none"): Setting {
  const complete = completeProvider(
    webauthn({
      registrationOptions: { attestationType },
      verifyRegistrationOptions: { requireUserVerification: false },
      verifyAuthenticationOptions: { requireUserVerification: false },
    }),
    () => undefined,
  );
  assert.ok(complete.type === "webauthn");
  const party = partyOf(resolveWebAuthn(complete), new URL("https://example.org"));
  return { provider: resolveWebAuthn(complete), party, challenge: text(challenge) };
}

for (const [name, vector] of Object.entries(VECTORS)) {
  const { credentialId, made, used } = vector;
  const id = text(credentialId);
  const registered = registrationOf(credentialId, made);
  const signedIn = readAssertion(JSON.stringify({
    id,
    rawId: id,
    type: "public-key",
    response: {
      clientDataJSON: text(used.clientData),
      authenticatorData: text(used.authenticatorData),
      signature: text(used.signature),
    },
  }));

  test(`WAN-15: the credential ${name} of the specification is taken, and signs in`, async () => {
    const stored = await verifyAttestation(settingOf(made.challenge), registered);
    assert.equal(stored.credentialID, Buffer.from(credentialId, "hex").toString("base64"));
    const usage = await verifyAssertion(settingOf(used.challenge), signedIn, { ...stored, userId: "1" });
    assert.equal(usage.counter, 0);
  });

  test(`WAN-15: the credential ${name} of the specification answers no other challenge`, async () => {
    const stored = await verifyAttestation(settingOf(made.challenge), registered);
    const other = settingOf(made.challenge);
    await assert.rejects(verifyAssertion(other, signedIn, { ...stored, userId: "1" }), WebAuthnVerificationError);
    await assert.rejects(verifyAttestation(settingOf(used.challenge), registered), WebAuthnVerificationError);
  });
}

/** Signed by the authority of the specification's examples, which is not Apple's. */
const APPLE: Pick<Vector, "credentialId" | "made"> = {
  credentialId: "9c4a5886af9283d9be3e9ec55978dedfdce2e3b365cab193ae850c16238fafb8",
  made: {
    challenge: "f7f688213852007775009cf8c096fda89d60b9a9fb5a50dd81dd9898af5a0609",
    clientData:
      "7b2274797065223a22776562617574686e2e637265617465222c226368616c6c656e6765223a22395f61494954685341486431414a7a" +
      "34774a6239714a316775616e37576c4464676432596d4b396142676b222c226f726967696e223a2268747470733a2f2f6578616d706c65" +
      "2e6f7267222c2263726f73734f726967696e223a66616c73652c22657874726144617461223a22636c69656e74446174614a534f4e206d" +
      "617920626520657874656e6465642077697468206164646974696f6e616c206669656c647320696e20746865206675747572652c207375" +
      "636820617320746869733a20546a4c506e704f6158515572464e6362483274545a41227d",
    attestationObject:
      "a363666d74656170706c656761747453746d74a1637835638159025c30820258308201fea0030201020210394275613d5310b81a29ce" +
      "90f48b61c1300a06082a8648ce3d0403023062311e301c06035504030c15576562417574686e207465737420766563746f7273310c300a" +
      "060355040a0c0357334331253023060355040b0c1c41757468656e74696361746f72204174746573746174696f6e204341310b30090603" +
      "550406130241413020170d3234303130313030303030305a180f33303234303130313030303030305a305f311e301c06035504030c1557" +
      "6562417574686e207465737420766563746f7273310c300a060355040a0c0357334331223020060355040b0c1941757468656e74696361" +
      "746f72204174746573746174696f6e310b30090603550406130241413059301306072a8648ce3d020106082a8648ce3d03010703420004" +
      "8a3d5b1b4c543a706bf6e4b00afedb3c930b690dd286934fe2911f779cc7761af728e1aa3b0ff66692192daa776b83ddf8e3340d2d9a0e" +
      "abdfc324eb3e2f136ca38196308193300c0603551d130101ff04023000300e0603551d0f0101ff040403020780301d0603551d0e041604" +
      "1412f1ce6c0ae39b403bfc9200317bc183a4e4d766301f0603551d2304183016801445aff715b0dd786741fee996ebc16547a3931b1e30" +
      "3306092a864886f76364080204263024a1220420d7a86e7233fb843eb0eeb407d8b76ff7e4f82d218cf5dbb461d752073f5cb29a300a06" +
      "082a8648ce3d0403020348003045022070f5c2ede3000e9dae358d412b26a4acbf18f4cdeb80f5b13fcd564d090c39ec022100f672e2c3" +
      "dbe117c9b1490b3c660abf5dcd74398187082dacb58b6744de4aca6068617574684461746158a4bfabc37432958b063360d3ad6461c9c4" +
      "735ae7f8edd46592a5e0f01452b2e4b54900000000748210a20076616a733b2114336fc38400209c4a5886af9283d9be3e9ec55978dedf" +
      "dce2e3b365cab193ae850c16238fafb8a50102032620012158208a3d5b1b4c543a706bf6e4b00afedb3c930b690dd286934fe2911f779c" +
      "c7761a225820f728e1aa3b0ff66692192daa776b83ddf8e3340d2d9a0eabdfc324eb3e2f136c",
  },
};

test("V83, WAN-15: the credential apple.ES256 of the specification is refused, because Apple did not sign it", async () => {
  const registered = registrationOf(APPLE.credentialId, APPLE.made);
  for (const attestationType of ["none", "direct"] as const) {
    const setting = settingOf(APPLE.made.challenge, attestationType);
    await assert.rejects(verifyAttestation(setting, registered), WebAuthnVerificationError);
  }
});
