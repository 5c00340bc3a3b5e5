import { defineMiddleware, sequence } from "astro:middleware";
import { auth } from "./auth";

const before = defineMiddleware((context, next) => {
  return context.url.pathname === "/before" ? next("/members/8") : next();
});

const behind = defineMiddleware((context, next) => {
  return context.url.pathname === "/behind" ? next("/members/9") : next();
});

const last = defineMiddleware((_, next) => next());

export const onRequest = sequence(before, auth.onRequest, behind, last);
