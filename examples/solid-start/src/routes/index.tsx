import { A, createAsync } from "@solidjs/router";
import { Show } from "solid-js";
import { userQuery } from "~/queries";

export default function Home() {
  const user = createAsync(() => userQuery(), { deferStream: true });
  return (
    <>
      <Show when={user()} fallback={<Stranger />}>
        {(user) => (
          <>
            <p>{`Hello ${user().name}`}</p>
            <form method="post" action="name">
              <input name="name" /> <button>Change name</button>
            </form>
            <form method="post" action="logout">
              <button>Sign out</button>
            </form>
          </>
        )}
      </Show>
      <p>
        <A href="/members">For members</A>
      </p>
      <p>
        <A id="to-client" href="/client">In the browser</A>
      </p>
    </>
  );
}

function Stranger() {
  return (
    <>
      <p>{"Hello stranger"}</p>
      <form method="post" action="login/credentials">
        <input name="username" placeholder="ada" />
        <input name="password" type="password" placeholder="lovelace" />
        <button>Sign in</button>
      </form>
      <form method="post" action="login/demo-id">
        <button>Sign in with Demo ID</button>
      </form>
    </>
  );
}
