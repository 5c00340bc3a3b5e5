/**
 * A section of this site on the account page: what others call somebody.
 *
 * @module
 */
import { type AccountSection, accountSection, html } from "@x/auth/account";

const LONGEST_NICKNAME = 30;

/** Makes the section. Nicknames are kept until the demo stops; your site keeps them in a table of its own. */
export function nicknameSection(): AccountSection {
  const nicknames = new Map<string, string>();
  return accountSection({
    id: "nickname",
    title: "Nickname",
    render: ({ id }) =>
      html`
        <div class="field">
          <label for="nickname">What others call you</label>
          <input id="nickname" name="nickname" value="${nicknames.get(String(id)) ?? ""}">
          <p class="hint">This section is the demo’s own.</p>
        </div>
        <button type="submit" class="button"><span class="name">Save the nickname</span></button>
      `,
    submit({ id }, { nickname = "" }) {
      if (nickname.length > LONGEST_NICKNAME) return `A nickname has at most ${LONGEST_NICKNAME} characters.`;
      nicknames.set(String(id), nickname);
    },
  });
}
