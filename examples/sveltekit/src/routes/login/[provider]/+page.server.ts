import { fail } from "@sveltejs/kit";
import { AuthError } from "@x/auth/errors";
import { signIn } from "#lib/server/auth.ts";
import type { Actions } from "./$types";

export const actions: Actions = {
  async default(event) {
    try {
      await signIn(event, event.params.provider);
    } catch (error) {
      // A redirect is thrown, too.
      if (!(error instanceof AuthError)) throw error;
      return fail(error.type === "CredentialsSignin" ? 401 : 403, { error: error.type });
    }
  },
};
