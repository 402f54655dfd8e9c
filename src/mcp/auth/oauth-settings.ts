/** A definition's words about signing in; everything else is discovered. */
export interface OAuthSettings {
  /** A client that was registered by hand. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The client signs in as itself, and no person does; needs `clientId`, and a secret or a key. */
  readonly grant?: 'client_credentials';
  /** Absolute: a private key (PEM) that proves who the client is, in the place of a secret. */
  readonly privateKeyFile?: string;
  /** An https address that describes Belay as a client, and serves as its id (client id metadata document). */
  readonly clientMetadataUrl?: string;
  /** Scopes to ask for where the server names none. */
  readonly scope?: string;
  /** The registered port of `http://127.0.0.1:PORT/callback`; absent: any. */
  readonly callbackPort?: number;
}
