import assert from "node:assert/strict";
import { test } from "node:test";
import { OAuthProviderError } from "../../../src/kernel/errors.ts";
import { limitedFetch } from "../../../src/oauth_client/outbound.ts";
import type { FetchLike } from "../../../src/contract/provider.ts";
import { freePort } from "../../_support/free_port.ts";
import { testRuntime } from "../../_support/runtime.ts";
import { allOf } from "../oauth/_flow.ts";

const MIB = 1024 * 1024;

function fetchWith(answer: (request: Request) => Response | Promise<Response>, request = 5) {
  const runtime = testRuntime({ fetch: answer });
  return {
    runtime,
    fetch: limitedFetch({ runtime, timeouts: { total: 10, request, event: 1, authorize: 30 } }, { fetch: undefined }),
  };
}

/** A body that counts what is taken from it and knows when nobody wants more. */
function body(chunk: Uint8Array, { endless = false, delay = 0 } = {}) {
  const seen = { cancelled: false, chunks: 0 };
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (delay) await new Promise((resolve) => setTimeout(resolve, delay));
      if (seen.cancelled) return;
      if (!endless && seen.chunks === 1) return controller.close();
      seen.chunks++;
      controller.enqueue(chunk);
    },
    cancel: () => void (seen.cancelled = true),
  });
  return { stream, seen };
}

function kindOf(kind: string) {
  return (error: Error) => error instanceof OAuthProviderError && error.cause?.kind === kind;
}

test("limitedFetch() gives a response with status, headers and body, and leaves no timer", async () => {
  const { runtime, fetch } = fetchWith(() => new Response("hello", { status: 418, headers: { "x-a": "b" } }));
  const response = await fetch("https://idp.test/");
  assert.deepEqual([response.status, response.headers.get("x-a"), await response.text()], [418, "b", "hello"]);
  assert.equal(runtime.timers(), 0);
});

test("limitedFetch() takes a response that stands for no answer for a failed network", async () => {
  for (const status of [0, 101, 600, Number.NaN]) {
    const none = Object.defineProperty(new Response("hello"), "status", { value: status });
    const { fetch } = fetchWith(() => none);
    await assert.rejects(() => fetch("https://idp.test/"), kindOf("network"), String(status));
  }
});

test("limitedFetch() gives a response without a body", async () => {
  for (const status of [200, 204, 205, 404]) {
    const { fetch } = fetchWith(() => new Response(null, { status }));
    const response = await fetch("https://idp.test/");
    assert.equal(response.status, status);
    assert.equal(await response.text(), "");
  }
});

test("limitedFetch() gives a response whose json() rounds no number, and neither do its clones", async () => {
  const { fetch } = fetchWith(() =>
    new Response('\ufeff{"id":1234567890123456789,"small":7,"text":"1234567890123456789"}')
  );
  const expected = { id: "1234567890123456789", small: 7, text: "1234567890123456789" };
  const response = await fetch("https://idp.test/");
  assert.ok(response instanceof Response);
  const copy = response.clone();
  const copyOfCopy = copy.clone();
  for (const answer of [response, copy, copyOfCopy]) {
    assert.equal(answer.bodyUsed, false);
    assert.deepEqual(await answer.json(), expected);
    assert.equal(answer.bodyUsed, true);
    await assert.rejects(() => answer.json(), TypeError);
    assert.throws(() => answer.clone(), TypeError);
  }
  assert.deepEqual(Object.keys(response), Object.keys(new Response()));
});

test("limitedFetch() gives a response whose json() refuses invalid JSON", async () => {
  for (const text of ["", "<html>", "01234567890123456789"]) {
    const { fetch } = fetchWith(() => new Response(text));
    const response = await fetch("https://idp.test/");
    await assert.rejects(() => response.json(), SyntaxError);
  }
});

