/** @jsxImportSource preact */
/**
 * The sections of the overview with what somebody signs in with: accounts at providers, and passkeys.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import { lookOf } from "./account_brand.ts";
import {
  Badge,
  Facts,
  Part,
  passkeyName,
  Row,
  RowForm,
  RowLink,
  stepUrl,
  Tile,
  Title,
  type ViewParts,
} from "./account_parts.tsx";
import { dayIn, filled, Icon } from "./parts.tsx";
import type { AccountPasskey, AccountWay, Removal } from "../request/account_views.ts";
import type { Texts } from "../texts/texts.ts";

/** Accounts at providers, and those that can be added. */
export function Ways({ page, words, view, badges }: ViewParts): VNode | null {
  const { ways, addable } = view;
  if (ways === null && addable.length === 0) return null;
  const { texts } = words;
  const parts = { page, words, view, badges };
  return (
    <Part id="ways" title={texts.accountWays}>
      {ways && (ways.length === 0
        ? <Row what={<p class="hint">{texts.accountNoWays}</p>} />
        : <ul class="rows">{ways.map((way) => <Way {...parts} way={way} />)}</ul>)}
      {addable.length > 0 && (
        <div class="does">
          {addable.map(({ provider, name, url }) => (
            <RowForm
              {...{ page, words }}
              values={{}}
              action={url}
              text={filled(texts.accountAdd, { provider: name })}
              about="ways"
              provider={{ name, look: lookOf(page, badges, provider) }}
            />
          ))}
        </div>
      )}
    </Part>
  );
}

function Way({ page, words: { texts }, badges, way }: ViewParts & { readonly way: AccountWay }): VNode {
  const { id, provider, name, works, removal } = way;
  const nameId = `way-${id}`;
  const marks = [...works ? [] : [<Badge text={texts.accountOff} />], ...lastBadge(removal, texts)];
  return (
    <li>
      <Row
        tile={<Tile name={name} look={lookOf(page, badges, provider)} />}
        what={
          <>
            <Title id={nameId} badges={marks}>{name}</Title>
            <WhyKept removal={removal} texts={texts} />
          </>
        }
      >
        {removal === "allowed" && (
          <RowLink url={stepUrl(page, { act: "unlink", id })} text={texts.remove} about={nameId} />
        )}
      </Row>
    </li>
  );
}

/** Passkeys, and where one is made. */
export function Passkeys({ page, words, view, badges }: ViewParts): VNode | null {
  const { passkeys, passkeyUrl } = view;
  if (passkeys === null && passkeyUrl === null) return null;
  const { texts } = words;
  const parts = { page, words, view, badges };
  return (
    <Part id="passkeys" title={texts.accountPasskeys}>
      {passkeys && (passkeys.length === 0
        ? (
          <div class="what">
            <p class="title">{texts.accountNoPasskeys}</p>
            <p class="hint">{texts.addPasskeyLead}</p>
          </div>
        )
        : <ul class="rows">{passkeys.map((passkey) => <Passkey {...parts} passkey={passkey} />)}</ul>)}
      {passkeyUrl !== null && (
        <div class="does">
          <RowLink url={passkeyUrl} text={texts.addPasskeyTitle} />
        </div>
      )}
    </Part>
  );
}

function Passkey({ page, words, passkey }: ViewParts & { readonly passkey: AccountPasskey }): VNode {
  const { texts } = words;
  const { id, createdAt, usedAt, isSynced, removal } = passkey;
  const nameId = `passkey-${id}`;
  const badges = [...isSynced ? [<Badge text={texts.accountSynced} />] : [], ...lastBadge(removal, texts)];
  return (
    <li>
      <Row
        tile={
          <span class="tile">
            <Icon name="key" />
          </span>
        }
        what={
          <>
            <Title id={nameId} badges={badges}>{passkeyName(passkey, texts)}</Title>
            <Facts
              facts={[
                createdAt && filled(texts.addedOn, { date: dayIn(words, createdAt) }),
                usedAt && filled(texts.usedOn, { date: dayIn(words, usedAt) }),
              ]}
            />
            <WhyKept removal={removal} texts={texts} />
          </>
        }
      >
        <RowLink url={stepUrl(page, { act: "renamePasskey", id })} text={texts.rename} about={nameId} />
        {removal === "allowed" && (
          <RowLink url={stepUrl(page, { act: "removePasskey", id })} text={texts.remove} about={nameId} />
        )}
      </Row>
    </li>
  );
}

function lastBadge(removal: Removal, texts: Texts): readonly ComponentChildren[] {
  return removal === "last" ? [" ", <Badge text={texts.accountLast} />] : [];
}

/** In place of a button that would do nothing. */
function WhyKept({ removal, texts }: { readonly removal: Removal; readonly texts: Texts }): VNode | null {
  return removal === "last" ? <p class="hint">{texts.accountLastHint}</p> : null;
}
