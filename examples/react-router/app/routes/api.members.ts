import { auth } from "../auth.server";
import type { Route } from "./+types/api.members";

export function loader({ context }: Route.LoaderArgs) {
  return Response.json({ name: auth.session(context)?.user?.name });
}
