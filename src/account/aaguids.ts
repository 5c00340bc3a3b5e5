/**
 * What authenticators are called that say which kind they are. Loaded at the first look at the account page.
 *
 * Nobody attests it: an authenticator may say that it is another one. So it is only a name for the owner of a passkey.
 *
 * @see {@link https://www.w3.org/TR/webauthn-3/#aaguid | WebAuthn Level 3, AAGUID}
 * @see {@link https://github.com/passkeydeveloper/passkey-authenticator-aaguids | The AAGUIDs of providers of passkeys}
 *
 * @module
 */

/** The AAGUIDs of each, without hyphens and separated by spaces. */
const AAGUIDS: Readonly<Record<string, string>> = {
  "Google Password Manager": "ea9b8d664d011d213ce4b6b48cb575d4",
  "Chrome on Mac": "adce000235bcc60a648b0b25f1f05503",
  "Edge on Mac": "771b48fdd3d44f749232fc157ab0507a",
  "Chromium": "b53976664885aa6bcebfe52262a439a2",
  "iCloud Keychain": "fbfc3007154e4ecc8c0b6e020557d7bd dd4ec289e01d41c9bb8970fa845d4bf2",
  "Windows Hello": "08987058cadc4b81b6e130de50dcbe96 6028b017b1d44c02b4b3afcdafc96bb2 9ddd1817af5a4672a2b93e3dd95000a9",
  "Samsung Pass": "53414d53554e47000000000000000000",
  "1Password": "bada5566a7aa401fbd9645619a55120d",
  "Bitwarden": "d548826e79b4db40a3d811116f7e8349",
  "Dashlane": "531126d6e717415c93203d9aa6981239",
  "NordPass": "b84e404815dc4dd08640f4f60813c8af",
  "Keeper": "0ea242b443c44a1b8b17dd6d0b6baec6",
  "Enpass": "f38095407f1449c1a8b38f813b225541",
  "KeePassXC": "fdb141b25d84443e8a354698c205a502",
  "Proton Pass": "50726f746f6e5061737350726f746f6e",
  "iPasswords": "bfc748bb34294faab9f97cfa9f3b76d0",
  "IDmelon": "39a5647e1853446ca1f6a79bae9f5bc7",
  "Thales IDPrime FIDO Bio": "4d41190c7beb4a848018adf265a6352d",
  "Thales IDPrime 3940 FIDO": "b50d5e0a7f8149599b12f45407407503",
  "Ledger Nano X": "fcb1bcb4f370078c6993bc24d0ae3fbe",
  "Google Titan": "42b4fb4a286643b29bf76c6669c2e5d3",
  "YubiKey 5": "cb69481e8ff7403993ec0a2729a154a8 ee882879721c491397753dfcce97072a 19083c3d83834b18bc038f1c9ab2fd1b " +
    "ff4dac45ede84ec2acedcf66103f4335 20ac7a17c814483393fe539f0d5e3389 4599062e69264fe795669e8fb1aedaa0",
  "YubiKey 5 NFC":
    "fa2b99dc9e3942578f924a30d23c4118 2fc0579f811347eab116bb5a8db9202a a25342c03cdc44148e46f4807fca511c " +
    "d7781e5de35346aaafe23ca49f13332a 662ef48a95e24aaaa6c15b9c40375824 1ac71f64468d4fe0bef10e5f2f551f18 " +
    "6ab56fad881f4a43acb20be065924522 b2c1a50bdad84dc7ba4d0ce9597904bc 3aa78eb1ddd846a8a8218f8ec57a7bd5 " +
    "4fc84f1625454e53b8fc7bf4d7282a10",
  "YubiKey 5Ci": "c5ef55ffad9a4b9fb580adebafe026d0 a02167b9ae714ac79a0706432ebb6f1c 246731496c8642e798d9433fb5b73296 " +
    "b90e7dc1316e4feea25a56a666a670fe 3b24bf491d454484a91713175df0867b",
  "YubiKey 5 FIPS":
    "73bb0cd4e50249b89c6fb59445bf720b 57f7de54c8074eabb1c61c9be7984e92 905b4cb4ed6f4da992fc45e0d4e9b5c7",
  "YubiKey 5 NFC FIPS":
    "c1f9a0bc1dd2404ab27f8e29047a43fd fcc0118fcd45435b8da19782b2da0715 79f3c8ba9e35484b8f4753a5a0f5c630",
  "YubiKey 5Ci FIPS":
    "8520342148f943559bc88a53846e5083 7b96457de3cd432b9cebc9fdd7ef7432 3a662962c6d44023bebb98ae92e78e20",
  "YubiKey Bio": "d8522d9f575b486688a9ba99fa02f35b dd86a2da86a04cbeb4624bd31f57bc6f 7409272d1ff94e109fc9ac0019c124fd " +
    "7d1351a6e0974852b8bfc9ac5c9ce4a3 90636e1fef8243bfbdcf5255f139d12f 347449134f574e6ea527e9ec3c4b94e6 " +
    "83c47309aabb410884708be838b573cb 8c39ee867f9a4a959ba3f6b097e5c2ee ad08c78a4e4149b986a2ac15b06899e2 " +
    "97e6a830c952474095fc7c78dc97ce47 6ec5cff2a0f94169945bf33b563f7b99",
  "Security Key by Yubico": "f8a011f38c0a4d15800617111f9edc7d b92c3f9ac0144056887f140a2501163b",
  "Security Key NFC by Yubico":
    "6d44ba9bf6ec2e49b9300c8fe920cb73 149a20218ef6413396b881f8d5b7f1f5 a4e9fc6d4cbe4758b8ba37598bb5bbaa " +
    "e77e3c6405e3428b88240cbeb04b829d b7d3f68e88a6471e9ecf2df26d041ede 0bb43545fd2c418587ddfeb0b2916ace " +
    "47ab2fb466ac41849ae186be814012d5 ed042a3a4b224455bb69a267b652ae7e 9ff4cc6561544fffba099e2af7882ad2 " +
    "72c6b72d85124c6683599d3d10d9222f",
  "Feitian FIDO Card": "2c0df83292de4be1841288a8f074df4a",
  "Feitian Fingerprint Card": "8c97a7303f7b41a687d61e9b62bda6f0",
  "Feitian MultiPass": "310b2830bd4a4da5832e9a0dfc90abf2",
  "Feitian ePass": "833b721aff5f4d00bb2ebdda3ec01e29",
  "Feitian ePass NFC": "ee041bce25e54cdb8f86897fd6418464",
  "Feitian BioPass": "77010bd7212a4fc9b236d2ca5e9d4084",
  "Feitian BioPass Plus": "b6ede29c3772412c8a78539c1f4c62d2",
  "Feitian AllinPass": "12ded7454bed47d4abaae713f51d6393",
  "TOKEN2 FIDO2 Key": "ab32f0c62239afbbc470d2ef4e254db7",
  "HID Crescendo C2300": "aeb6569cf8fb4950ac6024ca2bbe2e52",
  "HID Crescendo Enabled": "54d9fee8e62142918b187157b99c5bec",
  "ATKey.Pro S": "ba76a2716eb64171874db6428dbe3437",
  "authenton1": "b267239b954f4041a01bee4f33c145b6",
};

const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(AAGUIDS).flatMap(([name, ids]) => ids.split(" ").map((id) => [id, name] as const)),
);

/** Gives the name of an authenticator; `null` if it is unknown, or does not say what it is. */
export function authenticatorNamed(aaguid: string): string | null {
  return NAMES.get(aaguid.replaceAll("-", "").toLowerCase()) ?? null;
}

/** Lists every AAGUID that has a name. */
export function knownAaguids(): readonly string[] {
  return [...NAMES.keys()];
}
