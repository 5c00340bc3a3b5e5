import { createFileRoute } from "@tanstack/react-router";
import { auth } from "../auth";
import { goOn } from "../forms";

export const Route = createFileRoute("/name")({
  server: {
    handlers: {
      POST: ({ request }) =>
        goOn(async () => {
          const form = await request.formData();
          await auth.update(request, { user: { name: String(form.get("name")) } });
          return new Response(null, { status: 303, headers: { location: "./" } });
        }),
    },
  },
});
