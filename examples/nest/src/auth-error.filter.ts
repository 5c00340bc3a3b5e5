import { type ArgumentsHost, Catch, HttpException } from "@nestjs/common";
import { BaseExceptionFilter } from "@nestjs/core";
import { AuthError } from "@x/auth/errors";

/** Answers a sign-in that fails, such as one with a wrong password. */
@Catch(AuthError)
export class AuthErrorFilter extends BaseExceptionFilter {
  override catch({ type }: AuthError, host: ArgumentsHost): void {
    super.catch(new HttpException(`Cannot do it: ${type}`, type === "CredentialsSignin" ? 401 : 403), host);
  }
}
