import { createFileRoute } from "@tanstack/react-router";
import { auth } from "../auth";
import { goOn } from "../forms";

export const Route = createFileRoute("/logout")({
  server: {
    handlers: {
      POST: ({ request }) => goOn(() => auth.signOut(request)),
    },
  },
});
