import { AuthError } from "@x/auth/errors";

/** Answers a form that was posted, or says what is wrong. */
export async function answerForm(act: () => Promise<Response>): Promise<Response> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return new Response(`Cannot do it: ${error.type}`, { status: error.type === "CredentialsSignin" ? 401 : 403 });
  }
}
