import assert from "node:assert/strict";
import { test } from "node:test";
import { changed, jarWith } from "../_builders.ts";

test("read() gives the decoded value of a cookie", () => {
  assert.equal(jarWith("authjs.callback-url=https%3A%2F%2Fapp.test%2F").read("callbackUrl"), "https://app.test/");
});

test("read() gives an undecodable value as it is", () => {
  assert.equal(jarWith("authjs.callback-url=%E0%A4%A").read("callbackUrl"), "%E0%A4%A");
});

test("read() takes a cookie that arrives twice for absent, whatever the order", () => {
  for (const header of ["authjs.csrf-token=a; authjs.csrf-token=b", "authjs.csrf-token=a; authjs.csrf-token=a"]) {
    assert.equal(jarWith(header).read("csrfToken"), undefined);
  }
});

test("read() sees only the prefixed cookie over https, and only the plain one over http", () => {
  for (const names of [["__Secure-authjs.session-token", "authjs.session-token"]]) {
    for (const order of [names, names.toReversed()]) {
      const header = order.map((name) => `${name}=${name.startsWith("__") ? "secure" : "plain"}`).join("; ");
      assert.equal(jarWith(header, { secure: true }).read("sessionToken"), "secure");
      assert.equal(jarWith(header, { secure: false }).read("sessionToken"), "plain");
    }
  }
  assert.equal(jarWith("authjs.session-token=plain", { secure: true }).read("sessionToken"), undefined);
});

test("read() does not see what was written: it reads what the browser sent", () => {
  const jar = jarWith({ "authjs.state.a": "old" });
  jar.write("state", "new", { slot: "a" });
  assert.equal(jar.read("state", "a"), "old");
});

test("nameOf() gives the salt: the name without a slot", () => {
  assert.equal(jarWith().nameOf("state"), "authjs.state");
  assert.equal(jarWith({}, { secure: true }).nameOf("sessionToken"), "__Secure-authjs.session-token");
});

test("write() takes the configured attributes and lays the given ones over them", () => {
  const jar = jarWith({}, { secure: true });
  const expires = new Date(0);
  jar.write("state", "x", { slot: "f1", maxAge: 60, sameSite: "none", expires });
  assert.deepEqual(jar.close(), [{
    name: "__Secure-authjs.state.f1",
    value: "x",
    options: { httpOnly: true, sameSite: "none", path: "/", secure: true, maxAge: 60, expires },
  }]);
});

test("clear() removes only what the browser has", () => {
  const jar = jarWith({ "authjs.callback-url": "x" });
  jar.clear("callbackUrl");
  jar.clear("csrfToken");
  jar.clear("state", "a");
  assert.deepEqual(jar.close(), [{
    name: "authjs.callback-url",
    value: "",
    options: { httpOnly: true, sameSite: "lax", path: "/", secure: false, maxAge: 0 },
  }]);
});

test("clear() removes with the attributes the cookie was set with, and without an end of its own", () => {
  const overrides = { callbackUrl: { options: { domain: "app.test", path: "/x", expires: new Date(9e12) } } };
  const jar = jarWith({ "__Secure-authjs.callback-url": "x" }, { secure: true, overrides });
  jar.clear("callbackUrl");
  assert.deepEqual(jar.close()[0]?.options, {
    httpOnly: true,
    sameSite: "lax",
    path: "/x",
    secure: true,
    domain: "app.test",
    maxAge: 0,
  });
});

test("clear() removes a cookie that arrived twice", () => {
  const jar = jarWith("authjs.csrf-token=a; authjs.csrf-token=b");
  jar.clear("csrfToken");
  assert.deepEqual(changed(jar).removed, ["authjs.csrf-token"]);
});

test("clear() takes back what was written", () => {
  const jar = jarWith();
  jar.write("callbackUrl", "x");
  jar.clear("callbackUrl");
  assert.deepEqual(jar.close(), []);
});

test("write() takes a removal back", () => {
  const jar = jarWith({ "authjs.callback-url": "old" });
  jar.clear("callbackUrl");
  jar.write("callbackUrl", "new");
  assert.deepEqual(changed(jar), { set: ["authjs.callback-url"], removed: [] });
});

test("close() lists removals first, then cookies in the order they were last set", () => {
  const jar = jarWith({ "authjs.state.a": "1", "authjs.callback-url": "2" });
  jar.write("csrfToken", "1");
  jar.write("nonce", "2");
  jar.clear("state", "a");
  jar.write("csrfToken", "3");
  jar.clear("callbackUrl");
  assert.deepEqual(jar.close().map(({ name, value }) => [name, value]), [
    ["authjs.state.a", ""],
    ["authjs.callback-url", ""],
    ["authjs.nonce", "2"],
    ["authjs.csrf-token", "3"],
  ]);
});

test("slots() lists the slots of a role in the order the browser sent them", () => {
  const jar = jarWith("authjs.state.b=1; authjs.nonce.x=1; authjs.state.a=2; authjs.state=3; authjs.state.c-_9=4");
  assert.deepEqual(jar.slots("state"), ["b", "a", "c-_9"]);
  assert.deepEqual(jar.slots("csrfToken"), []);
});

test("slots() leaves out names that are not ours", () => {
  const jar = jarWith(`authjs.state.=1; authjs.state.a.b=1; authjs.state.a%20=1; authjs.state.${"x".repeat(65)}=1`);
  assert.deepEqual(jar.slots("state"), []);
});

test("slots() lists a slot once that arrives twice, and it reads as absent", () => {
  const jar = jarWith("authjs.state.a=1; authjs.state.a=2");
  assert.deepEqual(jar.slots("state"), ["a"]);
  assert.equal(jar.read("state", "a"), undefined);
});

test("a jar over too large a header reads as empty and still writes", () => {
  const jar = jarWith(`authjs.csrf-token=x; a=${"x".repeat(40_000)}`);
  assert.equal(jar.read("csrfToken"), undefined);
  jar.write("csrfToken", "y");
  assert.deepEqual(changed(jar).set, ["authjs.csrf-token"]);
});

test("a jar reads its cookies from among any number of others, and those that arrive twice stay absent", () => {
  const others = Array.from({ length: 500 }, (_, i) => `other${i}=${i}`).join("; ");
  const jar = jarWith(`${others}; authjs.csrf-token=a; authjs.state.f=b; ${others}; authjs.callback-url=c`);
  assert.deepEqual([jar.read("csrfToken"), jar.read("state", "f"), jar.read("callbackUrl")], ["a", "b", "c"]);
  const twice = jarWith(`authjs.csrf-token=a; ${others}; authjs.csrf-token=a`);
  assert.equal(twice.read("csrfToken"), undefined);
});