test("limitedFetch() sends method, headers and body unchanged, from a URL, text or a request", async () => {
  const seen: string[] = [];
  const { fetch } = fetchWith(async (request) => {
    seen.push(
      `${request.method} ${request.url} ${request.headers.get("x-a")} ${await request.text()} ${request.redirect}`,
    );
    return new Response();
  });
  const init = { method: "POST", headers: { "x-a": "1" }, body: "b", redirect: "follow" } as const;
  await fetch("https://idp.test/x", init);
  await fetch(new URL("https://idp.test/x"), init);
  await fetch(new Request("https://idp.test/x", init));
  assert.deepEqual(new Set(seen), new Set(["POST https://idp.test/x 1 b manual"]));
});

test("limitedFetch() allows https, and http only on loopback addresses", async () => {
  const { fetch } = fetchWith(() => new Response("ok"));
  for (const url of ["https://idp.test", "http://localhost:8080/x", "http://127.0.0.1/", "http://[::1]:3000/"]) {
    assert.ok(await fetch(url), url);
  }
});

test("limitedFetch() sends nothing to other URLs", async () => {
  let sent = 0;
  const { fetch } = fetchWith(() => {
    sent++;
    return new Response();
  });
  const urls = [
    "http://idp.test",
    "http://localhost.evil.test",
    "http://evil.test#localhost",
    "http://127.0.0.2",
    "http://169.254.169.254/",
    "http://[fd00:ec2::254]/",
    "http://metadata.google.internal",
    "ftp://localhost",
    "file:///etc/passwd",
    "data:application/json,{}",
    "blob:https://idp.test/x",
    "https://user:secret@idp.test",
    "https://idp.test@127.0.0.1",
    "npm:x",
    "/relative",
    "",
    "https://idp.test:65536",
  ];
  for (const url of urls) await assert.rejects(() => fetch(url), OAuthProviderError, url);
  assert.equal(sent, 0);
});

test("limitedFetch() fails on every redirect and cancels its body", async () => {
  for (const status of [300, 301, 302, 303, 307, 308]) {
    const { stream, seen } = body(new Uint8Array(10), { endless: true });
    const { fetch } = fetchWith(() => new Response(stream, { status, headers: { location: "https://evil.test" } }));
    await assert.rejects(() => fetch("https://idp.test/"), kindOf("redirect"));
    assert.equal(seen.cancelled, true);
  }
});

test("limitedFetch() fails if the developer's fetch has followed a redirect", async () => {
  const runtime = testRuntime();
  const followed = new Response("x");
  Object.defineProperty(followed, "redirected", { value: true });
  const opaque = new Response("x");
  Object.defineProperty(opaque, "type", { value: "opaqueredirect" });
  for (const response of [followed, opaque]) {
    const fetch = limitedFetch({ runtime, timeouts: { total: 10, request: 5, event: 1, authorize: 30 } }, {
      fetch: () => Promise.resolve(response),
    });
    await assert.rejects(() => fetch("https://idp.test/"), kindOf("redirect"));
  }
});

test("limitedFetch() accepts a body of 1 MiB and refuses one byte more", async () => {
  for (const [length, accepted] of [[MIB, true], [MIB + 1, false]] as const) {
    const { fetch } = fetchWith(() => new Response(body(new Uint8Array(length)).stream));
    if (accepted) assert.equal((await (await fetch("https://idp.test/")).arrayBuffer()).byteLength, length);
    else await assert.rejects(() => fetch("https://idp.test/"), kindOf("too-large"));
  }
});

test("limitedFetch() stops reading an endless body", async () => {
  const { stream, seen } = body(new Uint8Array(64 * 1024), { endless: true });
  const { runtime, fetch } = fetchWith(() => new Response(stream));
  await assert.rejects(() => fetch("https://idp.test/"), kindOf("too-large"));
  assert.equal(seen.cancelled, true);
  assert.ok(seen.chunks <= 20);
  assert.equal(runtime.timers(), 0);
});

test("limitedFetch() aborts the request at the deadline", async () => {
  let aborted = false;
  const { runtime, fetch } = fetchWith((request) => {
    request.signal.addEventListener("abort", () => aborted = true);
    return new Promise(() => {});
  }, 0.05);
  await assert.rejects(() => fetch("https://idp.test/"), kindOf("timeout"));
  assert.equal(aborted, true);
  assert.equal(runtime.timers(), 0);
});

