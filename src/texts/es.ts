/**
 * The texts in Spanish.
 *
 * @module
 */
import { TEXTS as ENGLISH } from "./en.ts";
import type { Texts } from "./texts.ts";

/** Spanish. */
export const TEXTS: Texts = {
  ...ENGLISH,
  signInTitle: "Iniciar sesión en {name}",
  errorTitle: "Error: {title}",
  signInWith: "Iniciar sesión con {provider}",
  signInWithPasskey: "Iniciar sesión con una llave de acceso",
  signIn: "Iniciar sesión",
  continue: "Continuar",
  or: "o",
  email: "Correo electrónico",
  emailPlaceholder: "tu@example.com",
  emailHint: "Te enviaremos un correo para que inicies sesión.",
  username: "Nombre de usuario",
  password: "Contraseña",
  lastUsed: "Usado la última vez",
  noMethods: "Todavía no se puede iniciar sesión en este sitio.",
  signUp: "Crear una cuenta",
  help: "¿Tienes problemas para iniciar sesión?",
  terms: "Condiciones del servicio",
  privacy: "Política de privacidad",

  confirmTitle: "Confirma que eres tú",
  confirmLead: "Ha pasado un tiempo desde que iniciaste sesión. Vuelve a iniciarla para continuar.",
  addPasskeyTitle: "Añadir una llave de acceso",
  addPasskeyLead: "La próxima vez podrás iniciar sesión con tu huella dactilar, tu cara o el PIN de tu dispositivo.",
  createPasskey: "Crear una llave de acceso",
  createPasskeyHint: "Antes de crear una llave de acceso, recibirás un correo con un enlace.",
  passkeyUnavailable: "Las llaves de acceso necesitan JavaScript y un navegador compatible.",
  passkeyInsecure: "Las llaves de acceso necesitan una conexión segura.",
  passkeyFollow: "Sigue los pasos en tu dispositivo.",
  passkeyCancelled: "Se ha cancelado, o este dispositivo no tiene una llave de acceso para este sitio.",
  passkeyTimeout: "Ha tardado demasiado. Inténtalo de nuevo.",
  passkeyAddress: "Las llaves de acceso no funcionan en esta dirección.",
  passkeyExists: "Este dispositivo ya tiene una llave de acceso para este sitio. Inicia sesión con ella.",
  passkeyOffline: "No se puede acceder al sitio. Comprueba tu conexión.",
  passkeyFailed: "No ha funcionado. Prueba de otra forma.",

  errorCancelled: "Has cancelado el inicio de sesión con {provider}. Inténtalo de nuevo o elige otra forma.",
  errorAnotherWay: "No ha funcionado. Prueba con otra cuenta o con otra forma de iniciar sesión.",
  errorNotLinked: "Ya tienes una cuenta aquí. Inicia sesión como la primera vez.",
  errorNotLinkedLast: "El último inicio de sesión en este navegador fue con {provider}.",
  errorEmail: "No hemos podido enviarte el correo. Comprueba la dirección e inténtalo de nuevo.",
  errorCredentials: "No hemos podido iniciar tu sesión con estos datos. Compruébalos e inténtalo de nuevo.",
  errorTooMany: "Ha habido demasiados intentos. Espera un poco o inicia sesión de otra forma.",
  errorTooManyWait: "Vuelve a intentarlo dentro de {duration}.",
  errorTooManyCheck: "Ha habido demasiados intentos. Podrás continuar después de la comprobación de abajo.",
  errorSessionRequired: "Inicia sesión para ver esta página.",
  errorDefault: "No se ha podido iniciar sesión. Inténtalo de nuevo.",

  challengeWorking:
    "Tu navegador está resolviendo un pequeño cálculo que protege contra abusos. Puedes seguir escribiendo.",
  challengeReady: "El cálculo está resuelto. Puedes continuar.",
  challengeSending: "Un momento. El formulario se enviará solo.",
  challengeWait: "Sin JavaScript, el botón aparece tras una espera: {duration}.",
  challengeNeedsScript: "Esta comprobación necesita JavaScript.",

  unavailableTitle: "El inicio de sesión no está disponible",
  unavailableLead:
    "El problema es nuestro, no tuyo. Si administras este sitio, consulta los detalles en el registro del servidor.",
  deniedTitle: "Sin acceso",
  deniedLead: "Esta cuenta no tiene permiso para iniciar sesión aquí.",
  anotherAccount: "Usar otra cuenta",
  expiredTitle: "Vuelve a iniciar sesión",
  expiredLead: "Este enlace o inicio de sesión ya se ha usado o ha caducado.",
  passkeyRefusedTitle: "Esta llave de acceso no se puede usar",
  passkeyRefusedLead:
    "Si tienes una cuenta aquí, inicia sesión como siempre. Después podrás añadir una llave de acceso.",
  failedTitle: "Algo ha salido mal",
  failedLead: "No ha funcionado. Vuelve atrás e inténtalo de nuevo.",
  notFoundTitle: "Página no encontrada",
  notFoundLead: "No hay nada en esta dirección.",

  signOutTitle: "Cerrar sesión en {name}",
  signOutLead: "¿Quieres cerrar tu sesión en este navegador?",
  signOut: "Cerrar sesión",
  cancel: "Cancelar",
  signedOutTitle: "Has cerrado sesión",
  signedOutLead: "Nadie ha iniciado sesión en {name} en este navegador.",

  checkEmailTitle: "Revisa tu correo",
  checkEmailLead: "Te hemos enviado un enlace. Ábrelo en este navegador para iniciar sesión.",
  checkEmailTo: "Enviado a: {email}",
  checkEmailHelp:
    "¿No ha llegado nada después de un minuto? Mira en la carpeta de spam, o comprueba tu dirección y pide otro enlace.",
  askAgain: "Pedir otro enlace",
  confirmEmailTitle: "¿Iniciar sesión en {name}?",
  confirmEmailLead: "Vas a iniciar sesión como {email}. Continúa solo si has pedido este enlace.",
  backTo: "Volver a {name}",

  mailSubject: "Iniciar sesión en {name}",
  mailButton: "Iniciar sesión",
  mailLink: "¿No funciona el botón? Abre este enlace:",
  mailExpires: "El enlace funciona una sola vez, hasta el {time}.",
  validFor: "Validez: {duration}",
  mailIgnore: "Si no lo has pedido, puedes ignorar este correo: sin el enlace no puede entrar nadie.",
  mailPasskeyAdded: "Se ha añadido una llave de acceso a tu cuenta de {name}",
  mailAccountAdded: "Se ha añadido el inicio de sesión con {provider} a tu cuenta de {name}",
  mailTime: "Fecha: {time}",
  mailNotYou:
    "Si has sido tú, no tienes que hacer nada. Si no, puede que otra persona esté usando tu cuenta: inicia sesión, elimina lo que se ha añadido, cierra tus otras sesiones y avisa a {name}.",
  mailFactorCode: "{code} es tu código para {name}",
  mailFactorCodeUse: "Escríbelo en la página que lo pidió. Sirve una sola vez, durante 10 minutos.",
  mailFactorCodeNotYou:
    "Si no estás iniciando sesión ahora, puede que otra persona lo esté intentando: no des este código a nadie y avisa a {name}.",
};
