/** The address of a client, and the networks that it is in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addressInHeader,
  networksOf,
  proxyHeaderOf,
  publicAddress,
  readAddress,
} from "../../../src/limits/client_address.ts";

const LIST = "x-forwarded-for";

/** What a header says, how many proxies are trusted, and which address that is. */
const CHAINS: readonly (readonly [header: string, value: string | null, hops: number, address: string | null])[] = [
  [LIST, null, 1, null],
  [LIST, "", 1, null],
  [LIST, "203.0.113.7", 1, "203.0.113.7"],
  [LIST, "203.0.113.7, 198.51.100.1", 1, "198.51.100.1"],
  [LIST, "203.0.113.7, 198.51.100.1", 2, "203.0.113.7"],
  [LIST, "203.0.113.7, 198.51.100.1", 3, null],
  // A stranger writes to the left of what the proxies add.
  [LIST, "192.0.2.66, 203.0.113.7, 198.51.100.1", 2, "203.0.113.7"],
  [LIST, "evil', \", 203.0.113.7", 1, "203.0.113.7"],
  [LIST, ",,,, 203.0.113.7", 1, "203.0.113.7"],
  [LIST, "203.0.113.7,", 1, null],
  [LIST, "203.0.113.7:4711", 1, "203.0.113.7"],
  [LIST, "2001:db8::1", 1, "2001:db8:0:0:0:0:0:1"],
  [LIST, "[2001:DB8::1]:443", 1, "2001:db8:0:0:0:0:0:1"],
  [LIST, "[2001:db8::1]", 1, "2001:db8:0:0:0:0:0:1"],
  [LIST, "::ffff:203.0.113.7", 1, "203.0.113.7"],
  [LIST, "::ffff:cb00:7107", 1, "203.0.113.7"],
  [LIST, "unknown", 1, null],
  [LIST, "203.0.113.007", 1, null],
  [LIST, "203.0.113.256", 1, null],
  [LIST, "0xcb007107", 1, null],
  [LIST, "10.0.0.5", 1, "10.0.0.5"],
  ["forwarded", "for=203.0.113.7", 1, "203.0.113.7"],
  ["forwarded", "for=192.0.2.43, for=198.51.100.17;by=203.0.113.60;proto=http;host=example.com", 1, "198.51.100.17"],
  ["forwarded", 'For="[2001:db8:cafe::17]:4711"', 1, "2001:db8:cafe:0:0:0:0:17"],
  ["forwarded", 'proto=https;for="203.0.113.7:8080"', 1, "203.0.113.7"],
  ["forwarded", "for=_hidden, for=unknown", 1, null],
  ["forwarded", "for=_hidden, for=unknown", 2, null],
  ["forwarded", "for=192.0.2.1;for=192.0.2.2", 1, null],
  ["forwarded", "by=203.0.113.60", 1, null],
  // A quote that a stranger opened must not swallow what the proxy adds.
  ["forwarded", 'for="192.0.2.66, for=203.0.113.7', 1, "203.0.113.7"],
  ["forwarded", 'for="192.0.2.1', 1, null],
  ["cf-connecting-ip", "203.0.113.7", 1, "203.0.113.7"],
  ["CF-Connecting-IP", "2001:db8::2", 1, "2001:db8:0:0:0:0:0:2"],
  // Such a header has one address: of two, one is a stranger's.
  ["cf-connecting-ip", "192.0.2.66, 203.0.113.7", 1, null],
  ["x-real-ip", "203.0.113.7", 5, "203.0.113.7"],
];

for (const [header, value, hops, address] of CHAINS) {
  test(`${header}: ${value} behind ${hops} of our proxies comes from ${address}`, () => {
    const headers = new Headers(value === null ? {} : { [header]: value });
    assert.equal(addressInHeader({ headers }, { header, hops }), address);
  });
}

test("one proxy is trusted if no number is given", () => {
  const headers = new Headers({ [LIST]: "192.0.2.66, 203.0.113.7" });
  assert.equal(addressInHeader({ headers }, { header: LIST }), "203.0.113.7");
});

test("an address has one spelling", () => {
  for (const text of ["2001:db8::", "2001:0db8:0:0:0:0:0:0", "2001:DB8:0::0", "[2001:db8::]:1", " 2001:db8:: "]) {
    assert.equal(readAddress(text), "2001:db8:0:0:0:0:0:0");
  }
  assert.equal(readAddress("::"), "0:0:0:0:0:0:0:0");
  assert.equal(readAddress("fe80::1%eth0"), "fe80:0:0:0:0:0:0:1");
  assert.equal(readAddress("64:ff9b::203.0.113.7"), "203.0.113.7");
  assert.equal(readAddress("1:2:3:4:5:6:7:8"), "1:2:3:4:5:6:7:8");
});

test("what is not an address is none", () => {
  const others = [
    "",
    ":",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "g::1",
    "12345::",
  ];
  const hostile = ["[1.2.3.4]", "1.2.3", "1.2.3.4.5", "1.2.3.4 ", "::1.2.3", "-1.2.3.4", "_node", "a".repeat(1e5)];
  for (const text of [...others, ...hostile.filter((each) => each !== "1.2.3.4 ")]) {
    assert.equal(readAddress(text), null, text.slice(0, 80));
  }
});

test("the address of a connection counts unless many share it", () => {
  assert.equal(publicAddress("203.0.113.7"), "203.0.113.7");
  assert.equal(publicAddress("2001:db8::1"), "2001:db8:0:0:0:0:0:1");
  const shared = ["127.0.0.1", "::1", "::", "10.1.2.3", "172.16.0.1", "172.31.0.1", "192.168.1.1", "169.254.0.1"];
  for (const text of [...shared, "100.64.0.1", "fd00::1", "fe80::1", "::ffff:10.0.0.1", "", null, undefined]) {
    assert.equal(publicAddress(text), null, String(text));
  }
  for (const text of ["172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "11.0.0.1", "192.169.0.1"]) {
    assert.equal(publicAddress(text), text);
  }
});

test("a header of a proxy is seen", () => {
  assert.equal(proxyHeaderOf({ headers: new Headers() }), null);
  assert.equal(proxyHeaderOf({ headers: new Headers({ via: "1.1 varnish" }) }), "via");
  assert.equal(proxyHeaderOf({ headers: new Headers({ "X-Forwarded-For": "unknown" }) }), "x-forwarded-for");
});

test("an IPv4 address is a network by itself", () => {
  assert.deepEqual(networksOf("203.0.113.7"), [{ name: "203.0.113.7", share: 1 }]);
});

test("addresses of IPv6 are in the networks of a household and of somebody who got more", () => {
  const networks = networksOf("2001:db8:1:2345:6:7:8:9");
  assert.deepEqual(networks, [{ name: "2001:db8:1:2300::/56", share: 1 }, { name: "2001:db8:1::/48", share: 8 }]);
  assert.deepEqual(networksOf("2001:db8:1:23ff:0:0:0:1"), networks);
  const [other, same] = networksOf("2001:db8:1:2400:0:0:0:1");
  assert.notDeepEqual(other, networks[0]);
  assert.deepEqual(same, networks[1]);
});