test("limitedFetch() applies the deadline to a slow body, too", async () => {
  const { stream, seen } = body(new Uint8Array(1), { endless: true, delay: 20 });
  const { runtime, fetch } = fetchWith(() => new Response(stream), 0.1);
  await assert.rejects(() => fetch("https://idp.test/"), kindOf("timeout"));
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(seen.cancelled, true);
  assert.equal(runtime.timers(), 0);
});

test("limitedFetch() cancels the body of a response that comes too late", async () => {
  const { stream, seen } = body(new Uint8Array(1), { endless: true });
  const { fetch } = fetchWith(async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return new Response(stream);
  }, 0.02);
  await assert.rejects(() => fetch("https://idp.test/"), kindOf("timeout"));
  await new Promise((resolve) => setTimeout(resolve, 150));
  assert.equal(seen.cancelled, true);
});

test("limitedFetch() ends when the caller's signal aborts", async () => {
  const abort = new AbortController();
  const { runtime, fetch } = fetchWith((request) => {
    return new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
  });
  setTimeout(() => abort.abort(), 10);
  await assert.rejects(() => fetch("https://idp.test/", { signal: abort.signal }), OAuthProviderError);
  assert.equal(runtime.timers(), 0);
});

test("limitedFetch() lets go of the caller's signal when the answer is there", async () => {
  const caller = new AbortController();
  let sent: AbortSignal | undefined;
  const { fetch } = fetchWith((request) => {
    sent = request.signal;
    return new Response("{}");
  });
  await fetch("https://idp.test/", { signal: caller.signal });
  // What listens to the signal of the request is released, although the caller's signal lives on.
  assert.deepEqual([sent?.aborted, caller.signal.aborted], [true, false]);
});

test("limitedFetch() reports a body that breaks off", async () => {
  const stream = new ReadableStream({ pull: (controller) => controller.error(new TypeError("closed")) });
  const { fetch } = fetchWith(() => new Response(stream));
  await assert.rejects(() => fetch("https://idp.test/"), kindOf("network"));
});

test("limitedFetch() keeps paths, queries and messages of network errors out of its errors", async () => {
  const { fetch } = fetchWith((request) => {
    throw Object.assign(new TypeError(`cannot send to ${request.url}`), { code: "ECONNREFUSED" });
  });
  await assert.rejects(() => fetch("https://idp.test/me?access_token=hunter2"), (error: OAuthProviderError) => {
    assert.equal(allOf(error).includes("hunter2"), false);
    assert.deepEqual(error.cause, { kind: "network", reason: "ECONNREFUSED" });
    return error.message.includes("idp.test");
  });
  await assert.rejects(() => fetch("https://idp.test:x/?access_token=hunter2"), (error: Error) => {
    return !allOf(error).includes("hunter2");
  });
});

test("limitedFetch() says why this runtime could not connect", async () => {
  const url = `http://127.0.0.1:${await freePort()}/`;
  const { fetch } = fetchWith(() => globalThis.fetch(url));
  await assert.rejects(() => fetch("https://idp.test/"), ({ cause }: OAuthProviderError) => {
    return cause?.kind === "network" && /refused/i.test(String(cause.reason));
  });
});

test("limitedFetch() calls the developer's fetch like the global one", async () => {
  const seen: unknown[] = [];
  const own: FetchLike = (input, init) => {
    seen.push(input, init?.redirect, init?.method);
    return Promise.resolve(new Response("own"));
  };
  const runtime = testRuntime();
  const fetch = limitedFetch({ runtime, timeouts: { total: 10, request: 5, event: 1, authorize: 30 } }, { fetch: own });
  assert.equal(await (await fetch(new URL("https://idp.test/x"), { method: "PUT" })).text(), "own");
  assert.deepEqual(seen, ["https://idp.test/x", "manual", "PUT"]);
});
