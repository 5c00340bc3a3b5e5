import { redirect } from "react-router";
import { auth } from "../auth.server";
import { goOn } from "../forms.server";
import type { Route } from "./+types/name";

export function action(args: Route.ActionArgs) {
  return goOn(async () => {
    const form = await args.request.formData();
    await auth.update(args, { user: { name: String(form.get("name")) } });
    return redirect("/");
  });
}
