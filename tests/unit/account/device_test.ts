import assert from "node:assert/strict";
import { test } from "node:test";
import { deviceOf } from "../../../src/account/device.ts";

const MAC = "Macintosh; Intel Mac OS X 10_15_7";
const WIN = "Windows NT 10.0; Win64; x64";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const PHONE = "iPhone; CPU iPhone OS 18_5 like Mac OS X";
const SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

/** Headers as browsers send them, and what they are. */
const DEVICES: readonly (readonly [userAgent: string | null, browser: string | null, system: string | null])[] = [
  [`Mozilla/5.0 (${WIN}) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, "Chrome", "Windows"],
  [`Mozilla/5.0 (${WIN}) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, "Edge", "Windows"],
  [`Mozilla/5.0 (${MAC}) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 OPR/124.0.0.0`, "Opera", "macOS"],
  [`Mozilla/5.0 (${MAC}) ${SAFARI} Version/18.5 Safari/605.1.15`, "Safari", "macOS"],
  [`Mozilla/5.0 (${MAC}; rv:143.0) Gecko/20100101 Firefox/143.0`, "Firefox", "macOS"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "Firefox", "Linux"],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`, "Chrome", "ChromeOS"],
  [`Mozilla/5.0 (${PHONE}) ${SAFARI} Version/18.5 Mobile/15E148 Safari/604.1`, "Safari", "iOS"],
  [`Mozilla/5.0 (${PHONE}) ${SAFARI} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`, "Chrome", "iOS"],
  [`Mozilla/5.0 (${PHONE}) ${SAFARI} FxiOS/143.0 Mobile/15E148 Safari/605.1.15`, "Firefox", "iOS"],
  [`Mozilla/5.0 (${PHONE}) ${SAFARI} EdgiOS/140.0.0.0 Version/18.0 Mobile/15E148 Safari/604.1`, "Edge", "iOS"],
  [
    `Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) ${SAFARI} Version/17.6 Mobile/15E148 Safari/604.1`,
    "Safari",
    "iPadOS",
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`, "Chrome", "Android"],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet",
    "Android",
  ],
  ["Mozilla/5.0 (Android 15; Mobile; rv:143.0) Gecko/143.0 Firefox/143.0", "Firefox", "Android"],
  ["curl/8.5.0", null, null],
  ["", null, null],
  [null, null, null],
];

for (const [userAgent, browser, system] of DEVICES) {
  test(`the family is read: ${userAgent || "nothing"}`, () => {
    assert.deepEqual(deviceOf(userAgent), { browser, system });
  });
}

test("a long header costs no more than a short one, and what stands far behind is not looked at", () => {
  assert.deepEqual(deviceOf(`${"a".repeat(60_000)} Firefox/143.0 (Windows)`), { browser: null, system: null });
});
