import type { RequestHandler } from "@builder.io/qwik-city";
import { orSay } from "../../forms.ts";
import { signOut } from "../plugin@auth.ts";

export const onPost: RequestHandler = (event) => orSay(event, () => signOut(event));
