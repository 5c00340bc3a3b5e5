"use client";

import { getCsrfToken, getProviders, getSession, signIn, signOut, useSession } from "next-auth/react";
import { useRouter } from "next/navigation";
import type { SessionContextValue } from "next-auth/react";
import { type FormEvent, useEffect, useState } from "react";

export function Account() {
  const { data: session, status, update }: SessionContextValue = useSession();
  const [message, setMessage] = useState("");
  const [providers, setProviders] = useState<string[]>([]);
  const router = useRouter();

  useEffect(() => {
    getProviders().then((found) => setProviders(Object.values(found ?? {}).map(({ name }) => name)));
  }, []);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const result = await signIn("credentials", {
      username: form.get("username"),
      password: form.get("password"),
      redirect: false,
    });
    if (result?.error) return setMessage(`${result.error} ${result.code ?? ""}`.trim());
    setMessage("");
    router.refresh();
  }

  async function leave() {
    const { url } = await signOut({ redirect: false, callbackUrl: "/client" });
    setMessage(new URL(url).pathname);
  }

  async function check() {
    const [token, found] = await Promise.all([getCsrfToken(), getSession()]);
    setMessage(`${token?.length} ${found?.user?.email ?? "nobody"}`);
  }

  if (status === "loading") return <p id="state">loading</p>;
  return (
    <>
      <p id="state">{session ? `${status} ${session.user.name} ${session.user.role}` : status}</p>
      <p id="providers">{providers.join(", ")}</p>
      <p id="message">{message}</p>
      <form id="enter" onSubmit={onSubmit}>
        <input name="username" />
        <input name="password" type="password" />
        <button>Sign in</button>
      </form>
      <button id="rename" onClick={() => update({ user: { name: "Countess" } })}>Rename</button>
      <button id="check" onClick={check}>Check</button>
      <button id="leave" onClick={leave}>Sign out</button>
      <button id="github" onClick={() => signIn("github", { callbackUrl: "/members" })}>GitHub</button>
      <button id="out" onClick={() => signOut({ callbackUrl: "/login" })}>Sign out and go</button>
    </>
  );
}
