import { createMiddleware, createStart } from "@tanstack/react-start";
import { auth } from "./auth";

// The service; guards pages, reads and renews sessions. Written like this, `context.session` has its type.
export const sessions = createMiddleware().server(({ request, next }) => auth.middleware({ request, next }));

export const startInstance = createStart(() => ({ requestMiddleware: [sessions] }));
