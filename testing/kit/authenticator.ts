/**
 * An authenticator in software, and the browser before it: what they answer is honest unless a test says otherwise.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** Bytes. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The algorithms that it has. */
export type Algorithm = "ES256" | "RS256" | "EdDSA";

/** What differs from an honest answer. */
export interface Forgery {
  /** The origin of the page. */
  readonly origin?: string;
  /** The id of the relying party. */
  readonly rpId?: string;
  /** The challenge. */
  readonly challenge?: string;
  /** The type of the client data. */
  readonly type?: string;
  /** Members of the client data beside the usual. */
  readonly clientData?: Readonly<Record<string, unknown>>;
  /** Rewrites the client data before it is signed. */
  readonly rewrite?: (text: string) => string | Bytes;
  /** Flags to set and to clear: UP 1, UV 4, BE 8, BS 16. */
  readonly set?: number;
  /** Flags to clear. */
  readonly clear?: number;
  /** The counter. */
  readonly counter?: number;
  /** Rewrites the authenticator data before it is signed. */
  readonly authData?: (data: Bytes) => Bytes;
  /** Rewrites the signature. */
  readonly signature?: (signature: Bytes) => Bytes;
  /** What comes back as the name of the user; `null` for none. */
  readonly userHandle?: string | null;
  /** The id of the credential inside the authenticator data. */
  readonly attestedId?: Bytes;
  /** The key in COSE form. */
  readonly publicKey?: Bytes;
  /** The format of the attestation, and its statement in CBOR. */
  readonly format?: string;
  /** Makes the statement. */
  readonly statement?: (facts: { authData: Bytes; clientDataHash: Bytes; sign: Sign }) => Promise<Cbor>;
  /** Members of the credential beside or instead of the usual. */
  readonly members?: Readonly<Record<string, unknown>>;
  /** How the authenticator is reached. */
  readonly transports?: unknown;
}

/** Options of either ceremony, as far as they matter here. */
export interface CeremonyOptions {
  /** The challenge. */
  readonly challenge: string;
  /** The id of the relying party, to use a credential. */
  readonly rpId?: string;
  /** The relying party, to make a credential. */
  readonly rp?: {
    /** Its id. */
    readonly id: string;
  };
  /** Whose the credential is. */
  readonly user?: {
    /** What the service calls them. */
    readonly id: string;
    /** What they call themselves, such as their address. */
    readonly name: string;
    /** The name to show. */
    readonly displayName: string;
  };
  /** Whatever else the service asks for. */
  readonly [member: string]: unknown;
}

/** A credential in the authenticator. */
export interface Passkey {
  /** Its id. */
  readonly id: Bytes;
  /** The algorithm of its key. */
  readonly algorithm: Algorithm;
  /** Its keys. */
  readonly keys: CryptoKeyPair;
  /** The id of the relying party. */
  readonly rpId: string;
  /** What the service calls its user, as base64url of the bytes. */
  userHandle: string;
  /** How often it was used. */
  counter: number;
}

/** Options of an authenticator. */
export interface AuthenticatorOptions {
  /** The algorithm of its keys. @default {"ES256"} */
  readonly algorithm?: Algorithm;
  /** Whether it counts; one that is synced does not. */
  readonly counts?: boolean;
  /** Whether its credentials can be copied. */
  readonly synced?: boolean;
  /** The origin of the page. @default {"http://localhost:3000"} */
  readonly origin?: string;
  /** Whether it verifies who uses it, by a PIN or a finger. @default {true} */
  readonly verifies?: boolean;
  /** Whether it stores its credentials. Others are used by a list only, and do not tell whose they are. */
  readonly stores?: boolean;
  /** Reads `user.id` as text, as clients of an earlier generation did. */
  readonly textHandle?: boolean;
}

/** Signs with the key of a credential. */
export type Sign = (data: Bytes) => Promise<Bytes>;

export const b64u = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
export const unb64u = (text: string): Bytes => new Uint8Array(Buffer.from(text, "base64url"));
export const utf8 = (text: string): Bytes => new Uint8Array(new TextEncoder().encode(text));
export const sha256 = (bytes: Uint8Array): Bytes => new Uint8Array(createHash("sha256").update(bytes).digest());

/** An authenticator and its browser. */
export class Authenticator {
  /** Its credentials, oldest first. */
  readonly passkeys: Passkey[] = [];
  /** Its options, with defaults. */
  readonly options: Required<AuthenticatorOptions>;

