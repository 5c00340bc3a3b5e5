/**
 * What a flow answers, before it becomes a response.
 *
 * @module
 */
import type { CredentialField, ProviderStyle } from "../contract/provider.ts";
import type { Field } from "../http/headers.ts";
import type { RedirectUrl } from "../http/redirect_url.ts";
import { type AuthError, BadRequest } from "../kernel/errors.ts";
import type { Texts } from "../texts/texts.ts";
import type { PageChallenge } from "../kernel/challenge_view.ts";
import type { AccountPage } from "./account_views.ts";
import type { ChallengePage, FactorsPage } from "./factor_views.ts";
import type { PasswordPage } from "./password_views.ts";

/** The answer of a flow. Only service/respond.ts turns it into a `Response`. */
export type Outcome =
  | { readonly kind: "redirect"; readonly to: RedirectUrl; readonly status: 302 | 303 }
  | { readonly kind: "json"; readonly body: unknown; readonly status: number; readonly headers?: readonly Field[] }
  | {
    readonly kind: "page";
    readonly page: Page;
    readonly status: number;
    readonly headers?: readonly Field[];
    /** What features add below it. */
    readonly sections?: readonly PageSection[];
  }
  // A file with the data of somebody, which a browser saves.
  | { readonly kind: "file"; readonly name: string; readonly body: string }
  // What the application answers.
  | { readonly kind: "response"; readonly response: Response }
  // An empty page that other sites may frame: its Content-Security-Policy says which.
  | { readonly kind: "frame"; readonly csp: string }
  | {
    readonly kind: "refused";
    readonly status: RefusedStatus;
    readonly message: string;
    readonly allow?: string;
  };

/** The statuses of a request that is refused. */
export type RefusedStatus = 400 | 401 | 404 | 405 | 408 | 413 | 415 | 429 | 503;

/** A way of signing in, as the sign-in page shows it. */
export type SignInMethod =
  & {
    readonly id: string;
    readonly name: string;
    /** Where the form is posted to. */
    readonly action: string;
    readonly style: ProviderStyle;
  }
  & (
    | { readonly type: "oauth" | "oidc" | "email" }
    | {
      readonly type: "credentials";
      readonly fields: Readonly<Record<string, CredentialField>>;
      /** Where people go who have no password, if passwords are checked here. */
      readonly passwords?: PasswordLinks;
    }
    | {
      readonly type: "webauthn";
      readonly fields: Readonly<Record<string, CredentialField>>;
      /** Where the script of the page gets the options of a WebAuthn ceremony. */
      readonly optionsUrl: string;
      /** Whether the browser may offer passkeys in the email field (conditional UI). */
      readonly autofill: boolean;
      /** Whether a visitor who is not signed in may create a passkey, and so an account. */
      readonly registers: boolean;
      /** Where a visitor asks for the email that has to come first; `null` if none is needed. */
      readonly confirmUrl: string | null;
      /** Whether the address is sent to sign in, too, so that the answer lists its credentials. */
      readonly listsByEmail: boolean;
    }
  );

/** The pages beside a form for a password that is checked here. */
export interface PasswordLinks {
  /** Where somebody asks for an email to choose a new one. */
  readonly resetUrl: string;
  /** Where everybody may register; `null` if only some may. */
  readonly signUpUrl: string | null;
}

/** The kinds of the error page. */
export type ErrorPageKind =
  | "Configuration"
  | "AccessDenied"
  | "Verification"
  | "WebAuthnVerificationError"
  | "NotFound"
  | "Default";

/** What did not work before the sign-in page was opened, as its sealed cookie remembers it. */
export interface Failure {
  /** Id of the provider. */
  readonly provider: string;
  /** The `error` that the page was opened with. */
  readonly error: string;
  /** Whether the visitor cancelled at the provider. */
  readonly cancelled: boolean;
  /** What was typed, by the names of the fields. Never a password. */
  readonly values: Readonly<Record<string, string>>;
}

