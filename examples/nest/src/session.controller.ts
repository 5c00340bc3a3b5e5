import { Body, Controller, Param, Post, Redirect, Req, Res } from "@nestjs/common";
import type { NestRequest, NestResponse } from "@x/auth/nest";
import { auth } from "./auth.js";

type Fields = Record<string, string>;

@Controller()
export class SessionController {
  @Post("login/:provider")
  async login(
    @Req() request: NestRequest,
    @Res() response: NestResponse,
    @Param("provider") provider: string,
    @Body() fields: Fields,
  ): Promise<void> {
    await auth.signIn(request, response, provider, fields);
  }

  @Post("logout")
  async logout(@Req() request: NestRequest, @Res() response: NestResponse): Promise<void> {
    await auth.signOut(request, response);
  }

  @Post("name")
  @Redirect("./", 303)
  async rename(
    @Req() request: NestRequest,
    @Res({ passthrough: true }) response: NestResponse,
    @Body() { name }: Fields,
  ): Promise<void> {
    await auth.update(request, response, { user: { name } });
  }
}
