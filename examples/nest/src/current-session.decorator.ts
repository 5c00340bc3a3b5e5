import { createParamDecorator, type ExecutionContext } from "@nestjs/common";
import { auth } from "./auth.js";

/** The session of whoever sent the request, or `null`. */
export const CurrentSession = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  return auth.sessionOf(context.switchToHttp().getRequest());
});
