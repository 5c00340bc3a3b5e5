import { createAsync, query } from "@solidjs/router";
import { signIn, signOut } from "@auth/solid-start/client";
import { createSignal, Show } from "solid-js";
import { currentSession } from "~/session";

const sessionQuery = query(currentSession, "session");

export default function Home() {
  const session = createAsync(() => sessionQuery(), { deferStream: true });
  const [message, setMessage] = createSignal("");
  const enter = async (password: string) => {
    const result = await signIn("credentials", { username: "ada", password, redirect: false });
    setMessage(result?.error ? `${result.error}: ${result.code}` : "Welcome");
  };
  return (
    <main>
      <Show when={session()?.user} fallback={<p>Hello stranger</p>}>
        {(user) => <p>{`Hello ${user().name}, ${user().role} by ${session()?.provider}`}</p>}
      </Show>
      <button onClick={() => enter("lovelace")}>Sign in</button>
      <button onClick={() => signIn("github", { redirectTo: "/members" }, { prompt: "consent" })}>GitHub</button>
      <button onClick={() => signOut({ callbackUrl: "/" })}>Sign out</button>
      <p>{message()}</p>
    </main>
  );
}
