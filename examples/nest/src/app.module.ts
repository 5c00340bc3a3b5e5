import { Module } from "@nestjs/common";
import { APP_FILTER } from "@nestjs/core";
import { AuthErrorFilter } from "./auth-error.filter.js";
import { MembersController } from "./members.controller.js";
import { PagesController } from "./pages.controller.js";
import { SessionController } from "./session.controller.js";

@Module({
  controllers: [PagesController, MembersController, SessionController],
  providers: [{ provide: APP_FILTER, useClass: AuthErrorFilter }],
})
export class AppModule {}
