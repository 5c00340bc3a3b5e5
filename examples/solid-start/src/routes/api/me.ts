import type { APIEvent } from "@solidjs/start/server";

export function GET({ locals }: APIEvent) {
  return Response.json(locals.session?.user ?? null);
}
