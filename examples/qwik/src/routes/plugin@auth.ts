import { serverAuth$ } from "@x/auth/qwik";
import { config } from "../auth.ts";

// The function and what it imports stay on the server.
export const auth = serverAuth$(() => config);

export const { onRequest, useSession, useSignIn, useSignOut, signIn, signOut, update } = auth;
