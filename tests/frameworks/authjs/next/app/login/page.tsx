import { AuthError } from "next-auth";
import { redirect } from "next/navigation";
import { buttons, signIn } from "@/auth";
import { signInWith } from "./actions";
import { LoginForm } from "./form";

interface Props {
  searchParams: Promise<{ callbackUrl?: string; error?: string; code?: string }>;
}

export default async function Login({ searchParams }: Props) {
  const { callbackUrl, error, code } = await searchParams;
  return (
    <>
      {error && <p id="error">{`${error} ${code ?? ""}`}</p>}
      <LoginForm callbackUrl={callbackUrl ?? "/members"} />
      <form
        id="checked"
        action={async (formData: FormData) => {
          "use server";
          try {
            await signIn("credentials", {
              username: formData.get("username"),
              password: formData.get("password"),
              redirectTo: "/members",
            });
          } catch (error) {
            if (error instanceof AuthError) redirect(`/login?error=${error.type}`);
            throw error;
          }
        }}
      >
        <input name="username" />
        <input name="password" type="password" />
        <button>Sign in</button>
      </form>
      <form id="provider" action={signInWith}>
        {buttons.map(({ id, name }) => (
          <button key={id} name="provider" value={id}>{name}</button>
        ))}
      </form>
    </>
  );
}
