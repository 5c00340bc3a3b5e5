import type { RequestEventCommon } from "@builder.io/qwik-city";
import { AuthError } from "@x/auth/errors";

/** Does what a form is for, or says what is wrong. */
export async function orSay({ text }: RequestEventCommon, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    throw text(error.type === "CredentialsSignin" ? 401 : 403, `Cannot do it: ${error.type}`);
  }
}
