/**
 * The texts in Dutch.
 *
 * @module
 */
import { TEXTS as ENGLISH } from "./en.ts";
import type { Texts } from "./texts.ts";

/** Dutch. */
export const TEXTS: Texts = {
  ...ENGLISH,
  signInTitle: "Inloggen bij {name}",
  errorTitle: "Fout: {title}",
  signInWith: "Inloggen met {provider}",
  signInWithPasskey: "Inloggen met een toegangssleutel",
  signIn: "Inloggen",
  continue: "Doorgaan",
  or: "of",
  email: "E-mailadres",
  emailPlaceholder: "naam@example.com",
  emailHint: "We sturen je een e-mail waarmee je kunt inloggen.",
  username: "Gebruikersnaam",
  password: "Wachtwoord",
  lastUsed: "Laatst gebruikt",
  noMethods: "Je kunt op deze site nog niet inloggen.",
  signUp: "Account maken",
  help: "Lukt het inloggen niet?",
  terms: "Voorwaarden",
  privacy: "Privacybeleid",

  confirmTitle: "Bevestig dat jij het bent",
  confirmLead: "Het is even geleden dat je hebt ingelogd. Log opnieuw in om door te gaan.",
  addPasskeyTitle: "Een toegangssleutel toevoegen",
  addPasskeyLead: "De volgende keer kun je inloggen met je vingerafdruk, je gezicht of de pincode van je apparaat.",
  createPasskey: "Toegangssleutel maken",
  createPasskeyHint: "Voordat je een toegangssleutel maakt, krijg je een e-mail met een link.",
  passkeyUnavailable: "Voor toegangssleutels zijn JavaScript en een browser nodig die ze ondersteunt.",
  passkeyInsecure: "Toegangssleutels hebben een beveiligde verbinding nodig.",
  passkeyFollow: "Volg de stappen op je apparaat.",
  passkeyCancelled: "Het is geannuleerd, of dit apparaat heeft geen toegangssleutel voor deze site.",
  passkeyTimeout: "Dat duurde te lang. Probeer het opnieuw.",
  passkeyAddress: "Toegangssleutels werken niet op dit adres.",
  passkeyExists: "Dit apparaat heeft hier al een toegangssleutel. Log daarmee in.",
  passkeyOffline: "De site is niet bereikbaar. Controleer je verbinding.",
  passkeyFailed: "Dat is niet gelukt. Probeer een andere manier.",

  errorCancelled: "Je hebt het inloggen met {provider} geannuleerd. Probeer het opnieuw of kies een andere manier.",
  errorAnotherWay: "Dat is niet gelukt. Probeer een ander account of een andere manier om in te loggen.",
  errorNotLinked: "Je hebt hier al een account. Log in zoals je de eerste keer hebt gedaan.",
  errorNotLinkedLast: "De laatste keer is in deze browser ingelogd met {provider}.",
  errorEmail: "We konden je geen e-mail sturen. Controleer het adres en probeer het opnieuw.",
  errorCredentials: "We konden je met deze gegevens niet inloggen. Controleer ze en probeer het opnieuw.",
  errorTooMany: "Er waren te veel pogingen. Wacht even, of log op een andere manier in.",
  errorTooManyWait: "Probeer het over {duration} opnieuw.",
  errorTooManyCheck: "Er waren te veel pogingen. Na de controle hieronder kun je doorgaan.",
  errorSessionRequired: "Log in om deze pagina te bekijken.",
  errorDefault: "Het inloggen is niet gelukt. Probeer het opnieuw.",

  challengeWorking: "Je browser lost een kleine rekenopgave op die misbruik tegengaat. Je kunt doorgaan met typen.",
  challengeReady: "De opgave is opgelost. Je kunt doorgaan.",
  challengeSending: "Een ogenblik. Het formulier wordt vanzelf verzonden.",
  challengeWait: "Zonder JavaScript verschijnt de knop na een wachttijd: {duration}.",
  challengeNeedsScript: "Voor deze controle is JavaScript nodig.",

  unavailableTitle: "Inloggen is niet mogelijk",
  unavailableLead:
    "Het probleem ligt bij ons, niet bij jou. Beheer je deze site? Bekijk dan de details in het logboek van de server.",
  deniedTitle: "Geen toegang",
  deniedLead: "Met dit account mag je hier niet inloggen.",
  anotherAccount: "Een ander account gebruiken",
  expiredTitle: "Log opnieuw in",
  expiredLead: "Deze link of inlogpoging is al gebruikt of verlopen.",
  passkeyRefusedTitle: "Deze toegangssleutel kan niet worden gebruikt",
  passkeyRefusedLead:
    "Als je hier een account hebt, log dan in zoals je gewend bent. Daarna kun je een toegangssleutel toevoegen.",
  failedTitle: "Er is iets misgegaan",
  failedLead: "Dat is niet gelukt. Ga terug en probeer het opnieuw.",
  notFoundTitle: "Pagina niet gevonden",
  notFoundLead: "Op dit adres is niets te vinden.",

  signOutTitle: "Uitloggen bij {name}",
  signOutLead: "Wil je je sessie in deze browser beëindigen?",
  signOut: "Uitloggen",
  cancel: "Annuleren",
  signedOutTitle: "Je bent uitgelogd",
  signedOutLead: "In deze browser is niemand ingelogd bij {name}.",

  checkEmailTitle: "Bekijk je e-mail",
  checkEmailLead: "We hebben je een link gestuurd. Open hem in deze browser om in te loggen.",
  checkEmailTo: "Verstuurd naar: {email}",
  checkEmailHelp:
    "Na een minuut nog geen e-mail? Kijk in je spammap, of controleer je adres en vraag een nieuwe link aan.",
  askAgain: "Een nieuwe link aanvragen",
  confirmEmailTitle: "Inloggen bij {name}?",
  confirmEmailLead: "Je staat op het punt in te loggen als {email}. Ga alleen door als je om deze link hebt gevraagd.",
  backTo: "Terug naar {name}",

  mailSubject: "Inloggen bij {name}",
  mailButton: "Inloggen",
  mailLink: "Werkt de knop niet? Open deze link:",
  mailExpires: "De link werkt één keer, tot {time}.",
  validFor: "Geldig: {duration}",
  mailIgnore: "Heb je hier niet om gevraagd? Dan kun je deze e-mail negeren: zonder de link kan niemand inloggen.",
  mailPasskeyAdded: "Er is een toegangssleutel toegevoegd aan je account bij {name}",
  mailAccountAdded: "Inloggen met {provider} is toegevoegd aan je account bij {name}",
  mailTime: "Tijdstip: {time}",
  mailNotYou:
    "Heb je dit zelf gedaan? Dan hoef je niets te doen. Zo niet, dan gebruikt misschien iemand anders je account: log in, verwijder wat is toegevoegd, beëindig je andere sessies en laat het {name} weten.",
  mailFactorCode: "{code} is je code voor {name}",
  mailFactorCodeUse: "Typ hem op de pagina die erom vroeg. Hij werkt één keer, 10 minuten lang.",
  mailFactorCodeNotYou:
    "Als je nu niet aan het inloggen bent, probeert iemand anders het misschien: geef deze code aan niemand en laat het {name} weten.",
};
