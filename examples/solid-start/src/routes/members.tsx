import { createAsync, query } from "@solidjs/router";
import { getRequestEvent } from "solid-js/web";

// The request for a query of the router has a path of its own: check here, too.
const memberQuery = query(async () => {
  "use server";
  const session = getRequestEvent()?.locals.session;
  if (!session) throw new Error("For members only");
  return session.user?.name;
}, "member");

export default function Members() {
  const name = createAsync(() => memberQuery(), { deferStream: true });
  return <p>{`For members only: ${name()}`}</p>;
}