/** An email that was sent, as the sealed cookie of the browser that asked for it remembers it. */
export interface SentEmail {
  /** The address. */
  readonly to: string;
  /** Seconds that its link still works. */
  readonly seconds: number;
  /** What its link does about a password: it confirms the address, or leads to the page to choose one. @default nothing */
  readonly purpose?: "confirm" | "reset";
}

/** A built-in page, and everything it shows. `csrfToken` is `null` where CSRF tokens are switched off. */
export type Page =
  | AccountPage
  | ChallengePage
  | FactorsPage
  | PasswordPage
  | {
    readonly name: "signin";
    readonly csrfToken: string | null;
    readonly callbackUrl: string;
    /** The `error` of the query: one of the vocabulary, or any text that a visitor wrote there. */
    readonly error: string | null;
    readonly email: string | null;
    readonly methods: readonly SignInMethod[];
    /** What the page is for: to confirm who is there, or to add a passkey. @default to sign in */
    readonly purpose?: "confirm" | "add-passkey";
    /** What did not work just now in this browser. */
    readonly failure?: Failure | null;
    /** Seconds until another attempt is judged, if there were too many. */
    readonly retryAfter?: number | undefined;
    /** What one of the forms has to prove. */
    readonly challenge?: PageChallenge | null;
    /** Id of the provider that this browser used last. */
    readonly lastUsed?: string | null;
    /** The front page. */
    readonly siteUrl?: string;
  }
  | {
    readonly name: "signout";
    readonly csrfToken: string | null;
    readonly action: string;
    readonly callbackUrl: string;
  }
  | { readonly name: "signed-out"; readonly signInUrl: string; readonly siteUrl: string }
  | { readonly name: "error"; readonly error: ErrorPageKind; readonly signInUrl: string; readonly siteUrl: string }
  | {
    readonly name: "verify-request";
    readonly signInUrl: string;
    readonly siteUrl: string;
    /** The email that this browser asked for. */
    readonly sent?: SentEmail | null;
    /** Where it asks for another one. @default the sign-in page */
    readonly againUrl?: string;
  }
  | {
    readonly name: "confirm-email";
    readonly csrfToken: string | null;
    readonly action: string;
    readonly callbackUrl: string;
    /** The address the link was sent to. */
    readonly email: string;
    readonly siteUrl: string;
  };

/** What a feature adds to a page: a link. Its text is one of those that each language has. */
export interface PageSection {
  readonly text: keyof Texts;
  readonly url: RedirectUrl;
}

/** Redirects the browser. With 303 it makes a GET after any method, so that it never sends a form again. */
export function redirectTo(to: RedirectUrl, status: 302 | 303 = 302): Outcome {
  return { kind: "redirect", to, status };
}

/** Answers with JSON. */
export function json(body: unknown, status = 200): Outcome {
  return { kind: "json", body, status };
}

/** Answers with a built-in page. */
export function page(view: Page, status = 200, sections: readonly PageSection[] = []): Outcome {
  return { kind: "page", page: view, status, ...(sections.length > 0 && { sections }) };
}

/** Refuses the request with a JSON `message`. */
export function refused(status: RefusedStatus, message: string, allow?: string): Outcome {
  return { kind: "refused", status, message, ...(allow && { allow }) };
}

/** Answers 404. */
export function notFound(): Outcome {
  return refused(404, "Not found");
}

/** Answers that something failed: the same for every fault, so that an attacker learns nothing. The log has the details. */
export function serverError(): Outcome {
  return json({ message: "There is a problem with the server configuration. The server's log tells more." }, 500);
}

/** Answers a request whose URL cannot be parsed, or whose configuration cannot be resolved. */
export function answerWithoutContext(error: AuthError): Outcome {
  return error instanceof BadRequest ? refused(400, "Bad request") : serverError();
}
