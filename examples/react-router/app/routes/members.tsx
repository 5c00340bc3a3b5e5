import { auth } from "../auth.server";
import type { Route } from "./+types/members";

// With a loader the router asks the server, which guards the page.
export function loader({ context }: Route.LoaderArgs) {
  return { name: auth.session(context)?.user?.name };
}

export default function Members({ loaderData: { name } }: Route.ComponentProps) {
  return <p>{`For members only: ${name}`}</p>;
}
