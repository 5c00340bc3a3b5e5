import { describe, test } from "node:test";
import assert from "node:assert/strict";
import { jsonLines, textOf } from "../../../../cli/doctor/print.ts";
import {
  type DoctorSite,
  ID,
  type Lies,
  type PlainAnswer,
  SHOP,
  startDoctorSite,
} from "../../../_support/doctor_site.ts";

// deno-lint-ignore no-control-regex -- what a terminal takes for something else than text
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** Examines a site, and gives what is printed. */
async function examined(lies: Lies, look: (site: DoctorSite, output: string, seconds: number) => void, timeout = 0.5) {
  const site = await startDoctorSite(lies);
  try {
    const began = performance.now();
    const report = await site.doctor(SHOP, { timeout });
    const seconds = (performance.now() - began) / 1000;
    const output = textOf(report, false) + jsonLines(report);
    assert.ok(output.length < 60_000, `${output.length}`);
    assert.doesNotMatch(output, CONTROL);
    assert.ok(seconds < timeout * 9 + 2, `${seconds}`);
    assert.ok(site.requests.length <= 150);
    look(site, output, seconds);
  } finally {
    await site.close();
  }
}

const all = (change: (answer: PlainAnswer) => void): Lies => ({ answer: (answer) => void change(answer) });

