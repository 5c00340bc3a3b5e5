/** @jsxImportSource preact */
/**
 * The sections of the overview that say who it is: the picture, the name and the address.
 *
 * @module
 */
import type { VNode } from "preact";
import {
  type AccountParts,
  Badge,
  NotSet,
  Part,
  Row,
  RowForm,
  RowLink,
  stepUrl,
  Title,
  type ViewParts,
} from "./account_parts.tsx";
import { dayIn, filled, initialOf } from "./parts.tsx";
import { logoAt } from "./urls.ts";
import type { WaitingEmail } from "../request/account_views.ts";

/** The head of the page. */
export function Owner({ view: { user }, words: { texts } }: ViewParts): VNode {
  const { name, email } = user;
  const picture = logoAt(user.image ?? undefined);
  return (
    <header class="owner">
      {picture
        ? (
          <span class="portrait">
            <img src={picture.src} width="64" height="64" alt="" referrerpolicy="no-referrer" />
          </span>
        )
        : <span class="portrait" data-initial={initialOf(name ?? email ?? "")}></span>}
      <div>
        <h1>{texts.accountTitle}</h1>
        {name && (
          <p class="who">
            <bdi>{name}</bdi>
          </p>
        )}
        {email && (
          <p>
            <bdi>{email}</bdi>
          </p>
        )}
      </div>
    </header>
  );
}

/** The name. */
export function Profile({ page, words, view }: ViewParts): VNode {
  const { texts } = words;
  return (
    <Part id="profile" title={texts.accountProfile}>
      <Row
        what={
          <>
            <p class="hint" id="your-name">{texts.accountName}</p>
            {view.user.name ? <Title>{view.user.name}</Title> : <NotSet words={words} />}
          </>
        }
      >
        {view.mayRename && (
          <RowLink url={stepUrl(page, { act: "rename" })} text={texts.accountChange} about="your-name" />
        )}
      </Row>
    </Part>
  );
}

/** The address, and the one that waits to take its place. */
export function Email({ page, words, view: { user, mayChangeEmail, waitingEmail } }: ViewParts): VNode | null {
  const { texts } = words;
  if (user.email === null && !mayChangeEmail) return null;
  const badge = user.isEmailProven
    ? <Badge text={texts.accountProven} isGood />
    : <Badge text={texts.accountUnproven} />;
  return (
    <Part id="email" title={texts.email}>
      <Row what={user.email === null ? <NotSet words={words} /> : <Title badges={badge}>{user.email}</Title>}>
        {mayChangeEmail && (
          <RowLink url={stepUrl(page, { act: "changeEmail" })} text={texts.accountChange} about="email" />
        )}
      </Row>
      {waitingEmail && <Waiting page={page} words={words} waiting={waitingEmail} />}
    </Part>
  );
}

function Waiting({ page, words, waiting }: AccountParts & { readonly waiting: WaitingEmail }): VNode {
  const { texts } = words;
  return (
    <div class="waiting">
      <p id="waiting">
        {filled(texts.accountWaiting, { email: waiting.to }, "who")}
        {!waiting.isDue && [
          " ",
          filled(texts.accountWaitingUntil, { date: dayIn(words, waiting.at) }),
        ]}
      </p>
      <div class="does">
        {waiting.isDue && (
          <RowForm
            {...{ page, words }}
            values={{ act: "takeEmail" }}
            text={texts.accountTakeEmail}
            about="waiting"
          />
        )}
        <RowForm
          {...{ page, words }}
          values={{ act: "cancelEmail" }}
          text={texts.accountCancelEmail}
          about="waiting"
        />
      </div>
    </div>
  );
}
