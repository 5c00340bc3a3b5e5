/** `auth.account`, sections of the application, links to the page, and what `auth.check()` says of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter, ProviderInput } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { password } from "@x/auth/providers/password";
import type { AuthError } from "../../src/errors.ts";
import { StepUpRequired } from "../../src/errors.ts";
import { accountSection, html } from "../../src/account.ts";
import { secondFactor } from "../../src/second_factor.ts";
import { accountFunctions, type AuthAccount } from "../../src/service/account_actions.ts";
import { checkService } from "../../src/service/check.ts";
import { type AccountSite, act, ADA, byLink, look, openAccountSite } from "../_support/account_site.ts";
import { enrolAtOnce } from "../_support/enrolling.ts";
import { otherAdapter } from "../_support/session_kinds.ts";
import { teller, type Visitor } from "../_support/visitors.ts";

const SETTINGS = "http://localhost:3000/settings";

function requestOf(visitor: Visitor, headers: Readonly<Record<string, string>> = {}): Request {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return new Request(SETTINGS, { method: "POST", headers: { cookie, "sec-fetch-site": "same-origin", ...headers } });
}

function functionsOf({ service }: AccountSite): AuthAccount {
  return accountFunctions(service.engine);
}

/** What each function is called with. */
const CALLS = {
  get: (account, request) => account.get(request),
  rename: (account, request) => account.rename(request, "Ada"),
  changeEmail: (account, request) => account.changeEmail(request, "new@example.com"),
  unlink: (account, request) => account.unlink(request, "none"),
  renamePasskey: (account, request) => account.renamePasskey(request, "none", "Phone"),
  removePasskey: (account, request) => account.removePasskey(request, "none"),
  endSession: (account, request) => account.endSession(request, "none"),
  endOthers: (account, request) => account.endOthers(request),
  exportData: (account, request) => account.exportData(request),
  delete: (account, request) => account.delete(request),
} as const satisfies {
  readonly [Name in Exclude<keyof AuthAccount, "deleteDue">]: (account: AuthAccount, request: Request) => unknown;
};

const WITH_A_SESSION: readonly string[] = ["get", "rename", "renamePasskey"];

async function missing(run: () => unknown): Promise<string> {
  const thrown: unknown = await Promise.resolve(run()).catch((error) => error);
  if (thrown instanceof StepUpRequired) {
    assert.equal(thrown.response().status, 401);
    return thrown.missing.join();
  }
  return thrown instanceof Error ? (thrown as AuthError).type : "done";
}

test("each function says what is missing: a session, a recent sign-in, or a second proof", async () => {
  for (const [name, call] of Object.entries(CALLS)) {
    const isHarmless = WITH_A_SESSION.includes(name);
    const site = await openAccountSite({ adapter: memoryAdapter(), features: [secondFactor()] });
    const account = functionsOf(site);
    const [nobody, ada] = [site.service.visitor(), site.service.visitor()];
    assert.equal(await missing(() => call(account, requestOf(nobody))), "session", name);
    await byLink(site, ada);
    site.runtime.advance(601);
    const before = site.mails.length;
    const old = await missing(() => call(account, requestOf(ada)));
    assert.equal(old === "age", !isHarmless, `${name}: ${old}`);
    await byLink(site, ada);
    await enrolAtOnce(site, ada);
    const low = await missing(() => call(account, requestOf(ada)));
    assert.equal(low === "level", !isHarmless, `${name}: ${low}`);
    assert.equal(site.mails.length, before);
    assert.deepEqual(site.service.errors, [], "nothing of it is a failure");
  }
});

test("no function but those that only read is called by another site", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter() });
  const ada = site.service.visitor();
  await byLink(site, ada);
  for (const [name, call] of Object.entries(CALLS)) {
    const request = requestOf(ada, { "sec-fetch-site": "cross-site", "origin": "https://evil.example" });
    const isRead = name === "get" || name === "exportData";
    assert.equal(await missing(() => call(functionsOf(site), request)), isRead ? "done" : "MissingCSRF", name);
  }
});

test("the functions do what the page does", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter(), providers: [teller("plain"), teller("other")] });
  const account = functionsOf(site);
  const ada = site.service.visitor();
  await ada.come("plain", { sub: "ada", email: ADA });
  await ada.come("other", { sub: "ada" });
  await account.rename(requestOf(ada), "Ada Lovelace");
  const view = await account.get(requestOf(ada));
  assert.deepEqual(JSON.parse(JSON.stringify(view)), (await look(ada)).view);
  assert.equal(view.user.name, "Ada Lovelace");
  const [first, second] = view.ways ?? [];
  await account.unlink(requestOf(ada), first?.id ?? "");
  assert.equal(await missing(() => account.unlink(requestOf(ada), second?.id ?? "")), "LastWayIn");
  assert.equal(await missing(() => account.unlink(requestOf(ada), first?.id ?? "")), "BadRequest");
  assert.equal(await missing(() => account.rename(requestOf(ada), " ")), "BadRequest");
  assert.deepEqual(site.service.errors, []);
});

test("where the feature is not listed, the error says what to do", async () => {
  const account = functionsOf(await openAccountSite({ adapter: memoryAdapter(), bare: true }));
  await assert.rejects(account.get(new Request(SETTINGS)), /add `accountPage\(\)` of `@x\/auth\/account`/);
});

