import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/api/members")({
  server: {
    handlers: {
      GET: ({ context }) => Response.json({ name: context.session?.user?.name }),
    },
  },
});
