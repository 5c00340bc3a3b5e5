/**
 * The address of a client: as the connection has it, or as the proxies in front of the service wrote it down.
 *
 * @module
 */

/** A header that proxies write the address of the client to. */
export interface AddressHeader {
  /** Its name, such as `x-forwarded-for`, `forwarded` or `cf-connecting-ip`. */
  readonly header: string;
  /**
   * How many proxies of yours add to the list of `x-forwarded-for` or `forwarded`: the entry is counted from the right,
   * because whoever sends a request can write the others. Any other header holds one address.
   *
   * @default {1}
   */
  readonly hops?: number | undefined;
}

/**
 * Where the address of a client is found.
 *
 * - `"connection"`: the other end of the connection. Choose it only if no proxy is in front of the service.
 * - A header: what your proxies write there.
 * - A function: it returns the address, or `null` if it is unknown.
 */
export type ClientAddress = "connection" | AddressHeader | ((request: Request) => string | null | undefined);

/** The part of a request that is looked at. */
interface Sent {
  readonly headers: Pick<Headers, "get">;
}

/** Headers that hold a list, to which each proxy adds. */
const LISTS: ReadonlySet<string> = new Set(["x-forwarded-for", "forwarded"]);

/** Headers that proxies set. One of them says that the connection is a proxy's. */
const OF_PROXIES: readonly string[] = [
  "x-forwarded-for",
  "forwarded",
  "x-real-ip",
  "cf-connecting-ip",
  "true-client-ip",
  "fly-client-ip",
  "x-client-ip",
  "via",
];

/** Names a header that only a proxy sets; `null` if there is none. */
export function proxyHeaderOf({ headers }: Sent): string | null {
  return OF_PROXIES.find((name) => headers.get(name) !== null) ?? null;
}

/**
 * Reads the address that proxies wrote to a header. `null` if it is not known: the header is missing or has fewer entries
 * than there are proxies, or the entry is not an address.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc7239 | RFC 7239}
 */
export function addressInHeader({ headers }: Sent, { header, hops = 1 }: AddressHeader): string | null {
  const name = header.toLowerCase();
  const text = headers.get(name);
  if (text === null) return null;
  if (!LISTS.has(name)) return readAddress(text);
  // Not parsed from the left, where a stranger may have opened a quote. What a proxy adds has no comma in it.
  const entry = text.split(",").at(-hops);
  if (entry === undefined) return null;
  return readAddress(name === "forwarded" ? forwardedFor(entry) : entry);
}

/** Reads the parameter `for` of an element of `Forwarded`; empty if it has none, or several. */
function forwardedFor(element: string): string {
  const values = element.split(";").flatMap((pair) => {
    const [, quoted, plain] = /^\s*for=(?:"([^"\\]*)"|([^"\s]*))\s*$/i.exec(pair) ?? [];
    return quoted ?? plain ?? [];
  });
  return values.length === 1 ? values[0] ?? "" : "";
}

/** Gives the address of a connection, unless it is one that many clients share: that of a proxy on this machine or network. */
export function publicAddress(text: string | null | undefined): string | null {
  const address = readAddress(text ?? "");
  return address !== null && !isPrivate(address) ? address : null;
}

/**
 * Reads an address, perhaps with a port or a zone, and gives its one spelling. An IPv6 address that stands for one of IPv4
 * (`::ffff:192.0.2.1`, RFC 4291; `64:ff9b::192.0.2.1`, RFC 6052) is that.
 *
 * @returns `null` if it is not an address, such as `unknown` or `_hidden`.
 */
export function readAddress(text: string): string | null {
  const bare = withoutPort(text.trim());
  if (bare.length > LONGEST) return null;
  const ipv4 = readIPv4(bare);
  if (ipv4) return ipv4.join(".");
  const groups = readIPv6(bare.replace(/%[\w.-]*$/, ""));
  if (!groups) return null;
  const embedded = embeddedIPv4(groups);
  return embedded ? embedded.join(".") : groups.map((group) => group.toString(16)).join(":");
}

/** As long as an IPv6 address with an IPv4 address in it and a zone can be. */
const LONGEST = 64;

function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\w*)?$/.exec(text) ?? [];
  if (bracketed !== undefined) return bracketed.includes(":") ? bracketed : "";
  return /^[\d.]+:\d+$/.test(text) ? text.slice(0, text.indexOf(":")) : text;
}

function readIPv4(text: string): readonly number[] | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return null;
  const numbers = parts.map(Number);
  return numbers.every((number) => number <= 255) ? numbers : null;
}

/** The eight groups of an IPv6 address. */
function readIPv6(text: string): readonly number[] | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head, tail] = halves.map(readGroups);
  if (!head || tail === null) return null;
  if (tail === undefined) return head.length === 8 ? head : null;
  const missing = 8 - head.length - tail.length;
  return missing < 1 ? null : [...head, ...Array.from({ length: missing }, () => 0), ...tail];
}

function readGroups(text: string): readonly number[] | null {
  if (text === "") return [];
  const parts = text.split(":");
  const last = parts.at(-1) ?? "";
  const ipv4 = last.includes(".") ? readIPv4(last) : [];
  if (!ipv4) return null;
  const hex = last.includes(".") ? parts.slice(0, -1) : parts;
  if (!hex.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return null;
  const [a = 0, b = 0, c = 0, d = 0] = ipv4;
  return [...hex.map((part) => parseInt(part, 16)), ...(ipv4.length > 0 ? [a * 256 + b, c * 256 + d] : [])];
}

function embeddedIPv4(groups: readonly number[]): readonly number[] | null {
  const prefix = groups.slice(0, 6).join();
  if (prefix !== "0,0,0,0,0,65535" && prefix !== [0x64, 0xff9b, 0, 0, 0, 0].join()) return null;
  return groups.slice(6).flatMap((group) => [group >> 8, group & 255]);
}

/** Addresses of this machine, of private networks and of carriers behind a translator (RFC 6890). */
function isPrivate(address: string): boolean {
  const [a = 0, b = 0] = address.split(".").map(Number);
  if (!address.includes(":")) {
    return a === 0 || a === 10 || a === 127 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) ||
      (a === 169 && b === 254) || (a === 100 && b >= 64 && b < 128);
  }
  const first = parseInt(address, 16);
  const isLocal = /^(?:0:){7}[01]$/.test(address);
  return isLocal || (first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80;
}

/** A part of the Internet that one client is likely to have. */
export interface Network {
  /** Its addresses, as text: no two networks have the same. */
  readonly name: string;
  /** How many times the burst and the rate of a network it has. */
  readonly share: number;
}

/**
 * Gives the networks of an address: IPv4 addresses one by one; of IPv6 what a provider gives one household (/56), and what
 * somebody gets who asks for more (/48), with 8 times as much, so that nobody gains by going through their own addresses.
 *
 * @param address As {@linkcode readAddress} gives it.
 */
export function networksOf(address: string): readonly Network[] {
  if (!address.includes(":")) return [{ name: address, share: 1 }];
  const groups = address.split(":").map((group) => parseInt(group, 16));
  const [a = 0, b = 0, c = 0, d = 0] = groups;
  const hex = (numbers: readonly number[]) => numbers.map((number) => number.toString(16)).join(":");
  return [{ name: `${hex([a, b, c, d & 0xff00])}::/56`, share: 1 }, { name: `${hex([a, b, c])}::/48`, share: 8 }];
}
