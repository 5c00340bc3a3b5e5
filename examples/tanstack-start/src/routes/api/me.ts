import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/api/me")({
  server: {
    handlers: {
      GET: ({ context }) => Response.json(context.session?.user ?? null),
    },
  },
});
