import { SessionProvider } from "next-auth/react";
import { auth } from "@/auth";
import { Account } from "./account";

export default async function Client() {
  const session = await auth();
  return (
    <SessionProvider session={session}>
      <Account />
    </SessionProvider>
  );
}
