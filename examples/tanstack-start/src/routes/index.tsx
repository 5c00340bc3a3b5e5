import { createFileRoute } from "@tanstack/react-router";
import { getUser } from "../user";

export const Route = createFileRoute("/")({
  loader: () => getUser(),
  component: Home,
});

// Plain forms: they lead to pages of the service and of providers, which the router does not have.
function Home() {
  const user = Route.useLoaderData();
  if (!user) {
    return (
      <>
        <p>Hello stranger</p>
        <form method="post" action="login/credentials">
          <input name="username" placeholder="ada" /> <input name="password" type="password" placeholder="lovelace" />
          {" "}
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
      <p>{`Hello ${user.name}`}</p>
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
}
