import type { APIEvent } from "@solidjs/start/server";
import { auth } from "~/auth";
import { answerForm } from "~/forms";

export async function POST(event: APIEvent) {
  const form = await event.request.formData();
  return await answerForm(async () => {
    await auth.update(event, { user: { name: String(form.get("name")) } });
    return new Response(null, { status: 303, headers: { location: "./" } });
  });
}
