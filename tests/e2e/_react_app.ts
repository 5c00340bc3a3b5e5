/** An application of React, for a server and for a browser. */
import { createElement, type ReactNode, StrictMode } from "react";
import { type Session, SessionProvider, useSession } from "@x/auth/react";

export function App({ session }: { readonly session?: Session | null }): ReactNode {
  const provider = createElement(SessionProvider, { session }, createElement(Greeting));
  return createElement(StrictMode, null, provider);
}

function Greeting(): ReactNode {
  const { data, status, update } = useSession<Session & { readonly theme?: string }>();
  const onClick = (): void => void update({ theme: "dark" });
  return createElement(
    "div",
    null,
    createElement("p", { id: "who" }, `${data?.user?.email ?? status} ${data?.theme ?? "light"}`),
    createElement("button", { id: "dark", onClick }, "Dark"),
  );
}
