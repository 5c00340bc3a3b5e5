import { AuthError } from "@x/auth/errors";
import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { auth, signIn, signOut, unstable_update } from "../../auth";

async function enter(form: FormData) {
  "use server";
  try {
    await signIn("credentials", form);
  } catch (error) {
    // What `redirect()` throws is none of ours, and has to pass.
    if (!(error instanceof AuthError)) throw error;
    redirect(`/actions?error=${error.type}`);
  }
}

async function enterWithDemoId() {
  "use server";
  await signIn("demo-id");
}

async function rename(form: FormData) {
  "use server";
  await unstable_update({ user: { name: String(form.get("name")) } });
  // A session in the database changes no cookie, and Next would show the page as it was.
  revalidatePath("/actions");
}

async function leave() {
  "use server";
  await signOut();
}

/** The same as the first page, with server actions. They work without scripts, too. */
export default async function Actions({ searchParams }: { searchParams: Promise<{ error?: string }> }) {
  const [session, { error }] = await Promise.all([auth(), searchParams]);
  if (!session) {
    return (
      <>
        <p id="who">nobody</p>
        {error && <p id="error" role="alert">{`Cannot sign in: ${error}`}</p>}
        <form id="enter" action={enter}>
          <input name="username" placeholder="ada" />{" "}
          <input name="password" type="password" placeholder="lovelace" /> <button>Sign in</button>
          <input type="hidden" name="redirectTo" value="/actions" />
        </form>
        <form id="provider" action={enterWithDemoId}>
          <button>Sign in with Demo ID</button>
        </form>
      </>
    );
  }
  return (
    <>
      <p id="who">{session.user?.name}</p>
      <form id="rename" action={rename}>
        <input name="name" /> <button>Change name</button>
      </form>
      <form id="leave" action={leave}>
        <button>Sign out</button>
      </form>
    </>
  );
}
