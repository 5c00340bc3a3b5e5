import { Link } from "react-router";
import { auth } from "../auth.server";
import type { Route } from "./+types/home";

export function loader({ context }: Route.LoaderArgs) {
  return { user: auth.session(context)?.user ?? null };
}

// Plain forms: they lead to pages of the service and of providers, which the router does not have.
export default function Home({ loaderData: { user } }: Route.ComponentProps) {
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
          <Link to="members">For members</Link>
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
        <Link to="members">For members</Link>
      </p>
    </>
  );
}
