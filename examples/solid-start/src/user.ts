import { query } from "@solidjs/router";
import { getRequestEvent } from "solid-js/web";

/** Reads who is signed in. */
export const userQuery = query(async () => {
  "use server";
  return getRequestEvent()?.locals.session?.user ?? null;
}, "user");
