/** @jsxImportSource preact */
/**
 * The sections of the overview that lead to other pages: the password, and two-step sign-in.
 *
 * @module
 */
import type { VNode } from "preact";
import { Badge, Facts, NotSet, Part, Row, RowLink, type ViewParts } from "./account_parts.tsx";
import { dayIn, filled } from "./parts.tsx";

/** The password. */
export function Password({ words, view: { password } }: ViewParts): VNode | null {
  if (password === null) return null;
  const { texts } = words;
  const { isSet, setAt, url } = password;
  return (
    <Part id="password" title={texts.password}>
      <Row
        what={isSet
          ? (
            <>
              <p class="title" aria-hidden="true">••••••••</p>
              <Facts facts={[setAt && filled(texts.accountSetOn, { date: dayIn(words, setAt) })]} />
            </>
          )
          : <NotSet words={words} />}
      >
        {isSet
          ? <RowLink url={url} text={texts.accountChange} about="password" />
          : <RowLink url={url} text={texts.setPasswordTitle} />}
      </Row>
    </Part>
  );
}

/** Two-step sign-in. */
export function SecondFactor({ words, view: { secondFactor } }: ViewParts): VNode | null {
  if (secondFactor === null) return null;
  const { texts, tag } = words;
  const { isOn, recoveryCodes, url } = secondFactor;
  const count = recoveryCodes !== null && new Intl.NumberFormat(tag).format(recoveryCodes);
  return (
    <Part id="second-factor" title={texts.factorsTitle}>
      <Row
        what={
          <>
            <p class="title">
              {isOn ? <Badge text={texts.accountIsOn} isGood /> : <Badge text={texts.accountIsOff} />}
            </p>
            {isOn
              ? <Facts facts={count ? [texts.recoveryCodes, filled(texts.recoveryCodesLeft, { count })] : []} />
              : <p class="hint">{texts.factorsOff}</p>}
          </>
        }
      >
        <RowLink url={url} text={texts.accountManage} about="second-factor" />
      </Row>
    </Part>
  );
}
