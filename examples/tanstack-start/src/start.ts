import { createCsrfMiddleware, createMiddleware, createStart } from "@tanstack/react-start";
import { auth } from "./auth";

// The service; guards pages, reads and renews sessions. Written like this, `context.session` has its type.
export const sessions = createMiddleware().server(({ request, next }) => auth.middleware({ request, next }));

// What TanStack Start does without a `startInstance`: server functions are for pages of this site.
const csrf = createCsrfMiddleware({ filter: ({ handlerType }) => handlerType === "serverFn" });

export const startInstance = createStart(() => ({ requestMiddleware: [csrf, sessions] }));
