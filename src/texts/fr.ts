/**
 * The texts in French.
 *
 * @module
 */
import { TEXTS as ENGLISH } from "./en.ts";
import type { Texts } from "./texts.ts";

/** French. */
export const TEXTS: Texts = {
  ...ENGLISH,
  signInTitle: "Se connecter à {name}",
  errorTitle: "Erreur\u00a0: {title}",
  signInWith: "Se connecter avec {provider}",
  signInWithPasskey: "Se connecter avec une clé d’accès",
  signIn: "Se connecter",
  continue: "Continuer",
  or: "ou",
  email: "Adresse e-mail",
  emailPlaceholder: "vous@example.com",
  emailHint: "Nous vous enverrons un e-mail qui vous permettra de vous connecter.",
  username: "Nom d’utilisateur",
  password: "Mot de passe",
  lastUsed: "Dernière utilisation",
  noMethods: "Il n’est pas encore possible de se connecter à ce site.",
  signUp: "Créer un compte",
  help: "Des difficultés à vous connecter\u202f?",
  terms: "Conditions d’utilisation",
  privacy: "Confidentialité",

  confirmTitle: "Confirmez que c’est bien vous",
  confirmLead: "Votre dernière connexion remonte à un certain temps. Reconnectez-vous pour continuer.",
  addPasskeyTitle: "Ajouter une clé d’accès",
  addPasskeyLead:
    "La prochaine fois, vous pourrez vous connecter avec votre empreinte digitale, votre visage ou le code PIN de votre appareil.",
  createPasskey: "Créer une clé d’accès",
  createPasskeyHint: "Avant de créer une clé d’accès, vous recevrez un e-mail avec un lien.",
  passkeyUnavailable: "Les clés d’accès nécessitent JavaScript et un navigateur compatible.",
  passkeyInsecure: "Les clés d’accès nécessitent une connexion sécurisée.",
  passkeyFollow: "Suivez les instructions sur votre appareil.",
  passkeyCancelled: "L’opération a été annulée, ou cet appareil n’a pas de clé d’accès pour ce site.",
  passkeyTimeout: "L’opération a pris trop de temps. Réessayez.",
  passkeyAddress: "Les clés d’accès ne fonctionnent pas à cette adresse.",
  passkeyExists: "Cet appareil a déjà une clé d’accès pour ce site. Utilisez-la pour vous connecter.",
  passkeyOffline: "Le site est injoignable. Vérifiez votre connexion à Internet.",
  passkeyFailed: "L’opération a échoué. Essayez une autre méthode.",

  errorCancelled: "Vous avez annulé la connexion avec {provider}. Réessayez ou choisissez une autre méthode.",
  errorAnotherWay: "La connexion a échoué. Veuillez essayer avec un autre compte ou une autre méthode de connexion.",
  errorNotLinked: "Vous avez déjà un compte ici. Veuillez vous connecter comme la première fois.",
  errorNotLinkedLast: "La dernière connexion dans ce navigateur s’est faite avec {provider}.",
  errorEmail: "Nous n’avons pas pu vous envoyer d’e-mail. Veuillez vérifier l’adresse et réessayer.",
  errorCredentials: "Nous n’avons pas pu vous connecter avec ces informations. Veuillez les vérifier et réessayer.",
  errorTooMany: "Il y a eu trop de tentatives. Patientez un peu, ou connectez-vous autrement.",
  errorTooManyWait: "Réessayez dans {duration}.",
  errorTooManyCheck: "Il y a eu trop de tentatives. Vous pourrez continuer après la vérification ci-dessous.",
  errorSessionRequired: "Veuillez vous connecter pour voir cette page.",
  errorDefault: "La connexion a échoué. Veuillez réessayer.",

  challengeWorking:
    "Votre navigateur effectue un petit calcul qui protège contre les abus. Vous pouvez continuer à écrire.",
  challengeReady: "Le calcul est terminé. Vous pouvez continuer.",
  challengeSending: "Un instant. Le formulaire sera envoyé automatiquement.",
  challengeWait: "Sans JavaScript, le bouton apparaît après une attente\u00a0: {duration}.",
  challengeNeedsScript: "Cette vérification nécessite JavaScript.",

  unavailableTitle: "Connexion indisponible",
  unavailableLead:
    "Le problème vient de nous, pas de vous. Si vous gérez ce site, consultez le journal du serveur pour en savoir plus.",
  deniedTitle: "Accès refusé",
  deniedLead: "Ce compte n’est pas autorisé à se connecter ici.",
  anotherAccount: "Utiliser un autre compte",
  expiredTitle: "Veuillez vous reconnecter",
  expiredLead: "Ce lien ou cette connexion a déjà été utilisé ou a expiré.",
  passkeyRefusedTitle: "Impossible d’utiliser cette clé d’accès",
  passkeyRefusedLead:
    "Si vous avez un compte ici, connectez-vous comme d’habitude. Vous pourrez ensuite ajouter une clé d’accès.",
  failedTitle: "Une erreur s’est produite",
  failedLead: "L’opération a échoué. Veuillez revenir en arrière et réessayer.",
  notFoundTitle: "Page introuvable",
  notFoundLead: "Il n’y a rien à cette adresse.",

  signOutTitle: "Se déconnecter de {name}",
  signOutLead: "Voulez-vous mettre fin à votre session dans ce navigateur\u202f?",
  signOut: "Se déconnecter",
  cancel: "Annuler",
  signedOutTitle: "Vous êtes déconnecté",
  signedOutLead: "Personne n’est connecté à {name} dans ce navigateur.",

  checkEmailTitle: "Consultez votre messagerie",
  checkEmailLead: "Nous vous avons envoyé un lien. Ouvrez-le dans ce navigateur pour vous connecter.",
  checkEmailTo: "Envoyé à\u00a0: {email}",
  checkEmailHelp:
    "Aucun e-mail au bout d’une minute\u202f? Regardez dans vos courriers indésirables, ou vérifiez votre adresse et demandez un nouveau lien.",
  askAgain: "Demander un nouveau lien",
  confirmEmailTitle: "Se connecter à {name}\u202f?",
  confirmEmailLead:
    "Vous êtes sur le point de vous connecter en tant que {email}. Ne continuez que si vous avez demandé ce lien.",
  backTo: "Retour à {name}",

  mailSubject: "Se connecter à {name}",
  mailButton: "Se connecter",
  mailLink: "Le bouton ne fonctionne pas\u202f? Ouvrez ce lien\u00a0:",
  mailExpires: "Le lien fonctionne une seule fois, jusqu’au {time}.",
  validFor: "Durée de validité\u00a0: {duration}",
  mailIgnore:
    "Si vous ne l’avez pas demandé, vous pouvez ignorer cet e-mail\u00a0: sans le lien, personne ne peut se connecter.",
  mailPasskeyAdded: "Une clé d’accès a été ajoutée à votre compte sur {name}",
  mailAccountAdded: "La connexion avec {provider} a été ajoutée à votre compte sur {name}",
  mailTime: "Date\u00a0: {time}",
  mailNotYou:
    "Si c’était vous, vous n’avez rien à faire. Sinon, quelqu’un d’autre utilise peut-être votre compte\u00a0: connectez-vous, supprimez ce qui a été ajouté, mettez fin à vos autres sessions et prévenez {name}.",
  mailFactorCode: "{code} est votre code pour {name}",
  mailFactorCodeUse: "Saisissez-le sur la page qui l’a demandé. Il est valable une seule fois, pendant 10 minutes.",
  mailFactorCodeNotYou:
    "Si vous n’êtes pas en train de vous connecter, quelqu’un d’autre essaie peut-être\u00a0: ne donnez ce code à personne et prévenez {name}.",
};
