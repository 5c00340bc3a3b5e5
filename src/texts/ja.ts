/**
 * The texts in Japanese.
 *
 * @module
 */
import { TEXTS as ENGLISH } from "./en.ts";
import type { Texts } from "./texts.ts";

/** Japanese. */
export const TEXTS: Texts = {
  ...ENGLISH,
  signInTitle: "{name} にログイン",
  errorTitle: "エラー：{title}",
  signInWith: "{provider} でログイン",
  signInWithPasskey: "パスキーでログイン",
  signIn: "ログイン",
  continue: "続ける",
  or: "または",
  email: "メールアドレス",
  emailPlaceholder: "name@example.com",
  emailHint: "ログイン用のメールをお送りします。",
  username: "ユーザー名",
  password: "パスワード",
  lastUsed: "前回使用",
  noMethods: "このサイトにはまだログイン方法がありません。",
  signUp: "アカウントを作成",
  help: "ログインできない場合",
  terms: "利用規約",
  privacy: "プライバシーポリシー",

  confirmTitle: "本人確認",
  confirmLead: "前回のログインから時間が経っています。続けるには、もう一度ログインしてください。",
  addPasskeyTitle: "パスキーを追加",
  addPasskeyLead: "次回から、指紋、顔、またはデバイスの PIN でログインできます。",
  createPasskey: "パスキーを作成",
  createPasskeyHint: "パスキーを作成する前に、リンクを記載したメールが届きます。",
  passkeyUnavailable: "パスキーを使うには、JavaScript と、パスキーに対応したブラウザが必要です。",
  passkeyInsecure: "パスキーには安全な接続が必要です。",
  passkeyFollow: "デバイスの画面の指示に従ってください。",
  passkeyCancelled: "キャンセルされたか、このデバイスにはこのサイトのパスキーがありません。",
  passkeyTimeout: "時間がかかりすぎました。もう一度お試しください。",
  passkeyAddress: "このアドレスではパスキーを使えません。",
  passkeyExists: "このデバイスには、すでにこのサイトのパスキーがあります。そのパスキーでログインしてください。",
  passkeyOffline: "サイトに接続できません。接続を確認してください。",
  passkeyFailed: "うまくいきませんでした。別の方法をお試しください。",

  errorCancelled: "{provider} でのログインがキャンセルされました。もう一度試すか、別の方法を選んでください。",
  errorAnotherWay: "うまくいきませんでした。別のアカウントまたは別のログイン方法をお試しください。",
  errorNotLinked: "すでにアカウントをお持ちです。最初と同じ方法でログインしてください。",
  errorNotLinkedLast: "このブラウザでの前回のログイン方法：{provider}",
  errorEmail: "メールを送信できませんでした。アドレスを確認して、もう一度お試しください。",
  errorCredentials: "この情報ではログインできませんでした。入力内容を確認して、もう一度お試しください。",
  errorTooMany: "試行回数が多すぎます。少し待つか、別の方法でサインインしてください。",
  errorTooManyWait: "{duration}後にもう一度お試しください。",
  errorTooManyCheck: "試行回数が多すぎます。下の確認が終わると続けられます。",
  errorSessionRequired: "このページを見るにはログインしてください。",
  errorDefault: "ログインできませんでした。もう一度お試しください。",

  challengeWorking: "不正利用を防ぐための小さな計算をブラウザで行っています。入力を続けられます。",
  challengeReady: "計算が終わりました。続けられます。",
  challengeSending: "少しお待ちください。フォームは自動的に送信されます。",
  challengeWait: "JavaScript を使わない場合、ボタンは待ち時間の後に表示されます：{duration}",
  challengeNeedsScript: "この確認には JavaScript が必要です。",

  unavailableTitle: "ログインできません",
  unavailableLead:
    "問題はお客様ではなく、サイトの側にあります。このサイトの管理者の方は、サーバーのログで詳細を確認してください。",
  deniedTitle: "アクセスできません",
  deniedLead: "このアカウントではログインが許可されていません。",
  anotherAccount: "別のアカウントを使う",
  expiredTitle: "もう一度ログインしてください",
  expiredLead: "このリンクまたはログインは、すでに使用されたか、有効期限が切れています。",
  passkeyRefusedTitle: "このパスキーは使えません",
  passkeyRefusedLead:
    "アカウントをお持ちの場合は、これまでの方法でログインしてください。その後、パスキーを追加できます。",
  failedTitle: "問題が発生しました",
  failedLead: "うまくいきませんでした。前のページに戻って、もう一度お試しください。",
  notFoundTitle: "ページが見つかりません",
  notFoundLead: "このアドレスには何もありません。",

  signOutTitle: "{name} からログアウト",
  signOutLead: "このブラウザでのセッションを終了しますか？",
  signOut: "ログアウト",
  cancel: "キャンセル",
  signedOutTitle: "ログアウト済みです",
  signedOutLead: "このブラウザでは、{name} に誰もログインしていません。",

  checkEmailTitle: "メールを確認してください",
  checkEmailLead: "リンクをお送りしました。このブラウザで開いてログインしてください。",
  checkEmailTo: "送信先：{email}",
  checkEmailHelp:
    "1 分経ってもメールが届かない場合は、迷惑メールフォルダを確認するか、アドレスを確認してもう一度リンクをリクエストしてください。",
  askAgain: "もう一度リンクをリクエストする",
  confirmEmailTitle: "{name} にログインしますか？",
  confirmEmailLead: "{email} としてログインします。ご自身でこのリンクをリクエストした場合にのみ、続けてください。",
  backTo: "{name} に戻る",

  mailSubject: "{name} へのログイン",
  mailButton: "ログイン",
  mailLink: "ボタンが機能しない場合は、次のリンクを開いてください：",
  mailExpires: "リンクは 1 回だけ使えます。有効期限：{time}",
  validFor: "有効期間：{duration}",
  mailIgnore: "お心当たりがない場合は、このメールを無視してください。リンクがなければ、誰もログインできません。",
  mailPasskeyAdded: "{name} のアカウントにパスキーが追加されました",
  mailAccountAdded: "{name} のアカウントに {provider} でのログインが追加されました",
  mailTime: "日時：{time}",
  mailNotYou:
    "ご自身による操作であれば、何もする必要はありません。お心当たりがない場合は、ほかの人がアカウントを使っている可能性があります。ログインして追加されたものを削除し、ほかのセッションを終了して、{name} に連絡してください。",
  mailFactorCode: "{code} は {name} のコードです",
  mailFactorCodeUse: "コードを求めたページに入力してください。使えるのは一度だけで、有効期間は 10 分です。",
  mailFactorCodeNotYou:
    "今ログインしようとしていない場合は、ほかの人が試している可能性があります。このコードを誰にも教えず、{name} に知らせてください。",
};
