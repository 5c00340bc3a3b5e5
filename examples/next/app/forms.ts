import { AuthError } from "@x/auth/errors";

/** Leads on after a form was posted, or says what is wrong. */
export async function goOn(act: () => Promise<string>): Promise<Response> {
  try {
    const location = await act();
    // The answer sets cookies, and belongs to one visitor.
    return new Response(null, { status: 303, headers: { location, "cache-control": "no-store" } });
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return new Response(`Cannot do it: ${error.type}`, { status: error.type === "CredentialsSignin" ? 401 : 403 });
  }
}
