import { component$ } from "@builder.io/qwik";
import { Form, routeAction$ } from "@builder.io/qwik-city";
import { update, useSession, useSignIn, useSignOut } from "../plugin@auth.ts";

export const useRename = routeAction$(async (form, event) => {
  await update(event, { user: { name: String(form.name) } });
});

export default component$(() => {
  const session = useSession();
  const [signIn, signOut, rename] = [useSignIn(), useSignOut(), useRename()];
  if (!session.value) {
    return (
      <Form action={signIn}>
        <input type="hidden" name="providerId" value="credentials" />
        <input name="options.username" placeholder="ada" />{" "}
        <input name="options.password" type="password" placeholder="lovelace" /> <button>Sign in</button>
        {signIn.value?.failed && <p>{`Cannot sign in: ${signIn.value.error}`}</p>}
      </Form>
    );
  }
  return (
    <>
      <p>{`The account of ${session.value.user?.name}`}</p>
      <Form action={rename}>
        <input name="name" /> <button>Change name</button>
      </Form>
      <Form action={signOut}>
        <button>Sign out</button>
      </Form>
    </>
  );
});
