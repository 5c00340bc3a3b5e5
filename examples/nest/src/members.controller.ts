import { Controller, Get, Header, UseGuards } from "@nestjs/common";
import type { Session } from "@x/auth/nest";
import { auth } from "./auth.js";
import { CurrentSession } from "./current-session.decorator.js";

@Controller("api")
export class MembersController {
  // Nest sends nothing for `null`.
  @Get("me")
  @Header("content-type", "application/json")
  me(@CurrentSession() session: Session | null): string {
    return JSON.stringify(session?.user ?? null);
  }

  // The path is protected in `auth.ts` already. The guard stays with the handler, wherever its route goes.
  @Get("members")
  @UseGuards(auth.guard)
  members(@CurrentSession() session: Session): { name: string | null | undefined } {
    return { name: session.user?.name };
  }
}
