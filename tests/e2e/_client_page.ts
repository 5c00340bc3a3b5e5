/** The script of the page that tests of the client open: all of it within reach of a test, and the session on show. */
import { createAuthClient } from "@x/auth/client";

const client = createAuthClient();
let renderings = 0;

client.watchSession(({ status, session, failed }) => {
  const text = `${status} ${session?.user?.email ?? ""}${failed ? " failed" : ""}`.trim();
  renderings++;
  show("state", text);
});

function show(id: string, text: string): void {
  const place = document.getElementById(id);
  if (place) place.textContent = text;
}

Object.assign(globalThis, { client, renderings: () => renderings });

// A browser opens a window only for somebody who has just clicked.
document.getElementById("popup")?.addEventListener("click", async () => {
  show("result", "");
  show("result", JSON.stringify(await client.signIn("mock", { mode: "popup" })));
});
