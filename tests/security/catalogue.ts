/**
 * What went wrong in services of this class (V) and what was seen in code that this one stands beside (H): for each row
 * the test that would have caught it, or why there is none yet.
 *
 * @module
 */

/** A test: its file below `tests/`, and a piece of its name. */
export interface Cover {
  readonly file: string;
  readonly test: string;
}

const STORAGE = "needs storage, which comes with the next version";
const MAIL = "needs sign-in by e-mail, which comes later";
const PASSKEY = "needs passkeys, which come later";
const LIMITS = "needs rate limits, which come later";
const REFRESH = "needs the renewal of a provider's tokens, which comes later";

function at(file: string, test: string): Cover {
  return { file, test };
}

const here = (file: string, test: string) => at(`security/${file}_test.ts`, test);
const story = (file: string, test: string) => at(`stories/${file}_test.ts`, test);
const unit = (file: string, test: string) => at(`unit/${file}_test.ts`, test);

/** Every row, by its id. */
export const CATALOGUE: Readonly<Record<string, Cover | string>> = {
  V01: MAIL,
  V02: here("redirects", "the form of a sign-in with a password"),
  V03: here("redirects", "the form of a sign-out"),
  V04: here("rows", "V04: a target that cannot be parsed is the front page"),
  V05: MAIL,
  V06: here("canaries", "no secret is shown by"),
  V07: MAIL,
  V08: MAIL,
  V09: here("flows", "V09: an answer signs in only with every part that the checks need"),
  V10: here("cookie_swap", "counts under its own name and no other"),
  V11: MAIL,
  V12: MAIL,
  V13: here("junk", "V13, V74: no Authorization header harms anything"),
  V14: here("flows", "V14: an answer to one provider's flow is refused"),
  V15: here("rows", "V15: with"),
  V16: STORAGE,
  V17: here("rows", "V17: no answer may be kept by a cache"),
  V18: here("redirects", "the query of a sign-in page of the application's own"),
  V19: unit("oauth/proxy", "mayForward() ${fits"),
  V20: here("junk", "V20: no field or parameter chooses whose session it is"),
  V21: here("junk", "V21, V75: a path that is written in another way"),
  V22: here("rows", "V22: whoever callbacks.signIn does not let in"),
  V23: LIMITS,
  V24: LIMITS,
  V25: STORAGE,
  V26: STORAGE,
  V27: MAIL,
  V28: here("flows", "V28: of 64 identical answers at once one signs in"),
  V29: REFRESH,
  V30: STORAGE,
  V31: LIMITS,
  V32: PASSKEY,
  V33: PASSKEY,
  V34: unit("oauth/profile", "profiles without a usable id are refused, and never share an account"),
  V35: here("id_token", "O-31, O-32: userinfo that is about somebody else"),
  V36: here("flows", "V36: another state than that of the flow is refused"),
  V37: MAIL,
  V38: here("csrf", "V38: a first sign-in, with an empty jar"),
  V39: here("rows", "V39: an answer does not tell whether somebody exists"),
  V40: here("rows", "V40: requests for two hosts at once"),
  V41: here("cookie_swap", "V41: over https only the prefixed session is read"),
  V42: unit("oauth/outbound", "limitedFetch() sends nothing to other addresses"),
  V43: STORAGE,
  V44: STORAGE,
  V45: here("rows", "V45: two hundred first requests in one tick"),
  V46: here("rows", "V46: a query chooses none of the protocol's own parameters"),
  V47: "compares ids of users, which needs storage",
  V48: STORAGE,
  V49: here("junk", "V49: callbacks are given no member that would harm"),
  V50: MAIL,
  V51: here("rows", "V51: a sign-in makes a session of its own"),
  V52: unit("check_config", "configProblems() names ${option}"),
  V53: unit("oauth/tokens", "a token answer that is ${what} is refused"),
  V54: here("rows", "V54: every flow has a state, a nonce and a challenge of its own"),
  V55: here("flows", "V55: the answer to an attacker's flow"),
  V56: here("rows", "V56: nothing but a form starts a flow"),
  V57: here("junk", "names of every object, and markup, are nothing but text in a query"),
  V58: here("redirects", "the query of the sign-in page"),
  V59: story("guard", "auth(handler) adds a renewed cookie to the answer, which then is kept by no cache"),
  V60: here("rows", "V60: a thousand requests at once"),
  V61: here("rows", "V61: an account is known by the provider's id alone"),
  V62: unit("providers/catalogue", "takes the account's id from a claim that never changes"),
  V63: STORAGE,
  V64: STORAGE,
  V65: here("rows", "V65: no header moves the addresses of a service"),
  V66: STORAGE,
  V67: STORAGE,
  V68: unit("oauth/tokens", "private_key_jwt sends an assertion of the client's key, new each time and short-lived"),
  V69: unit("oauth/start", "startOAuth() refuses metadata that offers PKCE without S256"),
  V70: here("junk", "V70: no header makes another path, method or host"),
  V71: here("csrf", "V71: a body is read if its type is exactly one of two"),
  V72: unit("http/cookie_text", "serializeCookie() refuses"),
  V73: here("junk", "V73: a body is counted and not believed"),
  V74: here("junk", "V13, V74: no Authorization header harms anything"),
  V75: here("junk", "V21, V75: a path that is written in another way"),
  V76: unit("pages/color", "isColor() refuses"),
  V77: LIMITS,
  V78: here("junk", "V78: no cookie of junk harms anything"),
  V79: unit("crypto/seal", "open() refuses a compressed token although it is sealed with our own key"),
  V80: unit("crypto/seal", "token with any bit of its bytes flipped"),
  V81: here("id_token", "O-13: a token without a signature is refused"),
  V82: here("id_token", "O-02: iss is that of the issuer to the letter"),
  V83: PASSKEY,
  V84: PASSKEY,
  V85: PASSKEY,
  V86: PASSKEY,
  V87: MAIL,
  V88: MAIL,
  V89: here("cookie_swap", "V89: no other spelling of a protected name is taken for it"),
  V90: unit("oauth/proxy", "the redirect proxy forwards nothing to an origin that is not listed"),
  V91: REFRESH,
  V92: MAIL,
  V93: STORAGE,
  V94: here("junk", "V20: no field or parameter chooses whose session it is"),

  H01: unit("sign_in/permit", "when callbacks.signIn gives ${name}"),
  H02: unit("show/show", "showSignIn() takes four members of the query and nothing else"),
  H03: here("junk", "names of every object are unknown errors, providers and types"),
  H04: here("cookie_swap", "H04: only the exact name and chunks without a gap make a session"),
  H05: unit("oauth/profile", "a userinfo answer that is ${what} is refused"),
  H06: unit("oauth/profile", "profiles without a usable id are refused, and never share an account"),
  H07: STORAGE,
  H08: MAIL,
  H09: STORAGE,
  H10: here("rows", "V46: a query chooses none of the protocol's own parameters"),
  H11: unit("routes", "an answer of a provider may repeat none of the protocol's parameters"),
  H12: here("id_token", "O-17: a token of ${alg} with one bit changed is refused"),
  H13: unit("oauth/server", "metadata whose ${name} is not https is refused"),
  H14: unit("http/csrf", "csrfTokenHolds() cannot be moved along the line between token and secret"),
  H15: unit("crypto/text", "sameText() finds a difference at every position"),
  H16: MAIL,
  H17: MAIL,
  H18: here("flows", "V28: an answer signs in once, however often it arrives"),
  H19: story("tabs", "two tabs sign in at once and finish in"),
  H20: unit("stores/jwt_store", "a session that is used lives on, and one that is not ends"),
  H21: STORAGE,
  H22: here("canaries", "no secret is shown by"),
  H23: here("rows", "V65: no header moves the addresses of a service"),
  H24: here("junk", "V21, V75: a path that is written in another way"),
  H25: here("junk", "no value of a field harms POST"),
  H26: story("timeouts", "that never answers lets nobody in, and the visitor is told"),
  H27: STORAGE,
  H28: unit("pages/csp", "renderPage() forbids everything that a page without script does not need"),
  H29: here("redirects", "signIn() with redirectTo"),
  H30: STORAGE,
  H31: PASSKEY,
  H32: story("session", "without a jwt callback a script changes nothing"),
};
