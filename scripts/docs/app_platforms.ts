/**
 * Stands for what the guides use of Expo, Electron and Tauri, which run on phones and desktops only: the programs of
 * these pages are compiled against it, and loaded. Nothing is opened, and nobody comes back.
 *
 * @module
 */

/** The names by which programs import this file. */
export const APP_PLATFORMS: readonly string[] = [
  "@tauri-apps/plugin-deep-link",
  "@tauri-apps/plugin-http",
  "@tauri-apps/plugin-opener",
  "electron",
  "expo-crypto",
  "expo-secure-store",
  "expo-web-browser",
];

// expo-crypto
export const CryptoEncoding = { BASE64: "base64" } as const;
export const CryptoDigestAlgorithm = { SHA256: "SHA-256" } as const;

export function getRandomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count));
}

export async function digestStringAsync(
  algorithm: "SHA-256",
  data: string,
  _options: { readonly encoding: "base64" },
): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest(algorithm, new TextEncoder().encode(data))).toBase64();
}

// expo-secure-store
const kept = new Map<string, string>();

export function setItemAsync(key: string, value: string): Promise<void> {
  kept.set(key, value);
  return Promise.resolve();
}

export function getItemAsync(key: string): Promise<string | null> {
  return Promise.resolve(kept.get(key) ?? null);
}

// expo-web-browser
type SessionResult = { readonly type: "success"; readonly url: string } | { readonly type: "cancel" | "dismiss" };

export function openAuthSessionAsync(_url: string, _redirectUrl?: string | null): Promise<SessionResult> {
  return Promise.resolve({ type: "cancel" });
}

// electron
interface App {
  setAsDefaultProtocolClient(scheme: string): boolean;
  requestSingleInstanceLock(): boolean;
  quit(): void;
  on(event: "second-instance", listener: (event: unknown, argv: string[]) => void): void;
  on(event: "open-url", listener: (event: unknown, url: string) => void): void;
}

export const app: App = {
  setAsDefaultProtocolClient: () => true,
  requestSingleInstanceLock: () => true,
  quit() {},
  on() {},
};

export const shell = { openExternal: (_url: string): Promise<void> => Promise.resolve() };

export const safeStorage = {
  encryptString: (text: string): Uint8Array => new TextEncoder().encode(text),
  decryptString: (sealed: Uint8Array): string => new TextDecoder().decode(sealed),
};

// @tauri-apps/plugin-deep-link, plugin-http and plugin-opener
export function onOpenUrl(_listener: (urls: string[]) => void): Promise<() => void> {
  return Promise.resolve(() => {});
}

export function openUrl(_url: string): Promise<void> {
  return Promise.resolve();
}

export const fetch: typeof globalThis.fetch = globalThis.fetch;
