import type { NextAuthConfig } from "next-auth";

/** What needs no database. */
export const authConfig = {
  trustHost: true,
  session: { strategy: "jwt", maxAge: 7 * 24 * 60 * 60 },
  pages: { signIn: "/login" },
  callbacks: {
    authorized({ auth, request: { nextUrl } }) {
      const isLoggedIn = !!auth?.user;
      if (nextUrl.pathname.startsWith("/members") && !isLoggedIn) {
        const loginUrl = new URL("/login", nextUrl.origin);
        loginUrl.searchParams.append("callbackUrl", nextUrl.href);
        return Response.redirect(loginUrl);
      }
      if (isLoggedIn && nextUrl.pathname === "/login") return Response.redirect(new URL("/members", nextUrl));
      return true;
    },
  },
  providers: [],
} satisfies NextAuthConfig;
