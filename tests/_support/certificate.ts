/** Certificates of authenticators' makers, as far as an attestation needs them (RFC 5280, section 4.1). */
import { concat, derOf, utf8 } from "./authenticator.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface CertificateOptions {
  /** Members of the subject by the last number of their type: 6 country, 10 organisation, 11 unit, 3 name. */
  readonly subject?: Readonly<Record<number, string>>;
  /** Whether it may sign others. */
  readonly authority?: boolean;
  /** Years it begins and ends in, of two digits. */
  readonly years?: readonly [begin: string, end: string];
  /** Who signs it. By default it signs itself. */
  readonly issuer?: Certificate;
  /** Coordinates of the key on P-256 that it is for. By default it has one of its own. */
  readonly point?: Bytes;
  /** More extensions, of {@linkcode extension}. */
  readonly extensions?: readonly Bytes[];
}

/** A certificate, and its key. */
export interface Certificate {
  readonly der: Bytes;
  readonly subject: Bytes;
  /** Its private key in PKCS #8; useless if it is for another key. */
  readonly pkcs8: Bytes;
  /** Signs as the holder of the key. */
  sign(data: Bytes): Promise<Bytes>;
}

const MAKER = { 6: "XX", 10: "Example", 11: "Authenticator Attestation", 3: "Example Key" };

/** What comes before the coordinates of a key on P-256 (RFC 5480, section 2). */
const P256 = "3059301306072a8648ce3d020106082a8648ce3d03010703420004";

/** Makes a certificate with a key on P-256. */
export async function makeCertificate(
  { subject = MAKER, authority = false, years = ["20", "49"], issuer, point, extensions = [] }: CertificateOptions = {},
): Promise<Certificate> {
  const keys = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
  const sign = async (data: Bytes) => {
    return derOf(new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, keys.privateKey, data)));
  };
  const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
  const name = sequence(
    ...Object.entries(subject).map(([type, text]) => {
      return der(0x31, sequence(oid(`5504${Number(type).toString(16).padStart(2, "0")}`), der(0x13, utf8(text))));
    }),
  );
  const [begin, end] = years.map((year) => der(0x17, utf8(`${year}0101000000Z`)));
  const basicConstraints = extension("551d13", sequence(...(authority ? [der(0x01, new Uint8Array([0xff]))] : [])));
  const key = point ? concat(hexBytes(P256), point) : await crypto.subtle.exportKey("spki", keys.publicKey);
  const body = sequence(
    der(0xa0, der(0x02, new Uint8Array([2]))),
    der(0x02, new Uint8Array([1])),
    ecdsaWithSha256,
    issuer?.subject ?? name,
    sequence(...[begin, end].flatMap((time) => time ?? [])),
    name,
    new Uint8Array(key),
    der(0xa3, sequence(basicConstraints, ...extensions)),
  );
  const signature = der(0x03, concat(new Uint8Array([0]), await (issuer?.sign ?? sign)(body)));
  const pkcs8 = new Uint8Array(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  return { der: sequence(body, ecdsaWithSha256, signature), subject: name, pkcs8, sign };
}

/** The extension that says at which address of IPv4 a server is (RFC 5280, section 4.2.1.6). */
export function ipAddress(...bytes: readonly number[]): Bytes {
  return extension("551d11", sequence(der(0x87, new Uint8Array(bytes))));
}

/** The text form of a certificate or a key (RFC 7468). */
export function toPem(label: "CERTIFICATE" | "PRIVATE KEY", bytes: Bytes): string {
  const lines = btoa(String.fromCharCode(...bytes)).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

/** An extension that whoever does not know it must refuse. */
export function extension(id: string, value: Bytes): Bytes {
  return sequence(oid(id), der(0x01, new Uint8Array([0xff])), der(0x04, value));
}

/** A sequence in DER. */
export function sequence(...parts: readonly Bytes[]): Bytes {
  return der(0x30, concat(...parts));
}

/** An object identifier in DER, of its bytes in hex. */
export function oid(hex: string): Bytes {
  return der(0x06, hexBytes(hex));
}

function hexBytes(hex: string): Bytes {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

/** A value in DER, its tag of one byte or more. */
export function der(tag: number | readonly number[], content: Bytes): Bytes {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return concat(new Uint8Array([tag, ...size].flat()), content);
}
