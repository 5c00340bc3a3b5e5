/**
 * Signing in at a provider in a popup window. Loaded on first use.
 *
 * Pages of the service, and those of many providers, are sent with `Cross-Origin-Opener-Policy`, which cuts the window
 * off from its opener: neither can reach the other, and to the opener it looks closed. So the two never use `opener` or
 * `postMessage`. The window ends on a page of the application, which says so on the channel of the origin, and this page
 * then asks the service who is signed in.
 *
 * @module
 */
import type { Answer, Browser } from "./connection.ts";

/** What {@linkcode signInByPopup} needs. */
export interface PopupOptions {
  readonly browser: Browser;
  /** The page of the provider. */
  readonly url: URL | null | undefined;
  /** The page of the application that the window ends on. Its fragment says so, and the channel carries it. */
  readonly target: URL;
  readonly signal: AbortSignal | undefined;
  /** The channel between pages of this origin. It is closed in the end. */
  readonly channel: BroadcastChannel;
  /** Asks the service. */
  readonly get: (path: string) => Promise<Answer>;
}

/** Milliseconds between two looks at the window. */
const INTERVAL = 300;

/** Shows a provider in a window, and waits until the user is signed in. */
export async function signInByPopup(popup: Window, options: PopupOptions): Promise<Answer> {
  const { browser, url, target, signal, channel, get } = options;
  const readUser = async (): Promise<unknown> => (await get("session")).body?.user;
  let timer: ReturnType<typeof setInterval> | undefined;
  try {
    const before = await readUser();
    const isBack = await new Promise<boolean>((resolve) => {
      channel.onmessage = ({ data }) => void (data === target.hash && resolve(true));
      signal?.addEventListener("abort", () => resolve(false));
      // A window that is cut off looks closed, too. But while it is open, it has the focus.
      const look = (): void => void (popup.closed && browser.document.hasFocus() && resolve(false));
      timer = setInterval(look, INTERVAL);
      popup.location.href = `${url}`;
    });
    signal?.throwIfAborted();
    const after = await readUser();
    // The window may have ended on a page that sends no message.
    if (!after || (!isBack && JSON.stringify(after) === JSON.stringify(before))) {
      return { status: 0, error: "PopupClosed" };
    }
    return { status: 200, url: new URL(target.href.replace(target.hash, "")) };
  } finally {
    clearInterval(timer);
    channel.close();
  }
}

/** Announces that the sign-in of this window has ended, and closes it. Some browsers keep it open. */
export function leavePopup(browser: Browser, announce: (message: string) => void): void {
  const { history, location } = browser;
  announce(location.hash);
  history.replaceState(history.state, "", location.pathname + location.search);
  browser.close();
}
