import { auth } from "../auth.server";
import type { Route } from "./+types/api.me";

export function loader({ context }: Route.LoaderArgs) {
  return Response.json(auth.session(context)?.user ?? null);
}
