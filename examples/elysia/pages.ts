/** The pages. Their links are relative, so that they work below a prefix. */
import type { Session } from "@x/auth";

export function homePage(session: Session | null): string {
  if (!session) {
    return page(`<p>Hello stranger</p>
<form method="post" action="login/credentials">
<input name="username" placeholder="ada"> <input name="password" type="password" placeholder="lovelace">
<button>Sign in</button>
</form>
<form method="post" action="login/demo-id"><button>Sign in with Demo ID</button></form>
<p><a href="members">For members</a></p>`);
  }
  return page(`<p>Hello ${escape(session.user?.name ?? "")}</p>
<form method="post" action="name"><input name="name"> <button>Change name</button></form>
<form method="post" action="logout"><button>Sign out</button></form>
<p><a href="members">For members</a></p>`);
}

export function membersPage(session: Session | null): string {
  return page(`<p>For members only: ${escape(session?.user?.name ?? "")}</p>`);
}

export function aboutPage(): string {
  return page("<p>The same for everybody</p>");
}

function page(html: string): string {
  return `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Example</title>${html}</html>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
