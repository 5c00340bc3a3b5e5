/**
 * The texts in Italian.
 *
 * @module
 */
import { TEXTS as ENGLISH } from "./en.ts";
import type { Texts } from "./texts.ts";

/** Italian. */
export const TEXTS: Texts = {
  ...ENGLISH,
  signInTitle: "Accedi a {name}",
  errorTitle: "Errore: {title}",
  signInWith: "Accedi con {provider}",
  signInWithPasskey: "Accedi con una passkey",
  signIn: "Accedi",
  continue: "Continua",
  or: "oppure",
  email: "Indirizzo email",
  emailPlaceholder: "nome@example.com",
  emailHint: "Ti invieremo un’email per accedere.",
  username: "Nome utente",
  password: "Password",
  lastUsed: "Usato l’ultima volta",
  noMethods: "Non è ancora possibile accedere a questo sito.",
  signUp: "Crea un account",
  help: "Problemi di accesso?",
  terms: "Termini di servizio",
  privacy: "Informativa sulla privacy",

  confirmTitle: "Conferma che sei tu",
  confirmLead: "È passato un po’ di tempo dal tuo ultimo accesso. Accedi di nuovo per continuare.",
  addPasskeyTitle: "Aggiungi una passkey",
  addPasskeyLead: "La prossima volta potrai accedere con l’impronta digitale, il volto o il PIN del tuo dispositivo.",
  createPasskey: "Crea una passkey",
  createPasskeyHint: "Prima di creare una passkey, riceverai un’email con un link.",
  passkeyUnavailable: "Le passkey richiedono JavaScript e un browser che le supporti.",
  passkeyInsecure: "Le passkey richiedono una connessione sicura.",
  passkeyFollow: "Segui i passaggi sul tuo dispositivo.",
  passkeyCancelled: "L’operazione è stata annullata, oppure questo dispositivo non ha una passkey per questo sito.",
  passkeyTimeout: "È passato troppo tempo. Riprova.",
  passkeyAddress: "Le passkey non funzionano a questo indirizzo.",
  passkeyExists: "Questo dispositivo ha già una passkey per questo sito. Usala per accedere.",
  passkeyOffline: "Il sito non è raggiungibile. Controlla la connessione.",
  passkeyFailed: "Non ha funzionato. Prova in un altro modo.",

  errorCancelled: "Hai annullato l’accesso con {provider}. Riprova o scegli un altro modo.",
  errorAnotherWay: "Non ha funzionato. Prova con un altro account o con un altro modo di accedere.",
  errorNotLinked: "Hai già un account qui. Accedi come hai fatto la prima volta.",
  errorNotLinkedLast: "L’ultimo accesso in questo browser è avvenuto con {provider}.",
  errorEmail: "Non siamo riusciti a inviarti l’email. Controlla l’indirizzo e riprova.",
  errorCredentials: "Non è stato possibile accedere con questi dati. Controllali e riprova.",
  errorTooMany: "Ci sono stati troppi tentativi. Attendi un po’ o accedi in un altro modo.",
  errorTooManyWait: "Riprova tra {duration}.",
  errorTooManyCheck: "Ci sono stati troppi tentativi. Puoi continuare dopo la verifica qui sotto.",
  errorSessionRequired: "Accedi per vedere questa pagina.",
  errorDefault: "Non è stato possibile accedere. Riprova.",

  challengeWorking:
    "Il browser sta risolvendo un piccolo calcolo che protegge dagli abusi. Puoi continuare a scrivere.",
  challengeReady: "Il calcolo è risolto. Puoi continuare.",
  challengeSending: "Un momento. Il modulo verrà inviato automaticamente.",
  challengeWait: "Senza JavaScript, il pulsante appare dopo un’attesa: {duration}.",
  challengeNeedsScript: "Questa verifica richiede JavaScript.",

  unavailableTitle: "Accesso non disponibile",
  unavailableLead: "Il problema è nostro, non tuo. Se gestisci questo sito, trovi i dettagli nel registro del server.",
  deniedTitle: "Accesso negato",
  deniedLead: "Questo account non è autorizzato ad accedere qui.",
  anotherAccount: "Usa un altro account",
  expiredTitle: "Accedi di nuovo",
  expiredLead: "Questo link o questo accesso è già stato usato oppure è scaduto.",
  passkeyRefusedTitle: "Questa passkey non può essere usata",
  passkeyRefusedLead: "Se hai un account qui, accedi come facevi prima. Poi potrai aggiungere una passkey.",
  failedTitle: "Qualcosa è andato storto",
  failedLead: "Non ha funzionato. Torna indietro e riprova.",
  notFoundTitle: "Pagina non trovata",
  notFoundLead: "A questo indirizzo non c’è niente.",

  signOutTitle: "Esci da {name}",
  signOutLead: "Vuoi terminare la tua sessione in questo browser?",
  signOut: "Esci",
  cancel: "Annulla",
  signedOutTitle: "Non hai eseguito l’accesso",
  signedOutLead: "Nessuno ha eseguito l’accesso a {name} in questo browser.",

  checkEmailTitle: "Controlla la tua email",
  checkEmailLead: "Ti abbiamo inviato un link. Aprilo in questo browser per accedere.",
  checkEmailTo: "Inviato a: {email}",
  checkEmailHelp:
    "Nessuna email dopo un minuto? Guarda nella cartella dello spam, oppure controlla l’indirizzo e richiedi un altro link.",
  askAgain: "Richiedi un altro link",
  confirmEmailTitle: "Accedere a {name}?",
  confirmEmailLead: "Stai per accedere come {email}. Continua solo se hai richiesto questo link.",
  backTo: "Torna a {name}",

  mailSubject: "Accedi a {name}",
  mailButton: "Accedi",
  mailLink: "Il pulsante non funziona? Apri questo link:",
  mailExpires: "Il link funziona una sola volta, fino al {time}.",
  validFor: "Validità: {duration}",
  mailIgnore: "Se non l’hai richiesto, puoi ignorare questa email: senza il link non entra nessuno.",
  mailPasskeyAdded: "È stata aggiunta una passkey al tuo account su {name}",
  mailAccountAdded: "È stato aggiunto l’accesso con {provider} al tuo account su {name}",
  mailTime: "Data: {time}",
  mailNotYou:
    "Se l’hai fatto tu, non devi fare nulla. Altrimenti un’altra persona potrebbe usare il tuo account: accedi, rimuovi ciò che è stato aggiunto, termina le altre sessioni e avvisa {name}.",
  mailFactorCode: "{code} è il tuo codice per {name}",
  mailFactorCodeUse: "Scrivilo nella pagina che lo ha chiesto. Vale una sola volta, per 10 minuti.",
  mailFactorCodeNotYou:
    "Se non stai accedendo in questo momento, forse ci sta provando qualcun altro: non dare questo codice a nessuno e avvisa {name}.",
};
