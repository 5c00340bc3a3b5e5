import { auth } from "#lib/server/auth.ts";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async (event) => {
  const session = await auth.require(event, { level: 2 });
  return { name: session.user?.name };
};
