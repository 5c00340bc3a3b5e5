"use client";

import { type AuthResult, createAuthClient } from "@x/auth/client";
import { useSession } from "@x/auth/react";
import Link from "next/link";
import { useState } from "react";

const { signIn, signOut } = createAuthClient({ basePath: "/api/auth" });

export function Panel() {
  const { data, status, update } = useSession();
  const [error, setError] = useState("");

  async function show(result: Promise<Pick<AuthResult, "ok"> & { error?: string }>) {
    const { ok, error } = await result;
    setError(ok ? "" : `${error}`);
  }

  return (
    <>
      <p id="status">{status}</p>
      <p id="who">{data?.user?.name ?? "nobody"}</p>
      <p id="error" role="alert">{error}</p>
      <form
        id="sign-in"
        action={(fields) => show(signIn("credentials", { ...Object.fromEntries(fields), redirect: false }))}
      >
        <input name="username" placeholder="ada" /> <input name="password" type="password" placeholder="lovelace" />{" "}
        <button>Sign in</button>
      </form>
      <button type="button" id="provider" onClick={() => show(signIn("demo-id"))}>Sign in with Demo ID</button>
      <button type="button" id="update" onClick={() => show(update({ user: { name: "Countess" } }))}>
        Call me Countess
      </button>
      <button type="button" id="sign-out" onClick={() => show(signOut({ redirect: false }))}>Sign out</button>
      <p>
        <Link id="to-home" href="/">Home</Link>
      </p>
    </>
  );
}
