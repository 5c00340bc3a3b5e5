"use client";

import { useActionState } from "react";
import { authenticate } from "./actions";

export function LoginForm({ callbackUrl }: { callbackUrl: string }) {
  const [errorMessage, formAction, isPending] = useActionState(authenticate, undefined);
  return (
    <form id="credentials" action={formAction}>
      <input name="username" />
      <input name="password" type="password" />
      <input type="hidden" name="redirectTo" value={callbackUrl} />
      <button disabled={isPending}>Sign in</button>
      {errorMessage && <p>{errorMessage}</p>}
    </form>
  );
}
