/**
 * The texts in Portuguese, as it is written in Brazil.
 *
 * @module
 */
import { TEXTS as ENGLISH } from "./en.ts";
import type { Texts } from "./texts.ts";

/** Portuguese (Brazil). */
export const TEXTS: Texts = {
  ...ENGLISH,
  signInTitle: "Entrar em {name}",
  errorTitle: "Erro: {title}",
  signInWith: "Entrar com {provider}",
  signInWithPasskey: "Entrar com uma chave de acesso",
  signIn: "Entrar",
  continue: "Continuar",
  or: "ou",
  email: "E-mail",
  emailPlaceholder: "voce@example.com",
  emailHint: "Enviaremos um e-mail para você entrar.",
  username: "Nome de usuário",
  password: "Senha",
  lastUsed: "Usado na última vez",
  noMethods: "Ainda não é possível entrar neste site.",
  signUp: "Criar uma conta",
  help: "Problemas para entrar?",
  terms: "Termos de serviço",
  privacy: "Política de privacidade",

  confirmTitle: "Confirme que é você",
  confirmLead: "Já faz algum tempo que você entrou. Entre novamente para continuar.",
  addPasskeyTitle: "Adicionar uma chave de acesso",
  addPasskeyLead:
    "Da próxima vez, você poderá entrar com sua impressão digital, seu rosto ou o PIN do seu dispositivo.",
  createPasskey: "Criar uma chave de acesso",
  createPasskeyHint: "Antes de criar uma chave de acesso, você receberá um e-mail com um link.",
  passkeyUnavailable: "As chaves de acesso precisam de JavaScript e de um navegador compatível.",
  passkeyInsecure: "As chaves de acesso precisam de uma conexão segura.",
  passkeyFollow: "Siga as etapas no seu dispositivo.",
  passkeyCancelled: "A operação foi cancelada, ou este dispositivo não tem uma chave de acesso para este site.",
  passkeyTimeout: "Demorou demais. Tente novamente.",
  passkeyAddress: "As chaves de acesso não funcionam neste endereço.",
  passkeyExists: "Este dispositivo já tem uma chave de acesso para este site. Entre com ela.",
  passkeyOffline: "Não foi possível acessar o site. Verifique sua conexão.",
  passkeyFailed: "Não funcionou. Tente de outra forma.",

  errorCancelled: "Você cancelou a entrada com {provider}. Tente novamente ou escolha outra forma.",
  errorAnotherWay: "Não funcionou. Tente com outra conta ou com outra forma de entrar.",
  errorNotLinked: "Você já tem uma conta aqui. Entre da mesma forma que na primeira vez.",
  errorNotLinkedLast: "O último acesso neste navegador foi com {provider}.",
  errorEmail: "Não foi possível enviar o e-mail. Verifique o endereço e tente novamente.",
  errorCredentials: "Não foi possível entrar com esses dados. Verifique-os e tente novamente.",
  errorTooMany: "Houve tentativas demais. Aguarde um pouco ou entre de outra forma.",
  errorTooManyWait: "Tente novamente em {duration}.",
  errorTooManyCheck: "Houve tentativas demais. Você pode continuar depois da verificação abaixo.",
  errorSessionRequired: "Entre para ver esta página.",
  errorDefault: "Não foi possível entrar. Tente novamente.",

  challengeWorking:
    "Seu navegador está resolvendo um pequeno cálculo que protege contra abusos. Você pode continuar digitando.",
  challengeReady: "O cálculo foi resolvido. Você pode continuar.",
  challengeSending: "Um momento. O formulário será enviado automaticamente.",
  challengeWait: "Sem JavaScript, o botão aparece após uma espera: {duration}.",
  challengeNeedsScript: "Esta verificação precisa de JavaScript.",

  unavailableTitle: "Não é possível entrar no momento",
  unavailableLead:
    "O problema é nosso, não seu. Se você administra este site, consulte os detalhes no log do servidor.",
  deniedTitle: "Sem acesso",
  deniedLead: "Esta conta não tem permissão para entrar aqui.",
  anotherAccount: "Usar outra conta",
  expiredTitle: "Entre novamente",
  expiredLead: "Este link ou acesso já foi usado ou expirou.",
  passkeyRefusedTitle: "Não é possível usar esta chave de acesso",
  passkeyRefusedLead: "Se você tem uma conta aqui, entre como antes. Depois você poderá adicionar uma chave de acesso.",
  failedTitle: "Algo deu errado",
  failedLead: "Não funcionou. Volte e tente novamente.",
  notFoundTitle: "Página não encontrada",
  notFoundLead: "Não há nada neste endereço.",

  signOutTitle: "Sair de {name}",
  signOutLead: "Quer encerrar sua sessão neste navegador?",
  signOut: "Sair",
  cancel: "Cancelar",
  signedOutTitle: "Você saiu da conta",
  signedOutLead: "Ninguém está conectado a {name} neste navegador.",

  checkEmailTitle: "Verifique seu e-mail",
  checkEmailLead: "Enviamos um link para você. Abra-o neste navegador para entrar.",
  checkEmailTo: "Enviado para: {email}",
  checkEmailHelp:
    "Nenhum e-mail depois de um minuto? Procure na pasta de spam, ou verifique seu endereço e peça outro link.",
  askAgain: "Pedir outro link",
  confirmEmailTitle: "Entrar em {name}?",
  confirmEmailLead: "Você está prestes a entrar como {email}. Continue somente se você pediu este link.",
  backTo: "Voltar para {name}",

  mailSubject: "Entrar em {name}",
  mailButton: "Entrar",
  mailLink: "O botão não funciona? Abra este link:",
  mailExpires: "O link funciona uma única vez, até {time}.",
  validFor: "Validade: {duration}",
  mailIgnore: "Se você não o pediu, pode ignorar este e-mail: ninguém entra sem o link.",
  mailPasskeyAdded: "Uma chave de acesso foi adicionada à sua conta em {name}",
  mailAccountAdded: "A entrada com {provider} foi adicionada à sua conta em {name}",
  mailTime: "Data: {time}",
  mailNotYou:
    "Se foi você, não precisa fazer nada. Se não foi, outra pessoa pode estar usando sua conta: entre, remova o que foi adicionado, encerre suas outras sessões e avise {name}.",
  mailFactorCode: "{code} é o seu código para {name}",
  mailFactorCodeUse: "Digite-o na página que o pediu. Ele vale uma única vez, por 10 minutos.",
  mailFactorCodeNotYou:
    "Se você não está entrando agora, talvez outra pessoa esteja tentando: não dê este código a ninguém e avise {name}.",
};
