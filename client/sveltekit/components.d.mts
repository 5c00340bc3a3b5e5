/**
 * Buttons of SvelteKit that sign in and out: forms, which need no script in the browser. They send to routes with form
 * actions: `export const actions = { default: signIn }` in `src/routes/signin/+page.server.ts`, and `signOut` in
 * `src/routes/signout/+page.server.ts`.
 *
 * @example Usage
 * ```svelte
 * <script>
 *   import { SignIn, SignOut } from "@x/auth/sveltekit/components";
 * </script>
 *
 * <SignIn provider="github" options={{ redirectTo: "/members" }}>
 *   <span slot="submitButton">Sign in with GitHub</span>
 * </SignIn>
 * <SignOut />
 * ```
 *
 * @module
 */
import type { SvelteComponent } from "svelte";

/** Where to go afterwards. */
export interface ButtonOptions {
  /** A path or a URL of this site. @default the page with the form */
  redirectTo?: string | undefined;
  /** Forms always redirect. */
  redirect?: boolean | undefined;
  [field: string]: unknown;
}

/** What both components take. Other properties become attributes of the form. */
export interface ButtonProps {
  /** Classes of the form. */
  className?: string | undefined;
  // deno-lint-ignore no-explicit-any
  [attribute: string]: any;
}

/** The properties of {@linkcode SignIn}. */
export interface SignInProps extends ButtonProps {
  /** The id of a provider. Without one the form leads to the sign-in page. */
  provider?: string | undefined;
  /** The path of the route with the form action. @default {"signin"} */
  signInPage?: string | undefined;
  /** Where to go afterwards. */
  options?: FormData | ButtonOptions | undefined;
  /** Parameters for the provider's authorization endpoint, such as `prompt`. */
  authorizationParams?: string | string[][] | Record<string, string> | URLSearchParams | undefined;
}

/** The properties of {@linkcode SignOut}. */
export interface SignOutProps extends ButtonProps {
  /** The path of the route with the form action. @default {"signout"} */
  signOutPage?: string | undefined;
  /** Where to go afterwards. */
  options?: ButtonOptions | undefined;
}

type Events = Record<string, CustomEvent<unknown>>;

/** The slots of {@linkcode SignIn}. */
export interface SignInSlots {
  /** The fields of a form for `credentials`. */
  credentials: Record<string, never>;
  /** The fields of a form for a provider that sends email, in place of one for the address. */
  email: Record<string, never>;
  /** What the button shows. */
  submitButton: Record<string, never>;
}

/** The slots of {@linkcode SignOut}. */
export interface SignOutSlots {
  /** What the button shows. */
  submitButton: Record<string, never>;
}

/** A form that starts a sign-in. */
export declare class SignIn extends SvelteComponent<SignInProps, Events, SignInSlots> {}

/** A form that ends the session. */
export declare class SignOut extends SvelteComponent<SignOutProps, Events, SignOutSlots> {}
