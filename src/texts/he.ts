/**
 * The texts in Hebrew.
 *
 * @module
 */
import type { Texts } from "./texts.ts";

/** Hebrew. */
export const TEXTS: Texts = {
  signInTitle: "כניסה אל {name}",
  errorTitle: "שגיאה: {title}",
  signInWith: "כניסה באמצעות {provider}",
  signInWithPasskey: "כניסה באמצעות מפתח גישה",
  signIn: "כניסה",
  continue: "המשך",
  or: "או",
  email: "כתובת אימייל",
  emailPlaceholder: "name@example.com",
  emailHint: "נשלח אליך אימייל לכניסה.",
  username: "שם משתמש",
  password: "סיסמה",
  lastUsed: "בשימוש לאחרונה",
  noMethods: "עדיין אין באתר הזה דרך להיכנס.",

  confirmTitle: "אימות הזהות שלך",
  confirmLead: "עבר זמן מה מאז הכניסה האחרונה שלך. כדי להמשיך, יש להיכנס שוב.",
  addPasskeyTitle: "הוספת מפתח גישה",
  addPasskeyLead: "בפעם הבאה אפשר יהיה להיכנס באמצעות טביעת האצבע, הפנים או קוד האימות של המכשיר.",
  createPasskey: "יצירת מפתח גישה",
  createPasskeyHint: "לפני יצירת מפתח גישה, יישלח אליך אימייל עם קישור.",
  passkeyUnavailable: "לשימוש במפתחות גישה נדרשים JavaScript ודפדפן שתומך בהם.",
  passkeyFollow: "יש לפעול לפי ההוראות במכשיר.",
  passkeyCancelled: "הפעולה בוטלה, או שאין במכשיר הזה מפתח גישה לאתר הזה.",
  passkeyTimeout: "הפעולה נמשכה זמן רב מדי. כדאי לנסות שוב.",
  passkeyAddress: "מפתחות גישה לא פועלים בכתובת הזו.",
  passkeyExists: "כבר יש במכשיר הזה מפתח גישה לאתר הזה. אפשר להיכנס באמצעותו.",
  passkeyOffline: "לא ניתן להגיע לאתר. כדאי לבדוק את החיבור לאינטרנט.",
  passkeyFailed: "הפעולה לא הצליחה. כדאי לנסות דרך אחרת.",

  errorCancelled: "הכניסה באמצעות {provider} בוטלה. אפשר לנסות שוב או לבחור דרך אחרת.",
  errorAnotherWay: "הפעולה לא הצליחה. כדאי לנסות חשבון אחר או דרך כניסה אחרת.",
  errorNotLinked: "כבר יש לך חשבון כאן. יש להיכנס באותה הדרך כמו בפעם הראשונה.",
  errorEmail: "לא הצלחנו לשלוח אליך אימייל. יש לבדוק את הכתובת ולנסות שוב.",
  errorCredentials: "לא ניתן להיכנס באמצעות הפרטים האלה. יש לבדוק אותם ולנסות שוב.",
  errorSessionRequired: "כדי לראות את הדף הזה יש להיכנס.",
  errorDefault: "הכניסה נכשלה. יש לנסות שוב.",

  unavailableTitle: "הכניסה אינה זמינה",
  unavailableLead: "הבעיה אצלנו, לא אצלך. אם האתר הזה בניהולך, אפשר למצוא פרטים ביומן השרת.",
  deniedTitle: "אין גישה",
  deniedLead: "לחשבון הזה אין הרשאה להיכנס כאן.",
  anotherAccount: "שימוש בחשבון אחר",
  expiredTitle: "יש להיכנס שוב",
  expiredLead: "הקישור הזה או הכניסה הזו כבר נוצלו, או שתוקפם פג.",
  passkeyRefusedTitle: "לא ניתן להשתמש במפתח הגישה הזה",
  passkeyRefusedLead: "אם יש לך חשבון כאן, יש להיכנס כמו קודם. לאחר מכן אפשר להוסיף מפתח גישה.",
  failedTitle: "משהו השתבש",
  failedLead: "הפעולה לא הצליחה. יש לחזור אחורה ולנסות שוב.",
  notFoundTitle: "הדף לא נמצא",
  notFoundLead: "אין שום דבר בכתובת הזו.",

  signOutTitle: "יציאה מ־{name}",
  signOutLead: "לסיים את ההפעלה שלך בדפדפן הזה?",
  signOut: "יציאה",
  cancel: "ביטול",
  signedOutTitle: "יצאת מהחשבון",
  signedOutLead: "אף אחד לא מחובר אל {name} בדפדפן הזה.",

  checkEmailTitle: "יש לבדוק את האימייל",
  checkEmailLead: "שלחנו אליך קישור. כדי להיכנס, יש לפתוח אותו בדפדפן הזה.",
  checkEmailHelp: "לא הגיע אימייל אחרי דקה? כדאי לחפש בתיקיית הספאם, או לבדוק את הכתובת ולבקש קישור נוסף.",
  askAgain: "בקשת קישור נוסף",
  confirmEmailTitle: "להיכנס אל {name}?",
  confirmEmailLead: "הכניסה תתבצע בתור {email}. יש להמשיך רק אם ביקשת את הקישור הזה.",
  backTo: "חזרה אל {name}",

  mailSubject: "כניסה אל {name}",
  mailButton: "כניסה",
  mailLink: "הלחצן לא פועל? אפשר לפתוח את הקישור הזה:",
  mailExpires: "הקישור פועל פעם אחת, עד {time}.",
  mailIgnore: "אם לא ביקשת אותו, אפשר להתעלם מהאימייל הזה: בלי הקישור אף אחד לא יכול להיכנס.",
};
