/**
 * Requests that are signed instead of carrying a key: AWS Signature Version 4, and that of Azure Communication Services.
 *
 * @module
 */
import { sha256, sha256Hex } from "../../crypto/digest.ts";
import { toHex, utf8 } from "../../crypto/encoding.ts";

/** Credentials of AWS. */
export interface AwsCredentials {
  /** The id of the access key. */
  readonly accessKeyId: string;
  /** The secret of the access key. */
  readonly secretAccessKey: string;
  /** The session token of temporary credentials. */
  readonly sessionToken?: string | undefined;
}

/** A request to sign. */
export interface Signable {
  readonly method: string;
  readonly url: string;
  /** Headers to sign, in addition to `host` and those of the signature. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly now: Date;
}

/** Where a signature for AWS is valid, and whose it is. */
export interface AwsScope {
  readonly credentials: AwsCredentials;
  readonly region: string;
  readonly service: string;
}

/**
 * Signs a request for AWS.
 *
 * @returns The headers to send: the given ones and those of the signature, without `host`.
 * @see {@link https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html | AWS Signature Version 4}
 */
export async function signAws(
  { method, url, headers, body, now }: Signable,
  { credentials, region, service }: AwsScope,
): Promise<Record<string, string>> {
  const { host, pathname, searchParams } = new URL(url);
  const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, "");
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const sent = { ...headers, "x-amz-date": time, ...(sessionToken && { "x-amz-security-token": sessionToken }) };
  const signed = Object.entries({ ...sent, host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replaceAll(/ +/g, " ")] as const)
    .toSorted(([a], [b]) => a < b ? -1 : 1);
  const names = signed.map(([name]) => name).join(";");
  const query = [...searchParams].map(([name, value]) => `${escape(name)}=${escape(value)}`).toSorted().join("&");
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join("");
  const canonical = [method, pathname, query, lines, names, await sha256Hex(body)].join("\n");
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, scope, await sha256Hex(canonical)].join("\n");
  let key: Uint8Array<ArrayBuffer> = utf8(`AWS4${secretAccessKey}`);
  for (const part of scope.split("/")) key = await hmac(key, part);
  const signature = toHex(await hmac(key, text));
  const authorization =
    `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...sent, authorization };
}

function escape(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * Signs a request for Azure Communication Services.
 *
 * @param accessKey The access key in base64.
 * @returns The headers to send: the given ones and those of the signature, without `host`.
 * @see {@link https://learn.microsoft.com/azure/communication-services/tutorials/hmac-header-tutorial | Signing a request}
 */
export async function signAzure(
  { method, url, headers, body, now }: Signable,
  accessKey: Uint8Array<ArrayBuffer>,
): Promise<Record<string, string>> {
  const { host, pathname, search } = new URL(url);
  const date = now.toUTCString();
  const hash = toBase64(await sha256(body));
  const signature = toBase64(await hmac(accessKey, `${method}\n${pathname}${search}\n${date};${host};${hash}`));
  const authorization = `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`;
  return { ...headers, "x-ms-date": date, "x-ms-content-sha256": hash, authorization };
}

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign(algorithm.name, imported, utf8(text)));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
