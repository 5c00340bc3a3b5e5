"use server";

import type { User } from "@x/auth";
import { getRequestEvent } from "solid-js/web";
import { auth } from "~/auth";

/** Reads who is signed in. */
export async function readUser(): Promise<User | null> {
  return getRequestEvent()?.locals.session?.user ?? null;
}

/** Reads who is signed in, or leads to the sign-in page: guards do not know for which page the router asks. */
export async function readMember(): Promise<User> {
  const event = getRequestEvent();
  const user = event?.locals.session?.user;
  if (event && !user) throw await auth.signIn(event, undefined, { redirectTo: "/members" });
  return user ?? {};
}
