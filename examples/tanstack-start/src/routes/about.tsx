import { createFileRoute } from "@tanstack/react-router";

export const Route = createFileRoute("/about")({
  headers: () => ({ "cache-control": "public, max-age=60" }),
  component: About,
});

function About() {
  return <p>The same for everybody</p>;
}
