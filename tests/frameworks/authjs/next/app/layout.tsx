import type { ReactNode } from "react";
import { auth } from "@/auth";
import { SignOut } from "./sign_out";

export const metadata = { title: "Staff" };

export default async function RootLayout({ children }: { children: ReactNode }) {
  const session = await auth();
  return (
    <html lang="en">
      <body>
        <header>{session?.user ? <SignOut name={session.user.name} /> : <a href="/login">Sign in</a>}</header>
        <main>{children}</main>
      </body>
    </html>
  );
}
