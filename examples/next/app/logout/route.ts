import { signOut } from "../../auth";
import { goOn } from "../forms";

export function POST() {
  return goOn(() => signOut({ redirect: false }));
}
