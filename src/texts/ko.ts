/**
 * The texts in Korean.
 *
 * @module
 */
import type { Texts } from "./texts.ts";

/** Korean. */
export const TEXTS: Texts = {
  signInTitle: "{name} 로그인",
  errorTitle: "오류: {title}",
  signInWith: "{provider}(으)로 로그인",
  signInWithPasskey: "패스키로 로그인",
  signIn: "로그인",
  continue: "계속",
  or: "또는",
  email: "이메일 주소",
  emailPlaceholder: "name@example.com",
  emailHint: "로그인할 수 있는 이메일을 보내드립니다.",
  username: "사용자 이름",
  password: "비밀번호",
  lastUsed: "최근 사용",
  noMethods: "이 사이트에는 아직 로그인 방법이 없습니다.",

  confirmTitle: "본인 확인",
  confirmLead: "로그인한 지 시간이 좀 지났습니다. 계속하려면 다시 로그인하세요.",
  addPasskeyTitle: "패스키 추가",
  addPasskeyLead: "다음부터는 지문, 얼굴 또는 기기의 PIN으로 로그인할 수 있습니다.",
  createPasskey: "패스키 만들기",
  createPasskeyHint: "패스키를 만들기 전에 링크가 담긴 이메일을 받게 됩니다.",
  passkeyUnavailable: "패스키를 사용하려면 JavaScript와 패스키를 지원하는 브라우저가 필요합니다.",
  passkeyFollow: "기기에 표시되는 안내를 따르세요.",
  passkeyCancelled: "취소되었거나 이 기기에 이 사이트의 패스키가 없습니다.",
  passkeyTimeout: "시간이 너무 오래 걸렸습니다. 다시 시도하세요.",
  passkeyAddress: "이 주소에서는 패스키를 사용할 수 없습니다.",
  passkeyExists: "이 기기에 이미 이 사이트의 패스키가 있습니다. 그 패스키로 로그인하세요.",
  passkeyOffline: "사이트에 연결할 수 없습니다. 인터넷 연결을 확인하세요.",
  passkeyFailed: "처리하지 못했습니다. 다른 방법을 사용해 보세요.",

  errorCancelled: "{provider} 로그인을 취소했습니다. 다시 시도하거나 다른 방법을 선택하세요.",
  errorAnotherWay: "로그인하지 못했습니다. 다른 계정이나 다른 로그인 방법을 사용해 보세요.",
  errorNotLinked: "이미 계정이 있습니다. 처음에 사용한 방법으로 로그인하세요.",
  errorEmail: "이메일을 보내지 못했습니다. 주소를 확인하고 다시 시도하세요.",
  errorCredentials: "입력한 정보로 로그인할 수 없습니다. 확인하고 다시 시도하세요.",
  errorSessionRequired: "이 페이지를 보려면 로그인하세요.",
  errorDefault: "로그인하지 못했습니다. 다시 시도하세요.",

  unavailableTitle: "로그인할 수 없음",
  unavailableLead:
    "사용자의 문제가 아니라 사이트의 문제입니다. 이 사이트의 운영자라면 서버 로그에서 자세한 내용을 확인하세요.",
  deniedTitle: "액세스할 수 없음",
  deniedLead: "이 계정으로는 여기에 로그인할 수 없습니다.",
  anotherAccount: "다른 계정 사용",
  expiredTitle: "다시 로그인하세요",
  expiredLead: "이 링크나 로그인은 이미 사용되었거나 만료되었습니다.",
  passkeyRefusedTitle: "이 패스키를 사용할 수 없음",
  passkeyRefusedLead: "계정이 있다면 이전과 같은 방법으로 로그인하세요. 그런 다음 패스키를 추가할 수 있습니다.",
  failedTitle: "문제가 발생했습니다",
  failedLead: "요청을 처리하지 못했습니다. 이전 페이지로 돌아가 다시 시도하세요.",
  notFoundTitle: "페이지를 찾을 수 없음",
  notFoundLead: "이 주소에는 아무것도 없습니다.",

  signOutTitle: "{name} 로그아웃",
  signOutLead: "이 브라우저에서 로그아웃할까요?",
  signOut: "로그아웃",
  cancel: "취소",
  signedOutTitle: "로그아웃된 상태입니다",
  signedOutLead: "이 브라우저에서 {name}에 로그인한 사람이 없습니다.",

  checkEmailTitle: "이메일을 확인하세요",
  checkEmailLead: "링크를 보내드렸습니다. 이 브라우저에서 링크를 열어 로그인하세요.",
  checkEmailHelp: "1분이 지나도 이메일이 오지 않나요? 스팸함을 확인하거나, 주소를 확인하고 링크를 다시 요청하세요.",
  askAgain: "링크 다시 요청",
  confirmEmailTitle: "{name}에 로그인할까요?",
  confirmEmailLead: "{email} 계정으로 로그인하려고 합니다. 이 링크를 직접 요청한 경우에만 계속하세요.",
  backTo: "{name}(으)로 돌아가기",

  mailSubject: "{name} 로그인",
  mailButton: "로그인",
  mailLink: "버튼이 작동하지 않나요? 다음 링크를 여세요.",
  mailExpires: "이 링크는 {time}까지 한 번만 사용할 수 있습니다.",
  mailIgnore: "요청한 적이 없다면 이 이메일을 무시하세요. 링크가 없으면 아무도 로그인할 수 없습니다.",
};
