import type { APIRoute } from "astro";
import { auth } from "../../auth";
import { goOn } from "../../forms";

export const POST: APIRoute = (context) =>
  goOn(async () => auth.signIn(context, context.params.provider, await context.request.formData()));
