import { redirect } from "@sveltejs/kit";
import { update } from "#lib/server/auth.ts";
import type { Actions } from "./$types";

export const actions: Actions = {
  async default(event) {
    const form = await event.request.formData();
    await update(event, { user: { name: String(form.get("name")) } });
    redirect(303, "./");
  },
};
