/** Runs something where the runtime calls itself Cloudflare Workers. */
export async function inWorkers(run: () => Promise<void>): Promise<void> {
  const own = Object.getOwnPropertyDescriptor(globalThis, "navigator");
  Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Cloudflare-Workers" }, configurable: true });
  try {
    await run();
  } finally {
    if (own) Object.defineProperty(globalThis, "navigator", own);
    else Reflect.deleteProperty(globalThis, "navigator");
  }
}
