import Link from "next/link";
import { auth } from "../auth";

export default async function Home() {
  const session = await auth();
  if (!session) {
    return (
      <>
        <p>{"Hello stranger"}</p>
        <form method="post" action="login/credentials">
          <input name="username" placeholder="ada" />{" "}
          <input name="password" type="password" placeholder="lovelace" /> <button>Sign in</button>
        </form>
        <form method="post" action="login/demo-id">
          <button>Sign in with Demo ID</button>
        </form>
        <p>
          <Link href="members" prefetch={false}>For members</Link> <Link id="to-client" href="client">With scripts</Link>
        </p>
      </>
    );
  }
  return (
    <>
      <p>{`Hello ${session.user?.name}`}</p>
      <form method="post" action="name">
        <input name="name" /> <button>Change name</button>
      </form>
      <form method="post" action="logout">
        <button>Sign out</button>
      </form>
      <p>
        <Link href="members">For members</Link> <Link id="to-client" href="client">With scripts</Link>
      </p>
    </>
  );
}
