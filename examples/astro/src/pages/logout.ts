import type { APIRoute } from "astro";
import { auth } from "../auth";
import { goOn } from "../forms";

export const POST: APIRoute = (context) => goOn(() => auth.signOut(context));
