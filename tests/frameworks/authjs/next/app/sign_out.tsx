import { signOut } from "@/auth";

export function SignOut({ name }: { name?: string | null }) {
  return (
    <form
      action={async () => {
        "use server";
        await signOut({ redirectTo: "/" });
      }}
    >
      {name} <button>Sign out</button>
    </form>
  );
}
