import { defineMiddleware, sequence } from "astro:middleware";
import { auth } from "./auth";

const moved = defineMiddleware((context, next) => {
  return context.url.pathname === "/moved" ? next("/members/8") : next();
});

const last = defineMiddleware((_, next) => next());

export const onRequest = sequence(auth.onRequest, moved, last);
