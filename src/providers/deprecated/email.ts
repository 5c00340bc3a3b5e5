/**
 * Sign in with a link in an email, under the id that older versions of Auth.js have.
 *
 * @module
 */
import type { EmailProvider } from "../../contract/provider.ts";
import { nodemailer, type NodemailerOptions } from "../nodemailer.ts";

export type { EmailProvider } from "../../contract/provider.ts";

/**
 * Signs people in with a link in an email, under the id `email`. Links and accounts stay as they are.
 *
 * @deprecated It is the former name of `nodemailer` of `@x/auth/providers/nodemailer`. There, `id: "email"` keeps the id.
 *
 * @param options The mail server, the sender, and what differs from the defaults.
 * @returns The provider.
 */
export function email<const Id extends string = "email">(options: NodemailerOptions<Id>): EmailProvider<Id> {
  return {
    ...nodemailer({ ...options, id: options?.id ?? "email" as Id }),
    deprecated: 'it is now `nodemailer({ id: "email", … })` of @x/auth/providers/nodemailer',
  };
}

export default email;
