/**
 * The texts in German.
 *
 * @module
 */
import { TEXTS as ENGLISH } from "./en.ts";
import type { Texts } from "./texts.ts";

/** German. */
export const TEXTS: Texts = {
  ...ENGLISH,
  signInTitle: "Bei {name} anmelden",
  errorTitle: "Fehler: {title}",
  signInWith: "Mit {provider} anmelden",
  signInWithPasskey: "Mit einem Passkey anmelden",
  signIn: "Anmelden",
  continue: "Weiter",
  or: "oder",
  email: "E-Mail-Adresse",
  emailPlaceholder: "name@example.com",
  emailHint: "Wir senden Ihnen eine E-Mail, mit der Sie sich anmelden.",
  username: "Benutzername",
  password: "Passwort",
  lastUsed: "Zuletzt verwendet",
  noMethods: "Auf dieser Website kann man sich noch nicht anmelden.",
  signUp: "Konto erstellen",
  help: "Probleme bei der Anmeldung?",
  terms: "Nutzungsbedingungen",
  privacy: "Datenschutz",

  confirmTitle: "Bestätigen Sie, dass Sie es sind",
  confirmLead: "Ihre letzte Anmeldung liegt einige Zeit zurück. Melden Sie sich noch einmal an, um fortzufahren.",
  addPasskeyTitle: "Passkey hinzufügen",
  addPasskeyLead:
    "Beim nächsten Mal können Sie sich mit Ihrem Fingerabdruck, Ihrem Gesicht oder der PIN Ihres Geräts anmelden.",
  createPasskey: "Passkey erstellen",
  createPasskeyHint: "Bevor Sie einen Passkey erstellen, erhalten Sie eine E-Mail mit einem Link.",
  passkeyUnavailable: "Passkeys benötigen JavaScript und einen Browser, der sie unterstützt.",
  passkeyInsecure: "Passkeys benötigen eine sichere Verbindung.",
  passkeyFollow: "Folgen Sie den Anweisungen auf Ihrem Gerät.",
  passkeyCancelled: "Der Vorgang wurde abgebrochen, oder dieses Gerät hat keinen Passkey für diese Website.",
  passkeyTimeout: "Das hat zu lange gedauert. Versuchen Sie es noch einmal.",
  passkeyAddress: "Unter dieser Adresse funktionieren Passkeys nicht.",
  passkeyExists: "Dieses Gerät hat hier schon einen Passkey. Melden Sie sich damit an.",
  passkeyOffline: "Die Website ist nicht erreichbar. Prüfen Sie Ihre Internetverbindung.",
  passkeyFailed: "Das hat nicht geklappt. Versuchen Sie es auf einem anderen Weg.",

  errorCancelled:
    "Sie haben die Anmeldung mit {provider} abgebrochen. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.",
  errorAnotherWay: "Das hat nicht geklappt. Bitte versuchen Sie es mit einem anderen Konto oder auf einem anderen Weg.",
  errorNotLinked: "Sie haben hier schon ein Konto. Bitte melden Sie sich so an wie beim ersten Mal.",
  errorNotLinkedLast: "Die letzte Anmeldung in diesem Browser war mit {provider}.",
  errorEmail: "Wir konnten Ihnen keine E-Mail senden. Bitte prüfen Sie die Adresse, und versuchen Sie es noch einmal.",
  errorCredentials:
    "Mit diesen Angaben konnten wir Sie nicht anmelden. Bitte prüfen Sie sie, und versuchen Sie es noch einmal.",
  errorTooMany: "Das waren zu viele Versuche. Warten Sie etwas, oder melden Sie sich anders an.",
  errorTooManyWait: "Neuer Versuch möglich in: {duration}.",
  errorTooManyCheck: "Das waren zu viele Versuche. Nach der Prüfung unten können Sie fortfahren.",
  errorSessionRequired: "Bitte melden Sie sich an, um diese Seite zu sehen.",
  errorDefault: "Die Anmeldung ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.",

  challengeWorking: "Ihr Browser löst eine kleine Aufgabe, die vor Missbrauch schützt. Sie können weiterschreiben.",
  challengeReady: "Die Aufgabe ist gelöst. Sie können fortfahren.",
  challengeSending: "Einen Moment. Das Formular wird von selbst gesendet.",
  challengeWait: "Ohne JavaScript erscheint die Schaltfläche nach einer Wartezeit: {duration}.",
  challengeNeedsScript: "Diese Prüfung benötigt JavaScript.",

  unavailableTitle: "Anmeldung nicht verfügbar",
  unavailableLead:
    "Der Fehler liegt bei uns, nicht bei Ihnen. Wenn Sie diese Website betreiben, finden Sie Einzelheiten im Protokoll des Servers.",
  deniedTitle: "Kein Zugriff",
  deniedLead: "Mit diesem Konto kann man sich hier nicht anmelden.",
  anotherAccount: "Anderes Konto verwenden",
  expiredTitle: "Bitte melden Sie sich noch einmal an",
  expiredLead: "Dieser Link oder diese Anmeldung wurde schon verwendet oder ist abgelaufen.",
  passkeyRefusedTitle: "Dieser Passkey kann nicht verwendet werden",
  passkeyRefusedLead:
    "Wenn Sie hier ein Konto haben, melden Sie sich wie bisher an. Danach können Sie einen Passkey hinzufügen.",
  failedTitle: "Etwas ist schiefgegangen",
  failedLead: "Das hat nicht geklappt. Bitte gehen Sie zurück, und versuchen Sie es noch einmal.",
  notFoundTitle: "Seite nicht gefunden",
  notFoundLead: "Unter dieser Adresse gibt es nichts.",

  signOutTitle: "Von {name} abmelden",
  signOutLead: "Möchten Sie sich in diesem Browser abmelden?",
  signOut: "Abmelden",
  cancel: "Abbrechen",
  signedOutTitle: "Sie sind abgemeldet",
  signedOutLead: "In diesem Browser ist niemand bei {name} angemeldet.",

  checkEmailTitle: "Sehen Sie in Ihrem Postfach nach",
  checkEmailLead: "Wir haben Ihnen einen Link gesendet. Öffnen Sie ihn in diesem Browser, um sich anzumelden.",
  checkEmailTo: "Gesendet an: {email}",
  checkEmailHelp:
    "Nach einer Minute noch keine E-Mail? Sehen Sie im Spam-Ordner nach, oder prüfen Sie Ihre Adresse und fordern Sie einen neuen Link an.",
  askAgain: "Neuen Link anfordern",
  confirmEmailTitle: "Bei {name} anmelden?",
  confirmEmailLead:
    "Sie melden sich gleich als {email} an. Fahren Sie nur fort, wenn Sie diesen Link angefordert haben.",
  backTo: "Zurück zu {name}",

  mailSubject: "Bei {name} anmelden",
  mailButton: "Anmelden",
  mailLink: "Die Schaltfläche funktioniert nicht? Öffnen Sie diesen Link:",
  mailExpires: "Der Link funktioniert einmal, bis zum {time}.",
  validFor: "Gültig für: {duration}",
  mailIgnore:
    "Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren: Ohne den Link kann sich niemand anmelden.",
  mailPasskeyAdded: "Ihrem Konto bei {name} wurde ein Passkey hinzugefügt",
  mailAccountAdded: "Ihrem Konto bei {name} wurde die Anmeldung mit {provider} hinzugefügt",
  mailTime: "Zeitpunkt: {time}",
  mailNotYou:
    "Wenn Sie das waren, brauchen Sie nichts zu tun. Wenn nicht, verwendet vielleicht jemand anderes Ihr Konto: Melden Sie sich an, entfernen Sie, was hinzugefügt wurde, beenden Sie Ihre anderen Sitzungen, und sagen Sie {name} Bescheid.",
  mailFactorCode: "{code} ist Ihr Code für {name}",
  mailFactorCodeUse: "Geben Sie ihn auf der Seite ein, die danach gefragt hat. Er gilt einmal und 10 Minuten lang.",
  mailFactorCodeNotYou:
    "Wenn Sie sich gerade nicht anmelden, versucht es vielleicht jemand anderes: Geben Sie diesen Code niemandem und informieren Sie {name}.",
};
