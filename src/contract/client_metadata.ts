/**
 * How this client is registered with a provider.
 *
 * @module
 * @see {@link https://www.rfc-editor.org/rfc/rfc7591#section-2 | RFC 7591, section 2}
 */

/** A private key that decrypts answers of a provider, alone or with what its registered public key says about it. */
export type DecryptionKey = CryptoKey | {
  /** The private key. */
  readonly key: CryptoKey;
  /** Its id, `kid` of the registered public key. Answers that name another one are not tried with it. */
  readonly kid?: string | undefined;
  /** The only algorithm that it is for. @default all that a key of its kind can be for */
  readonly alg?: string | undefined;
};

/** The metadata of this client, as RFC 7591 names its members. */
export interface ClientMetadata {
  /**
   * How the client authenticates at the token endpoint.
   *
   * @default the first that the metadata offers and that the configuration suffices for: `private_key_jwt`,
   * `client_secret_basic`, `client_secret_post`, `client_secret_jwt`, `none`. Otherwise `client_secret_basic`.
   */
  token_endpoint_auth_method?:
    | "client_secret_basic"
    | "client_secret_post"
    | "client_secret_jwt"
    | "private_key_jwt"
    | "tls_client_auth"
    | "self_signed_tls_client_auth"
    | "none"
    // Types of other packages say no more than this.
    | (string & Record<never, never>)
    | undefined;
  /**
   * The algorithm that assertions which authenticate the client are signed with, which must be that of the key. A key of
   * Ed25519 has two names, `Ed25519` and `EdDSA`, and servers may know one of them only.
   *
   * @default that of the key; of the two names the one that the metadata lists, else `EdDSA`
   */
  token_endpoint_auth_signing_alg?: string | undefined;
  /**
   * The algorithm id_tokens are signed with. With `HS256`, `HS384` and `HS512` the client secret is the key, so everybody
   * who knows it can sign; they are accepted only if you set them here.
   *
   * @default what the metadata lists, else RS256
   */
  id_token_signed_response_alg?: string | undefined;
  /** The algorithm of signed answers of the userinfo endpoint. If it is set, an answer that is not signed is refused. */
  userinfo_signed_response_alg?: string | undefined;
  /**
   * The algorithm of the key that id_tokens are encrypted with, such as `ECDH-ES` or `RSA-OAEP-256`. If it is set, an
   * id_token that is not encrypted is refused. With `dir`, `A128KW`, `A256GCMKW` and the like, the key is derived from the
   * client secret; any other needs {@linkcode ClientMetadata.decryptionKeys}.
   *
   * @see {@link https://openid.net/specs/openid-connect-core-1_0.html#Encryption | OpenID Connect Core, section 10.2}
   */
  id_token_encrypted_response_alg?: string | undefined;
  /** The algorithm that the content of id_tokens is encrypted with. @default {"A128CBC-HS256"} */
  id_token_encrypted_response_enc?: string | undefined;
  /**
   * The algorithm of the key that answers of the userinfo endpoint are encrypted with. If it is set, an answer that is not
   * encrypted is refused.
   */
  userinfo_encrypted_response_alg?: string | undefined;
  /** The algorithm that the content of userinfo answers is encrypted with. @default {"A128CBC-HS256"} */
  userinfo_encrypted_response_enc?: string | undefined;
  /**
   * The private keys that decrypt what the provider encrypts. Not a member of the registration, whose `jwks` has the
   * public keys. With several of them, the old key still works while the provider takes over the new one.
   *
   * A key of `RSA-OAEP` needs the usage `decrypt`, and one of `ECDH` or `X25519` the usage `deriveBits`.
   */
  decryptionKeys?: readonly DecryptionKey[] | undefined;
  /**
   * Whether access tokens are bound to a key (DPoP), so that a stolen token is useless. Each sign-in makes a key. The
   * account has it, encrypted, as `dpop_key`. An answer with another kind of token is refused.
   *
   * @default {false}
   * @see {@link https://www.rfc-editor.org/rfc/rfc9449#section-5.2 | RFC 9449, section 5.2}
   */
  dpop_bound_access_tokens?: boolean | undefined;
  /**
   * Whether access tokens are bound to the certificate of the client (mutual TLS), which `customFetch` presents.
   * Requests go to `mtls_endpoint_aliases` of the metadata, if there are any; they also do with `tls_client_auth` and
   * `self_signed_tls_client_auth`.
   *
   * @default {false}
   * @see {@link https://www.rfc-editor.org/rfc/rfc8705#section-3 | RFC 8705, section 3}
   */
  tls_client_certificate_bound_access_tokens?: boolean | undefined;
  /** Whether requests go to `mtls_endpoint_aliases` although nothing else demands a certificate. @default {false} */
  use_mtls_endpoint_aliases?: boolean | undefined;
  /**
   * The algorithm that the provider signs its authorization responses with (JARM). If it is set, responses that are not
   * signed are refused, and without a `response_mode` in the authorization parameters `jwt` is sent.
   *
   * @default with such a `response_mode`: what the metadata lists, else RS256
   * @see {@link https://openid.net/specs/oauth-v2-jarm-final.html | JARM}
   */
  authorization_signed_response_alg?: string | undefined;
  /**
   * The algorithm of the key that signed authorization responses are encrypted with (JARM). If it is set, responses that
   * are not signed and encrypted are refused. Its key is one of {@linkcode ClientMetadata.decryptionKeys}.
   */
  authorization_encrypted_response_alg?: string | undefined;
  /** The algorithm that their content is encrypted with. @default {"A128CBC-HS256"} */
  authorization_encrypted_response_enc?: string | undefined;
  /**
   * The algorithm that authorization requests are signed with (JAR), which must be that of the key. If it is set, all
   * requests are signed. The name of Ed25519 is chosen as for `token_endpoint_auth_signing_alg`.
   *
   * @see {@link https://www.rfc-editor.org/rfc/rfc9101 | RFC 9101}
   */
  request_object_signing_alg?: string | undefined;
  /** Whether all authorization requests are signed (JAR). @default what the metadata demands */
  require_signed_request_object?: boolean | undefined;
  /** Whether all authorization requests are pushed (PAR). @default what the metadata demands */
  require_pushed_authorization_requests?: boolean | undefined;
  /** Whether a logout token of the provider must name the session with `sid`. @default {false} */
  backchannel_logout_session_required?: boolean | undefined;
  /** Seconds: the greatest age of the authentication at the provider. */
  default_max_age?: number | undefined;
  /** Whether `auth_time` must be in the id_token. */
  require_auth_time?: boolean | undefined;
  /**
   * Any other member of the registration, so that the answer of the provider can be pasted. `client_id` and
   * `client_secret` are read where the provider has none. Others do nothing, and a warning names them.
   */
  [member: string]: unknown;
}
