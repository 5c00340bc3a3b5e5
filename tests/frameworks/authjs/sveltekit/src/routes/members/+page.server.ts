import { error } from "@sveltejs/kit";
import type { Session } from "@auth/sveltekit";
import type { PageServerLoad } from "./$types";

export const load: PageServerLoad = async ({ locals }) => {
  const session: Session | null = await locals.auth();
  if (!session) error(401, "Sign in first");
  return { email: session.user.email, role: session.user.role, staff: locals.staff };
};
