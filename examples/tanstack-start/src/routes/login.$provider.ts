import { createFileRoute } from "@tanstack/react-router";
import { auth } from "../auth";
import { goOn } from "../forms";

export const Route = createFileRoute("/login/$provider")({
  server: {
    handlers: {
      POST: ({ request, params }) => goOn(async () => auth.signIn(request, params.provider, await request.formData())),
    },
  },
});
