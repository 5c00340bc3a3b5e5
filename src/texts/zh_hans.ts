/**
 * The texts in Chinese, in simplified characters.
 *
 * @module
 */
import type { Texts } from "./texts.ts";

/** Chinese (simplified). */
export const TEXTS: Texts = {
  signInTitle: "登录 {name}",
  errorTitle: "错误：{title}",
  signInWith: "使用 {provider} 登录",
  signInWithPasskey: "使用通行密钥登录",
  signIn: "登录",
  continue: "继续",
  or: "或",
  email: "电子邮箱",
  emailPlaceholder: "name@example.com",
  emailHint: "我们会向您发送一封用于登录的邮件。",
  username: "用户名",
  password: "密码",
  lastUsed: "上次使用",
  noMethods: "此网站尚未提供登录方式。",

  confirmTitle: "确认是您本人",
  confirmLead: "距离您上次登录已有一段时间。请重新登录以继续。",
  addPasskeyTitle: "添加通行密钥",
  addPasskeyLead: "下次您可以使用指纹、面容或设备的 PIN 码登录。",
  createPasskey: "创建通行密钥",
  createPasskeyHint: "创建通行密钥之前，您会先收到一封包含链接的邮件。",
  passkeyUnavailable: "使用通行密钥需要 JavaScript 和支持通行密钥的浏览器。",
  passkeyFollow: "请按照设备上的步骤操作。",
  passkeyCancelled: "操作已取消，或者此设备没有用于此网站的通行密钥。",
  passkeyTimeout: "等待时间过长。请重试。",
  passkeyAddress: "通行密钥无法在此网址使用。",
  passkeyExists: "此设备已有用于此网站的通行密钥。请使用它登录。",
  passkeyOffline: "无法连接到网站。请检查您的网络连接。",
  passkeyFailed: "操作未成功。请尝试其他方式。",

  errorCancelled: "您取消了使用 {provider} 登录。请重试，或选择其他方式。",
  errorAnotherWay: "操作未成功。请尝试其他账号或其他登录方式。",
  errorNotLinked: "您在这里已有账号。请使用您第一次登录时的方式登录。",
  errorEmail: "我们无法向您发送邮件。请检查邮箱地址，然后重试。",
  errorCredentials: "无法使用这些信息登录。请检查后重试。",
  errorSessionRequired: "请登录以查看此页面。",
  errorDefault: "无法登录。请重试。",

  unavailableTitle: "暂时无法登录",
  unavailableLead: "问题出在我们这边，与您无关。如果您是此网站的管理员，请查看服务器日志了解详情。",
  deniedTitle: "无权访问",
  deniedLead: "此账号无权在这里登录。",
  anotherAccount: "使用其他账号",
  expiredTitle: "请重新登录",
  expiredLead: "此链接或此次登录已被使用过，或者已过期。",
  passkeyRefusedTitle: "无法使用此通行密钥",
  passkeyRefusedLead: "如果您在这里已有账号，请使用以前的方式登录，然后即可添加通行密钥。",
  failedTitle: "出了点问题",
  failedLead: "操作未成功。请返回并重试。",
  notFoundTitle: "找不到页面",
  notFoundLead: "此网址没有任何内容。",

  signOutTitle: "退出登录 {name}",
  signOutLead: "要结束您在此浏览器中的会话吗？",
  signOut: "退出登录",
  cancel: "取消",
  signedOutTitle: "您已退出登录",
  signedOutLead: "此浏览器中没有人登录 {name}。",

  checkEmailTitle: "请查收邮件",
  checkEmailLead: "我们向您发送了一个链接。请在此浏览器中打开该链接以登录。",
  checkEmailHelp: "一分钟后仍未收到邮件？请查看垃圾邮件文件夹，或检查邮箱地址并重新获取链接。",
  askAgain: "重新获取链接",
  confirmEmailTitle: "要登录 {name} 吗？",
  confirmEmailLead: "您即将以 {email} 的身份登录。只有在您本人请求了此链接时才继续。",
  backTo: "返回 {name}",

  mailSubject: "登录 {name}",
  mailButton: "登录",
  mailLink: "按钮无法使用？请打开此链接：",
  mailExpires: "此链接只能使用一次，有效期至 {time}。",
  mailIgnore: "如果您没有请求此邮件，请忽略它：没有链接，任何人都无法登录。",
};
