import type { NextFunction, Request, Response } from "express";
import { getSession } from "@auth/express";
import { authConfig, type StaffSession } from "./auth.ts";

/** Reads the session for all routes. */
export async function currentSession(req: Request, res: Response, next: NextFunction): Promise<void> {
  const session: StaffSession | null = await getSession(req, authConfig);
  res.locals.session = session;
  next();
}

/** Lets nobody pass who is not signed in. */
export async function authenticatedUser(req: Request, res: Response, next: NextFunction): Promise<void> {
  const session = res.locals.session ?? (await getSession(req, authConfig)) ?? undefined;
  res.locals.session = session;
  if (session) return next();
  res.status(401).type("text").send("Sign in first");
}
