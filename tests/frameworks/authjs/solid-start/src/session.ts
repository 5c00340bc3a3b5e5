"use server";

import { redirect } from "@solidjs/router";
import type { Session } from "@auth/solid-start";
import { getSession } from "@auth/solid-start";
import { getRequestEvent } from "solid-js/web";
import { authOptions } from "./auth";

export async function currentSession(): Promise<Session | null> {
  const event = getRequestEvent();
  return event ? await getSession(event.request, authOptions) : null;
}

export async function memberSession(): Promise<Session> {
  const session = await currentSession();
  if (!session?.user) throw redirect("/");
  return session;
}