  /** Makes an authenticator without credentials. */
  constructor(options: AuthenticatorOptions = {}) {
    this.options = {
      algorithm: "ES256",
      counts: true,
      synced: false,
      origin: "http://localhost:3000",
      verifies: true,
      stores: true,
      textHandle: false,
      ...options,
    };
  }

  /** Makes a credential: the text that a browser sends as `data`. */
  async create(options: CeremonyOptions, forgery: Forgery = {}): Promise<string> {
    const { algorithm, textHandle, counts } = this.options;
    const given = options.user?.id ?? "";
    const passkey: Passkey = {
      id: crypto.getRandomValues(new Uint8Array(32)),
      algorithm,
      keys: await generate(algorithm),
      rpId: options.rp?.id ?? "localhost",
      userHandle: textHandle ? b64u(utf8(given)) : given,
      counter: counts ? 1 : 0,
    };
    this.passkeys.push(passkey);
    const clientData = this.#clientData("webauthn.create", options, forgery);
    const publicKey = forgery.publicKey ?? await coseOf(passkey);
    const id = forgery.attestedId ?? passkey.id;
    const attested = concat(new Uint8Array(16), uint(id.length, 2), id, publicKey);
    const authData = this.#authData(passkey, attested, forgery);
    const format = forgery.format ?? "none";
    const clientDataHash = sha256(clientData);
    const sign = (data: Bytes) => signWith(passkey, data);
    const statement = await (forgery.statement ?? statements[format] ?? none)({ authData, clientDataHash, sign });
    const attestationObject = cbor(
      new Map<Cbor, Cbor>([["fmt", format], ["attStmt", statement], ["authData", authData]]),
    );
    const transports = forgery.transports ?? ["internal", "hybrid"];
    const response = { clientDataJSON: b64u(clientData), attestationObject: b64u(attestationObject), transports };
    const members = { clientExtensionResults: { credProps: { rk: this.options.stores } }, ...forgery.members };
    return credentialText(b64u(forgery.attestedId ?? passkey.id), response, { ...forgery, members });
  }

  /** Uses a credential, by default the newest: the text that a browser sends as `data`. */
  async get(
    options: CeremonyOptions,
    forgery: Forgery = {},
    passkey: Passkey | undefined = this.passkeys.at(-1),
  ): Promise<string> {
    if (!passkey) throw new Error("There is no passkey");
    if (this.options.counts) passkey.counter += 1;
    const clientData = this.#clientData("webauthn.get", options, forgery);
    const authData = this.#authData(passkey, new Uint8Array(), forgery);
    const honest = await signWith(passkey, concat(authData, sha256(clientData)));
    const known = this.options.stores ? passkey.userHandle : null;
    const userHandle = forgery.userHandle === undefined ? known : forgery.userHandle;
    const response = {
      clientDataJSON: b64u(clientData),
      authenticatorData: b64u(authData),
      signature: b64u(forgery.signature?.(honest) ?? honest),
      ...(userHandle !== null && { userHandle }),
    };
    return credentialText(b64u(passkey.id), response, forgery);
  }

  #clientData(type: string, options: CeremonyOptions, forgery: Forgery): Bytes {
    const text = JSON.stringify({
      type: forgery.type ?? type,
      challenge: forgery.challenge ?? options.challenge,
      origin: forgery.origin ?? this.options.origin,
      crossOrigin: false,
      ...forgery.clientData,
    });
    const written = forgery.rewrite?.(text) ?? text;
    return typeof written === "string" ? utf8(written) : written;
  }

  #authData(passkey: Passkey, attested: Bytes, forgery: Forgery): Bytes {
    const { verifies, synced } = this.options;
    const honest = 1 | (verifies ? 4 : 0) | (synced ? 8 | 16 : 0) | (attested.length > 0 ? 64 : 0);
    const flags = (honest | (forgery.set ?? 0)) & ~(forgery.clear ?? 0);
    const counter = forgery.counter ?? passkey.counter;
    const data = concat(
      sha256(utf8(forgery.rpId ?? passkey.rpId)),
      uint(flags, 1),
      uint(counter, 4),
      attested,
    );
    return forgery.authData?.(data) ?? data;
  }
}

function credentialText(id: string, response: object, { members }: Forgery): string {
  return JSON.stringify({
    id,
    rawId: id,
    type: "public-key",
    clientExtensionResults: {},
    authenticatorAttachment: "platform",
    response,
    ...members,
  });
}

type Statement = NonNullable<Forgery["statement"]>;

const none: Statement = () => Promise.resolve(new Map());

const ALG: Readonly<Record<Algorithm, number>> = { ES256: -7, EdDSA: -8, RS256: -257 };

