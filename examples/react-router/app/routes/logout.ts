import { auth } from "../auth.server";
import { goOn } from "../forms.server";
import type { Route } from "./+types/logout";

export function action(args: Route.ActionArgs) {
  return goOn(() => auth.signOut(args));
}
