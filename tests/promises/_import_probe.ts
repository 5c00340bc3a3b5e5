/**
 * Watches the clock, timers, random values, the network and the system while the package is imported and a service is
 * created, then while it answers a request. Prints what was used, as `{ atImport, atRequest }`.
 *
 * @module
 */
const used: string[] = [];

function watch(owner: object, name: string): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== "function") throw new Error(`Cannot watch ${name}: it is not a function`);
  const value = function (this: unknown, ...args: unknown[]): unknown {
    used.push(name);
    return Reflect.apply(original, this, args);
  };
  Object.defineProperty(owner, name, { value, configurable: true });
}

watch(Deno.env, "get");
watch(Deno.env, "has");
watch(Deno.env, "toObject");
watch(Deno.permissions, "query");
watch(Deno.permissions, "querySync");
watch(Deno.permissions, "request");
watch(Deno.permissions, "requestSync");
watch(globalThis, "fetch");
watch(globalThis, "setTimeout");
watch(globalThis, "setInterval");
watch(Date, "now");
watch(Math, "random");
for (const name of ["getRandomValues", "randomUUID"]) watch(crypto, name);
for (const name of ["importKey", "deriveKey", "deriveBits", "digest", "encrypt"]) watch(crypto.subtle, name);

const { createAuth } = await import("@x/auth");
const { github } = await import("@x/auth/providers/github");
await import("@x/auth/errors");
await import("@x/auth/jwt");
createAuth({ providers: [] });
const { handler } = createAuth({
  providers: [github({ clientId: "id", clientSecret: "secret" })],
  secret: "a random text of at least 32 characters",
  trustHost: true,
});
const atImport = used.splice(0);

await handler(new Request("http://localhost/auth/csrf"));
const atRequest = used.splice(0);

// deno-lint-ignore no-console -- the test reads it
console.log(JSON.stringify({ atImport, atRequest }));
