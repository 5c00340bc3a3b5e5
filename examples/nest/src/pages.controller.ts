import { Controller, Get, Header } from "@nestjs/common";
import type { Session } from "@x/auth/nest";
import { CurrentSession } from "./current-session.decorator.js";
import { aboutPage, homePage, membersPage } from "./pages.js";

const HTML = "text/html; charset=utf-8";

@Controller()
export class PagesController {
  @Get()
  @Header("content-type", HTML)
  home(@CurrentSession() session: Session | null): string {
    return homePage(session);
  }

  @Get("members")
  @Header("content-type", HTML)
  members(@CurrentSession() session: Session | null): string {
    return membersPage(session);
  }

  @Get("about")
  @Header("content-type", HTML)
  @Header("cache-control", "public, max-age=60")
  about(): string {
    return aboutPage();
  }
}
