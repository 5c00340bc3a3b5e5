import { createAsync } from "@solidjs/router";
import { memberQuery } from "~/queries";

export default function Members() {
  const member = createAsync(() => memberQuery(), { deferStream: true });
  return <p>{`For members only: ${member()?.name}`}</p>;
}
