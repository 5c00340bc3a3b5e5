import { NextResponse } from "next/server";
import { auth } from "@/auth";

export default auth((req) => {
  const { nextUrl } = req;
  if (nextUrl.pathname.startsWith("/staff") && req.auth?.user.role !== "admin") {
    return NextResponse.redirect(new URL(req.auth ? "/" : `/login?from=${nextUrl.pathname}`, nextUrl));
  }
});

export const config = { matcher: ["/((?!api|_next/static|_next/image|.*\\.png$).*)"] };
