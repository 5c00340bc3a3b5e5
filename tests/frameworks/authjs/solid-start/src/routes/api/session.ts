import type { APIEvent } from "@solidjs/start/server";
import { getSession } from "@auth/solid-start";
import { authOptions } from "~/auth";

export async function GET({ request }: APIEvent) {
  return Response.json(await getSession(request, authOptions));
}
