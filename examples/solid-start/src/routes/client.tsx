import { A, revalidate } from "@solidjs/router";
import { type AuthResult, signIn, signOut, update, type UpdateResult } from "@x/auth/client";
import { useSession } from "@x/auth/solid";
import { createEffect, createSignal, on } from "solid-js";

export default function Client() {
  const session = useSession();
  const [error, setError] = createSignal("");

  // The router keeps what it has read for somebody else.
  createEffect(on(() => session().session, () => revalidate(), { defer: true }));

  async function show(done: Promise<AuthResult | UpdateResult>) {
    const result = await done;
    setError(result.ok ? "" : result.error);
  }

  function enter(event: SubmitEvent & { currentTarget: HTMLFormElement }) {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.currentTarget));
    show(signIn("credentials", { ...fields, redirect: false }));
  }

  return (
    <>
      <p id="status">{session().status}</p>
      <p id="who">{session().session?.user?.name ?? "nobody"}</p>
      <p id="error">{error()}</p>
      <form id="sign-in" onSubmit={enter}>
        <input name="username" placeholder="ada" />
        <input name="password" type="password" placeholder="lovelace" />
        <button>Sign in</button>
      </form>
      <button id="provider" onClick={() => show(signIn("demo-id"))}>Sign in with Demo ID</button>
      <button id="update" onClick={() => show(update({ user: { name: "Countess" } }))}>Change name</button>
      <button id="sign-out" onClick={() => show(signOut({ redirect: false }))}>Sign out</button>
      <p>
        <A id="to-home" href="/">Home</A>
      </p>
    </>
  );
}
