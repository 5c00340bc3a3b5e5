/**
 * The texts in Polish.
 *
 * @module
 */
import { TEXTS as ENGLISH } from "./en.ts";
import type { Texts } from "./texts.ts";

/** Polish. */
export const TEXTS: Texts = {
  ...ENGLISH,
  signInTitle: "Zaloguj się do {name}",
  errorTitle: "Błąd: {title}",
  signInWith: "Zaloguj się przez {provider}",
  signInWithPasskey: "Zaloguj się kluczem dostępu",
  signIn: "Zaloguj się",
  continue: "Dalej",
  or: "lub",
  email: "Adres e-mail",
  emailPlaceholder: "imie@example.com",
  emailHint: "Wyślemy Ci e-mail, który pozwoli Ci się zalogować.",
  username: "Nazwa użytkownika",
  password: "Hasło",
  lastUsed: "Ostatnio używane",
  noMethods: "W tej witrynie nie można się jeszcze zalogować.",
  signUp: "Utwórz konto",
  help: "Problemy z logowaniem?",
  terms: "Warunki korzystania",
  privacy: "Polityka prywatności",

  confirmTitle: "Potwierdź, że to Ty",
  confirmLead: "Od ostatniego logowania minęło trochę czasu. Zaloguj się ponownie, aby kontynuować.",
  addPasskeyTitle: "Dodaj klucz dostępu",
  addPasskeyLead: "Następnym razem zalogujesz się odciskiem palca, skanem twarzy lub kodem PIN swojego urządzenia.",
  createPasskey: "Utwórz klucz dostępu",
  createPasskeyHint: "Zanim utworzysz klucz dostępu, otrzymasz e-mail z linkiem.",
  passkeyUnavailable: "Klucze dostępu wymagają JavaScriptu i przeglądarki, która je obsługuje.",
  passkeyInsecure: "Klucze dostępu wymagają bezpiecznego połączenia.",
  passkeyFollow: "Postępuj zgodnie z instrukcjami na swoim urządzeniu.",
  passkeyCancelled: "Operację anulowano lub na tym urządzeniu nie ma klucza dostępu do tej witryny.",
  passkeyTimeout: "To trwało zbyt długo. Spróbuj ponownie.",
  passkeyAddress: "Klucze dostępu nie działają pod tym adresem.",
  passkeyExists: "Na tym urządzeniu jest już klucz dostępu do tej witryny. Użyj go, aby się zalogować.",
  passkeyOffline: "Nie można połączyć się z witryną. Sprawdź połączenie.",
  passkeyFailed: "Nie udało się. Spróbuj innego sposobu.",

  errorCancelled: "Logowanie przez {provider} zostało anulowane. Spróbuj ponownie lub wybierz inny sposób.",
  errorAnotherWay: "Nie udało się. Spróbuj użyć innego konta lub innego sposobu logowania.",
  errorNotLinked: "Masz już tutaj konto. Zaloguj się tak jak za pierwszym razem.",
  errorNotLinkedLast: "Ostatnie logowanie w tej przeglądarce: {provider}.",
  errorEmail: "Nie udało się wysłać e-maila. Sprawdź adres i spróbuj ponownie.",
  errorCredentials: "Nie udało się zalogować przy użyciu tych danych. Sprawdź je i spróbuj ponownie.",
  errorTooMany: "Było zbyt wiele prób. Odczekaj chwilę lub zaloguj się w inny sposób.",
  errorTooManyWait: "Następna próba możliwa za: {duration}.",
  errorTooManyCheck: "Było zbyt wiele prób. Po weryfikacji poniżej można kontynuować.",
  errorSessionRequired: "Zaloguj się, aby zobaczyć tę stronę.",
  errorDefault: "Nie udało się zalogować. Spróbuj ponownie.",

  challengeWorking: "Przeglądarka rozwiązuje małe zadanie, które chroni przed nadużyciami. Możesz dalej pisać.",
  challengeReady: "Zadanie rozwiązane. Możesz kontynuować.",
  challengeSending: "Chwileczkę. Formularz zostanie wysłany automatycznie.",
  challengeWait: "Bez JavaScriptu przycisk pojawi się po odczekaniu: {duration}.",
  challengeNeedsScript: "Ta weryfikacja wymaga JavaScriptu.",

  unavailableTitle: "Logowanie jest niedostępne",
  unavailableLead:
    "Problem leży po naszej stronie, nie po Twojej. Jeśli prowadzisz tę witrynę, szczegóły znajdziesz w dzienniku serwera.",
  deniedTitle: "Brak dostępu",
  deniedLead: "Tym kontem nie można się tutaj zalogować.",
  anotherAccount: "Użyj innego konta",
  expiredTitle: "Zaloguj się ponownie",
  expiredLead: "Ten link lub to logowanie zostało już wykorzystane albo wygasło.",
  passkeyRefusedTitle: "Nie można użyć tego klucza dostępu",
  passkeyRefusedLead: "Jeśli masz tutaj konto, zaloguj się tak jak dotychczas. Potem możesz dodać klucz dostępu.",
  failedTitle: "Coś poszło nie tak",
  failedLead: "Nie udało się. Wróć i spróbuj ponownie.",
  notFoundTitle: "Nie znaleziono strony",
  notFoundLead: "Pod tym adresem nic nie ma.",

  signOutTitle: "Wyloguj się z {name}",
  signOutLead: "Czy chcesz zakończyć sesję w tej przeglądarce?",
  signOut: "Wyloguj się",
  cancel: "Anuluj",
  signedOutTitle: "Wylogowano",
  signedOutLead: "W tej przeglądarce nikt nie jest zalogowany do {name}.",

  checkEmailTitle: "Sprawdź pocztę",
  checkEmailLead: "Wysłaliśmy Ci link. Otwórz go w tej przeglądarce, aby się zalogować.",
  checkEmailTo: "Wysłano na adres: {email}",
  checkEmailHelp:
    "Po minucie nadal nie ma e-maila? Zajrzyj do folderu ze spamem albo sprawdź adres i poproś o nowy link.",
  askAgain: "Poproś o nowy link",
  confirmEmailTitle: "Zalogować się do {name}?",
  confirmEmailLead: "Za chwilę zalogujesz się jako {email}. Kontynuuj tylko, jeśli ten link wysłano na Twoją prośbę.",
  backTo: "Wróć do {name}",

  mailSubject: "Zaloguj się do {name}",
  mailButton: "Zaloguj się",
  mailLink: "Przycisk nie działa? Otwórz ten link:",
  mailExpires: "Link działa tylko raz, do {time}.",
  validFor: "Ważność: {duration}",
  mailIgnore: "Jeśli nie wysłano go na Twoją prośbę, zignoruj tę wiadomość: bez linku nikt się nie zaloguje.",
  mailPasskeyAdded: "Do Twojego konta w {name} dodano klucz dostępu",
  mailAccountAdded: "Do Twojego konta w {name} dodano logowanie przez {provider}",
  mailTime: "Data: {time}",
  mailNotYou:
    "Jeśli to Ty, nie musisz nic robić. Jeśli nie, ktoś inny może używać Twojego konta: zaloguj się, usuń to, co dodano, zakończ pozostałe sesje i powiadom {name}.",
  mailFactorCode: "{code} to Twój kod do {name}",
  mailFactorCodeUse: "Wpisz go na stronie, która o niego poprosiła. Działa raz, przez 10 minut.",
  mailFactorCodeNotYou:
    "Jeśli teraz się nie logujesz, może próbować ktoś inny: nie podawaj nikomu tego kodu i powiadom {name}.",
};
