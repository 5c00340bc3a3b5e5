import { createFileRoute } from "@tanstack/react-router";
import { getUser } from "../user";

export const Route = createFileRoute("/members")({
  loader: () => getUser(),
  component: Members,
});

function Members() {
  const user = Route.useLoaderData();
  return <p>{`For members only: ${user?.name}`}</p>;
}
