import { component$ } from "@builder.io/qwik";
import { useSession } from "./plugin@auth.ts";

export default component$(() => {
  const session = useSession();
  if (!session.value) {
    return (
      <>
        <p>{"Hello stranger"}</p>
        <form method="post" action="login/credentials">
          <input name="username" placeholder="ada" /> <input name="password" type="password" placeholder="lovelace" />{" "}
          <button>Sign in</button>
        </form>
        <form method="post" action="login/demo-id">
          <button>Sign in with Demo ID</button>
        </form>
        <p>
          <a href="members">For members</a>
        </p>
      </>
    );
  }
  return (
    <>
      <p>{`Hello ${session.value.user?.name}`}</p>
      <form method="post" action="name">
        <input name="name" /> <button>Change name</button>
      </form>
      <form method="post" action="logout">
        <button>Sign out</button>
      </form>
      <p>
        <a href="members">For members</a>
      </p>
    </>
  );
});
