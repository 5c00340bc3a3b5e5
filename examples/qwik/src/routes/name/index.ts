import type { RequestHandler } from "@builder.io/qwik-city";
import { orSay } from "../../forms.ts";
import { update } from "../plugin@auth.ts";

export const onPost: RequestHandler = async (event) => {
  const form = await event.request.formData();
  await orSay(event, () => update(event, { user: { name: String(form.get("name")) } }));
  throw event.redirect(303, "./");
};