describe("against a hostile site, doctor()", () => {
  test("escapes control characters, sequences of terminals and directions", async () => {
    const evil = "\u001b]0;owned\u0007\u001b[2J\u202eabc\u009b31m\r\n";
    const list = JSON.stringify({
      [evil]: { type: "oauth", callbackUrl: `https://x.example/${evil}`, signinUrl: `https://x.example/${evil}` },
    });
    await examined({
      answer: (answer, { path }) => {
        if (path === "/auth/providers") answer.body = list;
        if (path === "/auth/csrf") answer.headers.push(["set-cookie", "authjs.\u00e9\u009b31m=a"]);
        if (path === "/") {
          return { status: 302, headers: [["location", `https://\u009b31m.example/${"%1b"}[2J`]], body: "" };
        }
      },
    }, (_, output) => assert.match(output, /error/));
  });

  test("reads no more than the beginning of a body that never ends", async () => {
    const chunk = "x".repeat(65_536);
    let written = 0;
    await examined({
      raw: (response, { path }) => {
        if (!path.startsWith("/auth/")) return false;
        response.writeHead(200, { "content-type": "application/json" });
        const more = () => {
          do written += chunk.length; while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once("drain", more);
        };
        more();
        return true;
      },
    }, (_, output) => {
      assert.match(output, /no-service/);
      assert.ok(written < 40_000_000, `${written}`);
    });
  });

  test("stops waiting for an answer that drips", async () => {
    await examined({
      raw: (response) => {
        response.writeHead(200, { "content-type": "application/json" });
        const timer = setInterval(() => response.write(" "), 50);
        response.on("close", () => clearInterval(timer));
        return true;
      },
    }, (_, output) => assert.match(output, /no complete answer/));
  });

  test("follows ten redirects at most, and only within the site", async () => {
    let at = 0;
    await examined({
      answer: (answer, { path }) => {
        if (path === "/" || path.startsWith("/next")) {
          return { status: 302, headers: [["location", `/next${++at}`]], body: "" };
        }
        return answer;
      },
    }, (site, output) => {
      assert.match(output, /home-circle/);
      assert.ok(site.requests.filter(({ path }) => path.startsWith("/next")).length <= 10);
    });
  });

  test("sends no cookie and no token to another host", async () => {
    await examined({
      answer: (answer, { path }) => {
        if (path !== "/auth/signin" && path !== "/") return answer;
        answer.headers.push(["set-cookie", "canary=of-the-site; Path=/"]);
        return { ...answer, status: 302, headers: [...answer.headers, ["location", `${ID}/steal`]] };
      },
    }, (site) => {
      const there = site.requests.filter(({ origin }) => origin === ID);
      assert.ok(there.length > 0);
      for (const { headers } of there) assert.equal(headers.get("cookie"), null);
      assert.deepEqual(there.filter(({ path }) => path === "/steal"), []);
    });
  });

  test("gives a cookie of the provider back to the provider only", async () => {
    await examined({
      provider: (url) => {
        if (url.pathname === "/authorize") {
          return { status: 302, headers: [["location", `${SHOP}/other`], ["set-cookie", "canary=of-id"]], body: "" };
        }
        return null;
      },
    }, (site) => {
      assert.deepEqual(site.requests.filter(({ headers }) => /of-id/.test(headers.get("cookie") ?? "")), []);
    });
  });

  test("asks nothing on this machine or its network that a public site names", async () => {
    const inner = [
      "http://127.0.0.1:1/",
      "https://169.254.169.254/latest",
      "https://10.1.2.3/",
      "https://[::1]/",
      "https://printer/",
    ];
    for (const to of inner) {
      const site = await startDoctorSite({
        answer: (answer, { path }) => {
          if (path === "/auth/signin/id") {
            return { ...answer, status: 302, headers: [["location", `${to}authorize?state=a`]] };
          }
        },
      });
      const asked: string[] = [];
      const fetch = site.runtime.fetch;
      Object.assign(site.runtime, {
        fetch(input: string | URL | Request, init?: RequestInit) {
          asked.push(new URL(String(input)).origin);
          return fetch(input, init);
        },
      });
      await site.doctor();
      await site.close();
      assert.deepEqual([...new Set(asked)].toSorted(), ["http://shop.example", SHOP].toSorted(), to);
    }
  });

  test("sends the code of a development server to this machine only", async () => {
    const site = await startDoctorSite();
    const { findings } = await site.doctor(SHOP, { code: "canary-code" });
    await site.close();
    assert.deepEqual(findings.map(({ id }) => id), ["code-refused"]);
    assert.deepEqual(site.requests.filter(({ path, body }) => /doctor$/.test(path) || /canary-code/.test(body)), []);
  });

  test("survives thousands of cookies and providers", async () => {
    const providers = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`p${at}`, {
      id: `p${at}`,
      type: "oauth",
      callbackUrl: `${SHOP}/auth/callback/p${at}`,
      signinUrl: `${SHOP}/auth/signin/p${at}`,
    }]));
    await examined(
      {
        answer: (answer, { path }) => {
          if (path === "/auth/providers") answer.body = JSON.stringify(providers);
          if (path !== "/auth/session") return answer;
          for (let at = 0; at < 10_000; at++) answer.headers.push(["set-cookie", `authjs.c${at}=${at}; Path=/`]);
          return answer;
        },
      },
      (_, output) => assert.match(output, /no-answer|cookies-many/),
      3,
    );
  });

  test("is not slowed down by text that regular expressions could stumble over", async () => {
    const bodies = [
      "\n".repeat(200_000),
      "<form ".repeat(40_000),
      "<script".repeat(30_000),
      "\n at ".repeat(50_000),
      "redirect_uri ".repeat(20_000),
      "invalid ".repeat(30_000),
      `${"[".repeat(100_000)}`,
      "AADSTS".repeat(40_000),
    ];
    for (const body of bodies) {
      await examined(
        {
          answer: (answer, { path }) =>
            path === "/auth/signin" || path === "/auth/doctor-asks"
              ? { ...answer, status: path === "/auth/signin" ? 200 : 500, body }
              : answer,
          provider: () => ({ status: 400, headers: [["content-type", "text/html"]], body }),
        },
        (_, __, seconds) => assert.ok(seconds < 3, `${body.slice(0, 20)}: ${seconds}`),
        5,
      );
    }
  });

  test("takes anything for an answer", async () => {
    const odd: readonly ((answer: PlainAnswer) => void)[] = [
      (answer) => void answer.headers.push(["location", "http://["], ["date", "never"], ["age", "NaN"]),
      (answer) => void (answer.status = 302),
      (answer) => void (answer.status = 204, answer.body = ""),
      (answer) => void (answer.body = "[]"),
      (answer) => void (answer.body = '{"__proto__":{"type":"oauth"},"a":null,"b":{"type":"oidc","callbackUrl":5}}'),
      (answer) => void (answer.body = "null"),
      (answer) => void (answer.body = '"text"'),
    ];
    for (const change of odd) await examined(all(change), () => {});
  });
});
