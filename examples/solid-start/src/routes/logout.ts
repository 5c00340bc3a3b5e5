import type { APIEvent } from "@solidjs/start/server";
import { auth } from "~/auth";
import { answerForm } from "~/forms";

export async function POST(event: APIEvent) {
  return await answerForm(() => auth.signOut(event));
}
