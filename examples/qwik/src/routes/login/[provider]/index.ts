import type { RequestHandler } from "@builder.io/qwik-city";
import { orSay } from "../../../forms.ts";
import { signIn } from "../../plugin@auth.ts";

export const onPost: RequestHandler = async (event) => {
  const form = await event.request.formData();
  await orSay(event, () => signIn(event, event.params.provider, form));
};
