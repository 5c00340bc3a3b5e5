import { AuthError } from "@x/auth/errors";

/** Acts for a form that was posted, or says what is wrong. */
export async function goOn(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const statusCode = error.type === "CredentialsSignin" ? 401 : 403;
    throw createError({ statusCode, message: `Cannot do it: ${error.type}` });
  }
}
