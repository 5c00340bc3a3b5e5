import type { Session } from "next-auth";
import { redirect } from "next/navigation";
import { auth, unstable_update } from "@/auth";

export default async function Members() {
  const session = await auth();
  if (!session) redirect("/login");
  return (
    <>
      <p>{describe(session)}</p>
      <form
        id="rename"
        action={async (formData: FormData) => {
          "use server";
          await unstable_update({ user: { name: String(formData.get("name")) } });
          redirect("/members");
        }}
      >
        <input name="name" />
        <button>Rename</button>
      </form>
    </>
  );
}

function describe({ user, provider, expires }: Session) {
  const days = Math.round((Date.parse(expires) - Date.now()) / 86_400_000);
  return `${user.id} ${user.name} ${user.email} ${user.role} by ${provider} for ${days} days`;
}
