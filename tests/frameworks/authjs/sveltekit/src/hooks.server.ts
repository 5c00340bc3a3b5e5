import { type Handle, redirect } from "@sveltejs/kit";
import { sequence } from "@sveltejs/kit/hooks";
import { handle as authenticationHandle } from "./auth";

const authorizationHandle: Handle = async ({ event, resolve }) => {
  const session = await event.locals.auth();
  event.locals.staff = session?.user.role === "admin";
  if (event.url.pathname.startsWith("/members") && !session) redirect(303, "/auth/signin");
  return resolve(event);
};

export const handle: Handle = sequence(authenticationHandle, authorizationHandle);
