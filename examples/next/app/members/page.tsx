import { auth } from "../../auth";

export default async function Members() {
  const session = await auth();
  return <p>{`For members only: ${session?.user?.name}`}</p>;
}
