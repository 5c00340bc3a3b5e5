import { component$ } from "@builder.io/qwik";
import { useSession } from "../plugin@auth.ts";

export default component$(() => {
  const session = useSession();
  return <p>{`For members only: ${session.value?.user?.name}`}</p>;
});
