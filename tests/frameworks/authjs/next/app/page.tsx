import { auth } from "@/auth";

export default async function Home() {
  const session = await auth();
  return <p>{session ? `Hello ${session.user.name}` : "Hello stranger"}</p>;
}
