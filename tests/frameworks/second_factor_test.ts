/** A page of administrators in four frameworks: it leads to the second proof, and back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { enrol } from "../../testing/kit/second_factor.ts";
import { installExample } from "./_examples.ts";
import { secondFactorExamples } from "./_second_factor_examples.ts";
import { openSite, type Site } from "./_site.ts";
import { ADA } from "./_words.ts";

for (const { example, basePath } of secondFactorExamples()) {
  const { name, folder = name } = example;
  test(`${folder} leads from a page of two factors to the second proof, and back`, async () => {
    const site = await openSite(example, await installExample(example));
    try {
      await tell(site, basePath);
    } finally {
      await site.close();
    }
  });
}

async function tell(site: Site, basePath: string): Promise<void> {
  const admin = `${site.home}/admin`;

  const first = await site.browser().open(admin);
  assert.equal(first.url.pathname, `${basePath}/signin`);
  await first.submit(ADA, "/credentials");
  assert.equal(first.url.pathname, `${basePath}/factors`);
  const other = site.browser();
  await other.signIn("credentials", ADA, { callbackUrl: `${site.home}/` });

  const path = (action: string) => `${basePath}/${action}`;
  const { totp } = await enrol({ tab: first, path }, { now: Date.now, keepSessions: true });
  await first.open(admin);
  assert.match(first.html, /Administration: Ada Lovelace/);

  await other.open(admin);
  assert.equal(other.url.pathname, `${basePath}/challenge`);
  await other.submit({ code: await totp() });
  assert.equal(other.url.href, admin);
  assert.match(other.html, /Administration: Ada Lovelace/);

  await other.signOut();
  await other.open(admin);
  await other.submit(ADA, "/credentials");
  assert.equal(other.url.pathname, `${basePath}/challenge`);
}