/** Attestations that a credential signs itself (WebAuthn Level 3, section 8.2). */
export function packedSelf(algorithm: Algorithm): Statement {
  return async ({ authData, clientDataHash, sign }) =>
    new Map<Cbor, Cbor>([["alg", ALG[algorithm]], ["sig", await sign(concat(authData, clientDataHash))]]);
}

const statements: Readonly<Record<string, Statement>> = { none };

function generate(algorithm: Algorithm): Promise<CryptoKeyPair> {
  const use: KeyUsage[] = ["sign", "verify"];
  switch (algorithm) {
    case "ES256":
      return crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, use) as Promise<CryptoKeyPair>;
    case "EdDSA":
      return crypto.subtle.generateKey("Ed25519", true, use) as Promise<CryptoKeyPair>;
    case "RS256": {
      const publicExponent = new Uint8Array([1, 0, 1]);
      const params = { name: "RSASSA-PKCS1-v1_5", modulusLength: 2048, publicExponent, hash: "SHA-256" };
      return crypto.subtle.generateKey(params, true, use) as Promise<CryptoKeyPair>;
    }
  }
}

async function signWith({ algorithm, keys }: Passkey, data: Bytes): Promise<Bytes> {
  const params = {
    ES256: { name: "ECDSA", hash: "SHA-256" },
    EdDSA: { name: "Ed25519" },
    RS256: { name: "RSASSA-PKCS1-v1_5" },
  }[algorithm];
  const signature = new Uint8Array(await crypto.subtle.sign(params, keys.privateKey, data));
  return algorithm === "ES256" ? derOf(signature) : signature;
}

/** The DER form of an ECDSA signature (RFC 3279, section 2.2.3). */
export function derOf(signature: Bytes): Bytes {
  const half = signature.length / 2;
  const body = concat(derInteger(signature.slice(0, half)), derInteger(signature.slice(half)));
  return concat(new Uint8Array([0x30, body.length]), body);
}

function derInteger(bytes: Bytes): Bytes {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const digits = bytes.slice(start);
  const padded = (digits[0] ?? 0) >= 0x80 ? concat(new Uint8Array([0]), digits) : digits;
  return concat(new Uint8Array([2, padded.length]), padded);
}

/** The key in COSE form (RFC 9053, section 7). */
export async function coseOf({ algorithm, keys }: Passkey): Promise<Bytes> {
  const jwk = await crypto.subtle.exportKey("jwk", keys.publicKey);
  const member = (name: "x" | "y" | "n" | "e") => unb64u(jwk[name] ?? "");
  switch (algorithm) {
    case "ES256":
      return cbor(new Map<Cbor, Cbor>([[1, 2], [3, -7], [-1, 1], [-2, member("x")], [-3, member("y")]]));
    case "EdDSA":
      return okpKey(member("x"));
    case "RS256":
      return cbor(new Map<Cbor, Cbor>([[1, 3], [3, -257], [-1, member("n")], [-2, member("e")]]));
  }
}

/** An Ed25519 key in COSE form. */
export function okpKey(point: Bytes, algorithm = -8): Bytes {
  return cbor(new Map<Cbor, Cbor>([[1, 1], [3, algorithm], [-1, 6], [-2, point]]));
}

/** What is written in CBOR here (RFC 8949). */
export type Cbor = number | string | Bytes | readonly Cbor[] | ReadonlyMap<Cbor, Cbor>;

/** Writes CBOR. */
export function cbor(value: Cbor): Bytes {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return concat(head(3, utf8(value).length), utf8(value));
  if (value instanceof Uint8Array) return concat(head(2, value.length), value);
  if (value instanceof Map) {
    return concat(head(5, value.size), ...[...value].flatMap(([name, member]) => [cbor(name), cbor(member)]));
  }
  const items = value as readonly Cbor[];
  return concat(head(4, items.length), ...items.map(cbor));
}

function head(major: number, count: number): Bytes {
  if (count < 24) return new Uint8Array([major << 5 | count]);
  if (count < 256) return new Uint8Array([major << 5 | 24, count]);
  return concat(new Uint8Array([major << 5 | 25]), uint(count, 2));
}

export function concat(...parts: readonly Uint8Array[]): Bytes {
  return new Uint8Array(Buffer.concat(parts));
}

function uint(value: number, size: number): Bytes {
  const bytes = new Uint8Array(size);
  for (let index = size - 1, rest = value; index >= 0; index--, rest = Math.floor(rest / 256)) {
    bytes[index] = rest % 256;
  }
  return bytes;
}
