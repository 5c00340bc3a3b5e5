import { test } from "node:test";
import assert from "node:assert/strict";
import { createElement, type ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { createRoot } from "solid-js";
import { effectScope } from "vue";
import type { AccountState } from "../../../client/core/account_results.ts";
import { createAuthClient, getSession, type Session } from "../../../client/client.ts";
import type { SessionIn } from "../../../src/kernel/inferred.ts";
import { useAccount } from "../../../client/account/react.ts";
import { useAccount as useSolidAccount } from "../../../client/account/solid.ts";
import { accountStore } from "../../../client/account/svelte.ts";
import { useAccount as useVueAccount } from "../../../client/account/vue.ts";
import { SessionProvider, useSession } from "../../../client/react.ts";
import { useSession as useSolidSession } from "../../../client/solid.ts";
import { sessionStore } from "../../../client/svelte.ts";
import { useSession as useVueSession } from "../../../client/vue.ts";

const sessionOf = (name: string): Session => ({ user: { name }, expires: "2999-01-01T00:00:00.000Z" });

function Greeting(): ReactNode {
  const { data, status } = useSession();
  return createElement("p", null, `${status} ${data?.user?.name}`);
}

function render(session?: Session | null): string {
  return renderToString(createElement(SessionProvider, { session }, createElement(Greeting)));
}

test("a server renders each visitor's own session, whoever came before", () => {
  assert.equal(render(sessionOf("Ada")), "<p>authenticated Ada</p>");
  assert.equal(render(sessionOf("Eve")), "<p>authenticated Eve</p>");
  assert.equal(render(null), "<p>unauthenticated undefined</p>");
  assert.equal(render(), "<p>loading undefined</p>");
  assert.equal(renderToString(createElement(Greeting)), "<p>loading undefined</p>");
});

test("Vue, Solid and Svelte show on a server what they are given, and share nothing", () => {
  const session = sessionOf("Ada");
  const seen = (options?: { readonly session: Session }): (string | null | undefined)[] => [
    effectScope().run(() => useVueSession(options).session?.user?.name),
    createRoot(() => useSolidSession(options)().session?.user?.name),
    nameIn(options),
  ];
  assert.deepEqual(seen({ session }), ["Ada", "Ada", "Ada"]);
  assert.deepEqual(seen(), [undefined, undefined, undefined]);
});

function nameIn(options?: { readonly session: Session }): string | null | undefined {
  let name: string | null | undefined;
  sessionStore(options).subscribe(({ session }) => name = session?.user?.name)();
  return name;
}

function Account(): ReactNode {
  const { account, error, isLoading } = useAccount();
  return createElement("p", null, JSON.stringify([account ?? null, error, isLoading]));
}

test("a server asks for no account, and renders that it is not known", () => {
  assert.equal(renderToString(createElement(Account)), "<p>[null,null,true]</p>");
  const own = [effectScope().run(() => useVueAccount()), createRoot(() => useSolidAccount()), accountInStore()];
  for (const each of own) {
    assert.deepEqual([each?.account, each?.error, each?.isLoading], [undefined, null, true]);
  }
});

function accountInStore(): AccountState | undefined {
  let state: AccountState | undefined;
  accountStore().subscribe((now) => state = now)();
  return state;
}

interface MySession extends Session {
  role: "admin" | "member";
}

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

test("the type of the session goes through all functions", () => {
  const isMine: Equal<SessionIn<MySession>, MySession> = true;
  const isInferred: Equal<SessionIn<{ readonly $infer: { readonly Session: MySession } }>, MySession> = true;
  const isDefault: Equal<SessionIn<unknown>, Session> = true;
  assert.ok(isMine && isInferred && isDefault);
  const client = createAuthClient<MySession>();
  client.watchSession(({ session }) => {
    const role: "admin" | "member" | undefined = session?.role;
    // @ts-expect-error -- the role is one of two
    const wrong: "owner" | undefined = session?.role;
    assert.equal(role, wrong);
  })();
  const read: () => Promise<MySession | null> = () => getSession<MySession>();
  assert.ok(read);
});
