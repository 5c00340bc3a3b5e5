/**
 * The texts in Turkish.
 *
 * @module
 */
import { TEXTS as ENGLISH } from "./en.ts";
import type { Texts } from "./texts.ts";

/** Turkish. */
export const TEXTS: Texts = {
  ...ENGLISH,
  signInTitle: "{name} sitesinde oturum açın",
  errorTitle: "Hata: {title}",
  signInWith: "{provider} ile oturum aç",
  signInWithPasskey: "Geçiş anahtarıyla oturum aç",
  signIn: "Oturum aç",
  continue: "Devam et",
  or: "veya",
  email: "E-posta adresi",
  emailPlaceholder: "adiniz@example.com",
  emailHint: "Oturum açmanız için size bir e-posta göndereceğiz.",
  username: "Kullanıcı adı",
  password: "Şifre",
  lastUsed: "Son kullanılan",
  noMethods: "Bu sitede henüz oturum açılamıyor.",
  signUp: "Hesap oluştur",
  help: "Oturum açmakta sorun mu yaşıyorsunuz?",
  terms: "Hizmet şartları",
  privacy: "Gizlilik politikası",

  confirmTitle: "Siz olduğunuzu doğrulayın",
  confirmLead: "Oturum açmanızın üzerinden biraz zaman geçti. Devam etmek için yeniden oturum açın.",
  addPasskeyTitle: "Geçiş anahtarı ekleyin",
  addPasskeyLead: "Bir dahaki sefere parmak iziniz, yüzünüz veya cihazınızın PIN koduyla oturum açabilirsiniz.",
  createPasskey: "Geçiş anahtarı oluştur",
  createPasskeyHint: "Geçiş anahtarı oluşturmadan önce bağlantı içeren bir e-posta alırsınız.",
  passkeyUnavailable: "Geçiş anahtarları için JavaScript ve bunları destekleyen bir tarayıcı gerekir.",
  passkeyInsecure: "Geçiş anahtarları için güvenli bir bağlantı gerekir.",
  passkeyFollow: "Cihazınızdaki adımları uygulayın.",
  passkeyCancelled: "İşlem iptal edildi veya bu cihazda bu site için geçiş anahtarı yok.",
  passkeyTimeout: "Bu çok uzun sürdü. Yeniden deneyin.",
  passkeyAddress: "Geçiş anahtarları bu adreste çalışmaz.",
  passkeyExists: "Bu cihazda bu site için zaten bir geçiş anahtarı var. Onunla oturum açın.",
  passkeyOffline: "Siteye ulaşılamıyor. Bağlantınızı kontrol edin.",
  passkeyFailed: "İşlem tamamlanamadı. Başka bir yol deneyin.",

  errorCancelled: "{provider} ile oturum açmayı iptal ettiniz. Yeniden deneyin veya başka bir yol seçin.",
  errorAnotherWay: "Oturum açılamadı. Lütfen başka bir hesapla veya başka bir yolla oturum açmayı deneyin.",
  errorNotLinked: "Burada zaten bir hesabınız var. Lütfen ilk seferde yaptığınız gibi oturum açın.",
  errorNotLinkedLast: "Bu tarayıcıda en son kullanılan oturum açma yöntemi: {provider}.",
  errorEmail: "Size e-posta gönderemedik. Lütfen adresi kontrol edip yeniden deneyin.",
  errorCredentials: "Bu bilgilerle oturumunuzu açamadık. Lütfen bilgileri kontrol edip yeniden deneyin.",
  errorTooMany: "Çok fazla deneme yapıldı. Biraz bekleyin veya başka bir yolla giriş yapın.",
  errorTooManyWait: "{duration} sonra tekrar deneyin.",
  errorTooManyCheck: "Çok fazla deneme yapıldı. Aşağıdaki kontrolden sonra devam edebilirsiniz.",
  errorSessionRequired: "Bu sayfayı görmek için lütfen oturum açın.",
  errorDefault: "Oturumunuz açılamadı. Lütfen yeniden deneyin.",

  challengeWorking: "Tarayıcınız kötüye kullanımı önleyen küçük bir işlem çözüyor. Yazmaya devam edebilirsiniz.",
  challengeReady: "İşlem çözüldü. Devam edebilirsiniz.",
  challengeSending: "Bir dakika. Form kendiliğinden gönderilecek.",
  challengeWait: "JavaScript olmadan düğme bir bekleme süresinden sonra görünür: {duration}.",
  challengeNeedsScript: "Bu kontrol için JavaScript gerekir.",

  unavailableTitle: "Oturum açma kullanılamıyor",
  unavailableLead: "Sorun sizde değil, bizde. Bu siteyi siz yönetiyorsanız ayrıntılar için sunucu günlüğüne bakın.",
  deniedTitle: "Erişim yok",
  deniedLead: "Bu hesabın burada oturum açma izni yok.",
  anotherAccount: "Başka bir hesap kullan",
  expiredTitle: "Lütfen yeniden oturum açın",
  expiredLead: "Bu bağlantı veya oturum açma işlemi daha önce kullanılmış ya da süresi dolmuş.",
  passkeyRefusedTitle: "Bu geçiş anahtarı kullanılamıyor",
  passkeyRefusedLead:
    "Burada bir hesabınız varsa daha önce yaptığınız gibi oturum açın. Ardından geçiş anahtarı ekleyebilirsiniz.",
  failedTitle: "Bir şeyler ters gitti",
  failedLead: "İşlem tamamlanamadı. Lütfen geri dönüp yeniden deneyin.",
  notFoundTitle: "Sayfa bulunamadı",
  notFoundLead: "Bu adreste hiçbir şey yok.",

  signOutTitle: "{name} oturumunu kapatın",
  signOutLead: "Bu tarayıcıdaki oturumunuzu sonlandırmak istiyor musunuz?",
  signOut: "Oturumu kapat",
  cancel: "İptal",
  signedOutTitle: "Oturumunuz kapalı",
  signedOutLead: "Bu tarayıcıda {name} sitesinde oturum açmış kimse yok.",

  checkEmailTitle: "E-postanızı kontrol edin",
  checkEmailLead: "Size bir bağlantı gönderdik. Oturum açmak için bağlantıyı bu tarayıcıda açın.",
  checkEmailTo: "Gönderilen adres: {email}",
  checkEmailHelp:
    "Bir dakika geçti ama e-posta gelmedi mi? Spam klasörünüze bakın veya adresinizi kontrol edip yeni bir bağlantı isteyin.",
  askAgain: "Yeni bağlantı iste",
  confirmEmailTitle: "{name} sitesinde oturum açılsın mı?",
  confirmEmailLead: "{email} olarak oturum açmak üzeresiniz. Yalnızca bu bağlantıyı siz istediyseniz devam edin.",
  backTo: "{name} sitesine dön",

  mailSubject: "{name} sitesinde oturum açın",
  mailButton: "Oturum aç",
  mailLink: "Düğme çalışmıyor mu? Şu bağlantıyı açın:",
  mailExpires: "Bağlantı yalnızca bir kez çalışır ve şu zamana kadar geçerlidir: {time}.",
  validFor: "Geçerlilik süresi: {duration}",
  mailIgnore: "Bunu siz istemediyseniz bu e-postayı dikkate almayın: Bağlantı olmadan kimse oturum açamaz.",
  mailPasskeyAdded: "{name} hesabınıza bir geçiş anahtarı eklendi",
  mailAccountAdded: "{name} hesabınıza {provider} ile oturum açma eklendi",
  mailTime: "Zaman: {time}",
  mailNotYou:
    "Bunu siz yaptıysanız bir şey yapmanız gerekmez. Siz yapmadıysanız hesabınızı başka biri kullanıyor olabilir: Oturum açın, ekleneni kaldırın, diğer oturumlarınızı sonlandırın ve {name} sitesine haber verin.",
  mailFactorCode: "{code}, {name} için kodunuz",
  mailFactorCodeUse: "Kodu isteyen sayfaya yazın. Bir kez, 10 dakika boyunca geçerlidir.",
  mailFactorCodeNotYou:
    "Şu anda oturum açmıyorsanız başka biri deniyor olabilir: bu kodu kimseye vermeyin ve {name} ile iletişime geçin.",
};
