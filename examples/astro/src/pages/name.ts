import type { APIRoute } from "astro";
import { auth } from "../auth";
import { goOn } from "../forms";

export const POST: APIRoute = (context) =>
  goOn(async () => {
    const form = await context.request.formData();
    await auth.update(context, { user: { name: String(form.get("name")) } });
    return context.redirect("./", 303);
  });