test("a section of the application is drawn, gets the fields of its form, and says what is wrong", async () => {
  const taken: unknown[] = [];
  const news = accountSection({
    id: "news",
    title: (language) => `News (${language})`,
    render: ({ email }) => html`<p>${email} ${"<b>"}</p>`,
    submit: (user, fields) => {
      taken.push([user.email, { ...fields }]);
      return fields.topic === "wrong" ? "There is no such topic" : undefined;
    },
  });
  const quiet = accountSection({ id: "quiet", title: "Quiet", render: () => html`<p></p>` });
  const site = await openAccountSite({ adapter: memoryAdapter(), options: { sections: [news, quiet] } });
  const ada = site.service.visitor();
  await byLink(site, ada);
  const { sections } = await look(ada);
  assert.deepEqual(sections.map(({ title, hasForm, problem }) => [title, hasForm, problem]), [
    ["News (en)", true, null],
    ["Quiet", false, null],
  ]);
  assert.equal(sections[0]?.html, `<p>${ADA} &lt;b&gt;</p>`);
  await act(ada, { act: "section", section: "news", topic: "deno", id: "1" });
  assert.deepEqual(taken, [[ADA, { topic: "deno", id: "1" }]], "what the page itself sends is left out");
  const wrong = await act(ada, { act: "section", section: "news", topic: "wrong" });
  assert.deepEqual([wrong.problem, wrong.sections[0]?.problem], ["section", "There is no such topic"]);
  for (const section of ["quiet", "none", "__proto__"]) {
    assert.equal((await act(ada, { act: "section", section })).problem, "not-found");
  }
});

test("what a section gives that the tag has not made is not shown, and the page is", async () => {
  const renders: readonly (() => never)[] = [
    () => "<script>" as never,
    () => ({ text: "<script>" }) as never,
    () => {
      throw new Error("the database is down");
    },
  ];
  for (const render of renders) {
    const sections = [accountSection({ id: "own", title: "Own", render })];
    const site = await openAccountSite({ adapter: memoryAdapter(), options: { sections } });
    const ada = site.service.visitor();
    await byLink(site, ada);
    const shown = await look(ada);
    assert.deepEqual([shown.sections, shown.view?.user.email], [[], ADA]);
    assert.match(String(site.service.errors.at(-1)), /section "own" of `accountPage`/);
  }
});

test("pages that somebody sees who is signed in lead to the account page", async () => {
  const site = await openAccountSite({ adapter: memoryAdapter() });
  const bare = await openAccountSite({ adapter: memoryAdapter(), bare: true });
  for (const [{ service }, leads] of [[site, true], [bare, false]] as const) {
    const ada = service.visitor();
    for (const [isIn, path] of [[false, "signin"], [true, "signin"], [true, "signout"]] as const) {
      if (isIn && !await ada.inside()) await byLink({ service }, ada);
      const page = await (await ada.get(`/auth/${path}`)).text();
      assert.equal(page.includes('href="http://localhost:3000/auth/account"'), leads && isIn, path);
    }
  }
});

test("check() says what the page cannot show or do", async () => {
  const { listAccountsByUserId: _, listSessionsByUserId: __, ...lacking } = otherAdapter();
  const { deleteUser: ___, ...keeping } = memoryAdapter();
  const sites = [
    [{ adapter: memoryAdapter() }, []],
    [{ adapter: keeping as Adapter }, ["account-storage"]],
    [{ adapter: keeping as Adapter, options: { delete: false } }, []],
    [{ adapter: lacking }, ["account-records", "account-storage", "account-storage"]],
    [{ adapter: memoryAdapter(), sendsMail: false }, ["account-mail"]],
    [{ adapter: memoryAdapter(), account: { freshSignIn: false } }, ["account-fresh"]],
  ] as const;
  for (const [config, codes] of sites) {
    const site = await openAccountSite(config);
    await checkService(site.service.engine, undefined).catch(() => {});
    assert.deepEqual(site.service.warnings.filter((code) => code.startsWith("account-")).sort(), codes);
  }
});

test("the page shows the sections whose data there are, and leads to the pages of the others and back", async () => {
  const without = await openAccountSite({ adapter: memoryAdapter(), providers: [teller("plain")] });
  const eve = without.service.visitor();
  await eve.come("plain", { sub: "eve", email: "eve@example.com" });
  const { view: bare } = await look(eve);
  const sections = [bare?.password, bare?.secondFactor, bare?.passkeys, bare?.passkeyUrl, bare?.passkeySignals];
  assert.deepEqual(sections, [null, null, null, null, null]);

  const site = await openAccountSite({
    adapter: memoryAdapter(),
    features: [secondFactor()],
    providers: [password({ hash: { make: () => "a hash", verify: () => "no" } }), LINKS],
  });
  const ada = site.service.visitor();
  await ada.ask(ADA);
  await ada.open(links.get(ADA) ?? assert.fail());
  const shown = async () => (await look(ada)).view ?? assert.fail("nobody is signed in");
  const before = await shown();
  assert.deepEqual([before.password?.isSet, before.password?.setAt], [false, null]);
  assert.deepEqual([before.secondFactor?.isOn, before.secondFactor?.recoveryCodes], [false, null]);
  const here = "http://localhost:3000/auth/account";
  const pathOf = (url = "") => url.slice("http://localhost:3000".length);
  assert.equal((await (await ada.get(pathOf(before.secondFactor?.url))).json()).callbackUrl, here);
  const answer = await ada.post(pathOf(before.password?.url), { password: "a pelican on a bicycle" });
  assert.equal((await answer.json()).url, here);
  const { password: set } = await shown();
  assert.deepEqual([set?.isSet, set?.setAt], [true, new Date(site.runtime.now()).toISOString()]);
  await enrolAtOnce(site, ada);
  const { secondFactor: on } = await shown();
  assert.deepEqual([on?.isOn, on?.recoveryCodes], [true, 2]);
});

const links = new Map<string, URL>();

const LINKS: ProviderInput = {
  id: "email",
  name: "Email",
  type: "email",
  sendVerificationRequest: ({ identifier, url }) => void links.set(identifier, new URL(url)),
};
