import { auth } from "../auth.server";
import { goOn } from "../forms.server";
import type { Route } from "./+types/login";

export function action(args: Route.ActionArgs) {
  return goOn(async () => auth.signIn(args, args.params.provider, await args.request.formData()));
}
