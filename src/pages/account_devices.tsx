/** @jsxImportSource preact */
/**
 * The section of the overview with the devices that somebody is signed in on.
 *
 * @module
 */
import type { ComponentChildren, VNode } from "preact";
import {
  type AccountParts,
  Badge,
  Facts,
  Part,
  Row,
  RowForm,
  RowLink,
  Title,
  type ViewParts,
} from "./account_parts.tsx";
import { dayIn, filled, Icon } from "./parts.tsx";
import type { AccountSession } from "../request/account_views.ts";
import type { Texts } from "../texts/texts.ts";

/** Sessions, each of which can be ended. */
export function Devices({ page, words, view: { sessions } }: ViewParts): VNode | null {
  if (sessions === null || sessions.length === 0) return null;
  const { texts } = words;
  return (
    <Part id="devices" title={texts.accountDevices}>
      <ul class="rows">
        {sessions.map((session) => <Device page={page} words={words} session={session} />)}
      </ul>
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <div class="does">
          <RowForm page={page} words={words} values={{ act: "endOthers" }} text={texts.accountEndOthers} />
        </div>
      )}
    </Part>
  );
}

/** Systems of devices that are held in a hand. */
const HANDHELD = /^(?:Android|iOS|iPadOS|iPhone|iPad)\b/;

function Device({ page, words, session }: AccountParts & { readonly session: AccountSession }): VNode {
  const { texts } = words;
  const { id, isCurrent, signedInAt, provider, system, place } = session;
  const nameId = `device-${id}`;
  return (
    <li>
      <Row
        tile={
          <span class="tile">
            <Icon name={HANDHELD.test(system ?? "") ? "phone" : "screen"} />
          </span>
        }
        what={
          <>
            <Title id={nameId} badges={isCurrent && <Badge text={texts.accountThisDevice} isGood />}>
              {deviceName(session, texts)}
            </Title>
            <Facts
              facts={[
                place && <bdi>{place}</bdi>,
                signedInAt && filled(texts.accountSignedIn, { date: dayIn(words, signedInAt) }),
                provider && filled(texts.accountSignedInWith, { provider }),
              ]}
            />
          </>
        }
      >
        {isCurrent
          ? <RowLink url={page.signOutUrl} text={texts.signOut} about={nameId} />
          : <RowForm {...{ page, words }} values={{ act: "endSession", id }} text={texts.signOut} about={nameId} />}
      </Row>
    </li>
  );
}

function deviceName({ browser, system }: AccountSession, texts: Texts): ComponentChildren {
  if (browser && system) return filled(texts.accountDevice, { browser, system });
  return browser || system || texts.accountUnknownDevice;
}
