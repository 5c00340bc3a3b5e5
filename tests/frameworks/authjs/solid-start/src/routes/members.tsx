import { createAsync, query } from "@solidjs/router";
import { memberSession } from "~/session";

const memberQuery = query(memberSession, "member");

export default function Members() {
  const session = createAsync(() => memberQuery(), { deferStream: true });
  return <main>{`For ${session()?.user?.email}, ${session()?.user?.role}`}</main>;
}
