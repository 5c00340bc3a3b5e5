import type { APIEvent } from "@solidjs/start/server";
import { auth } from "~/auth";
import { answerForm } from "~/forms";

export async function POST(event: APIEvent) {
  const form = await event.request.formData();
  return await answerForm(() => auth.signIn(event, event.params.provider, form));
}
