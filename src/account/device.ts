/**
 * Family of the browser and of the system of a `User-Agent`, so that people tell their sessions apart. It is what a browser
 * says of itself, so nothing depends on it.
 *
 * @module
 */

/** What a browser says of itself. */
export interface Device {
  readonly browser: string | null;
  readonly system: string | null;
}

/** The longest header that is looked at. Real ones have about 150 characters. */
const LONGEST = 512;

/** Browsers by their mark. Many name others too, so what builds on another browser goes first. */
const BROWSERS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera|OPX|OPT)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bYaBrowser\//, "Yandex Browser"],
  [/\bDuckDuckGo\/|\bDdg\//, "DuckDuckGo"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/[\d.]+ (?:Mobile\/\w+ )?Safari\//, "Safari"],
];

/** Systems by their mark. Those on phones name others, too. */
const SYSTEMS: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bWindows\b/, "Windows"],
  [/\biPad\b/, "iPadOS"],
  [/\b(?:iPhone|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b|\bX11\b/, "Linux"],
];

/** Reads the header. `null` stands for what is unknown. */
export function deviceOf(userAgent: string | null): Device {
  const text = (userAgent ?? "").slice(0, LONGEST);
  return { browser: nameIn(BROWSERS, text), system: nameIn(SYSTEMS, text) };
}

function nameIn(table: typeof BROWSERS, text: string): string | null {
  return table.find(([mark]) => mark.test(text))?.[1] ?? null;
}
