/** The script of a page of its own for the account: an application of React, and the same account in the other frameworks. */
import { createElement, type FormEvent, type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createEffect, createRoot as createScope } from "solid-js";
import { effectScope, watchEffect } from "vue";
import { createAuthClient } from "@x/auth/client";
import { account, type AccountState } from "@x/auth/client/account";
import { useAccount } from "@x/auth/client/account/react";
import { useAccount as useSolidAccount } from "@x/auth/client/account/solid";
import { accountStore } from "@x/auth/client/account/svelte";
import { useAccount as useVueAccount } from "@x/auth/client/account/vue";

function App(): ReactNode {
  return createElement(StrictMode, null, createElement(Profile), createElement(Sessions), createElement(Leaving));
}

function Profile(): ReactNode {
  const own = useAccount();
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    own.rename(String(new FormData(event.currentTarget).get("name")));
  };
  return createElement(
    "form",
    { onSubmit },
    createElement("p", { id: "react" }, textOf(own)),
    createElement("p", { id: "problem" }, own.error?.problem ?? own.error?.error ?? "none"),
    createElement("input", { name: "name" }),
    createElement("button", { id: "rename", disabled: own.isLoading }, "Rename"),
  );
}

function Sessions(): ReactNode {
  const { account, endOthers } = useAccount();
  return createElement(
    "button",
    { id: "sessions", onClick: () => void endOthers() },
    `${account?.sessions?.length ?? "no"} sessions`,
  );
}

function Leaving(): ReactNode {
  const { account, exportData, delete: leave } = useAccount();
  return createElement(
    "p",
    null,
    createElement("button", { id: "export", onClick: () => void exportData() }, "Save"),
    createElement("button", { id: "leave", onClick: () => void leave(account?.user.email ?? "") }, "Delete"),
  );
}

function textOf({ account }: Pick<AccountState, "account">): string {
  if (!account) return account === null ? "nobody" : "loading";
  return `${account.user.email} ${account.user.name}`;
}

function show(id: string, state: AccountState): void {
  const place = document.getElementById(id);
  if (place) place.textContent = textOf(state);
}

const root = document.getElementById("root");
if (root) createRoot(root).render(createElement(App));

effectScope().run(() => {
  const own = useVueAccount();
  watchEffect(() => show("vue", own), { flush: "sync" });
});
createScope(() => {
  const own = useSolidAccount();
  createEffect(() => show("solid", own));
});
accountStore().subscribe((state) => show("svelte", state));

Object.assign(globalThis, { client: createAuthClient(), account });
