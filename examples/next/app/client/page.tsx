import { SessionProvider } from "@x/auth/react";
import { auth } from "../../auth";
import { Panel } from "./panel";

/** A page whose scripts sign in and out. It knows the session from the beginning, and asks nothing for it. */
export default async function Client() {
  return (
    <SessionProvider basePath="/api/auth" session={await auth()}>
      <Panel />
    </SessionProvider>
  );
}
