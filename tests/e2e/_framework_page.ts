/** The script of a page on which each framework shows the session. */
import { createElement } from "react";
import { hydrateRoot } from "react-dom/client";
import { createEffect, createRoot } from "solid-js";
import { effectScope, watchEffect } from "vue";
import { createAuthClient } from "@x/auth/client";
import { useSession as useSolidSession } from "@x/auth/solid";
import { sessionStore } from "@x/auth/svelte";
import { useSession as useVueSession } from "@x/auth/vue";
import { App } from "./_react_app.ts";

function show(id: string, text: string | null | undefined): void {
  const place = document.getElementById(id);
  if (place) place.textContent = `${text}`;
}

const root = document.getElementById("react");
const { session } = JSON.parse(document.getElementById("seed")?.textContent ?? "{}");
if (root) hydrateRoot(root, createElement(App, { session }));

effectScope().run(() => {
  const auth = useVueSession({ session });
  watchEffect(() => show("vue", auth.session?.user?.email ?? auth.status), { flush: "sync" });
});
createRoot(() => {
  const state = useSolidSession();
  createEffect(() => show("solid", state().session?.user?.email ?? state().status));
});
sessionStore().subscribe(({ session, status }) => show("svelte", session?.user?.email ?? status));

Object.assign(globalThis, { client: createAuthClient() });
