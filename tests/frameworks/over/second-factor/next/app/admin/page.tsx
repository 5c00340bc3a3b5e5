import { auth } from "../../auth";

export default async function Admin() {
  const session = await auth.require({ level: 2, redirectTo: "/admin" });
  return <p>{`Administration: ${session.user?.name}`}</p>;
}
