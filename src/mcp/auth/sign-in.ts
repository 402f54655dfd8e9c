import {
  type AuthResult,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/client';
import { type PendingAuthorization, checkAnswer, newAuthorization } from './authorization.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { CallbackListener } from './callback-listener.ts';
import type { CredentialBook } from './credential-book.ts';
import { resourceProblem, serverProblem } from './metadata.ts';
import { untilAborted } from '../connection/until-aborted.ts';
import { openable } from './openable.ts';
import type { OAuthSettings } from './oauth-settings.ts';

/** Milliseconds a person has for signing in. */
const patience = 5 * 60_000;
/** Sign-ins for more rights in one request: a server that is never content is not asked for ever. */
const mostStepUps = 2;
/** Sendings of one request, the first among them, less one. */
const mostTries = 5;

/** The server wants a sign-in and nobody is there to do it; or a sentence why one cannot be. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  /** A person can begin a sign-in; otherwise trying again changes nothing. */
  readonly needed: boolean;

  constructor(message: string, needed = false) {
    super(message);
    this.needed = needed;
  }
}

export interface SignInOptions {
  /** The address of the MCP server. */
  readonly server: string;
  readonly client: { readonly name: string };
  readonly settings: OAuthSettings;
  readonly credentials: CredentialBook;
  /** Makes all requests, those of the sign-in too; follows no redirect. */
  readonly fetch: FetchLike;
  /** Shows the person where they would sign in, and opens it; `false`: they do not want to. Absent: nobody is there. */
  readonly open: () => ((url: URL, signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Ends with the connection. */
  readonly signal: AbortSignal;
}

/** The tokens of one server: gets, renews and widens them, and sends them along. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #fetch: FetchLike;
  #running: Promise<void> | undefined;
  /** Scopes that were asked for so far. */
  #scope: string | undefined;

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#fetch = boundedFetch(options.fetch, options.signal);
  }

  /** Sends the token along. On a refusal it signs in and asks again; rejects with `SignInError`. */
  readonly fetch: FetchLike = async (url, init) => {
    const { credentials, fetch } = this.#options;
    for (let [tries, widened, renewed] = [0, 0, false]; ; tries += 1) {
      const token = await credentials.token();
      const headers = new Headers(init?.headers);
      if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
      const response = await fetch(url, { ...init, headers });
      const { status } = response;
      if ((status !== 401 && status !== 403) || tries >= mostTries) return response;
      const challenge = extractWWWAuthenticateParams(response);
      const widens = status === 403 && challenge.error === 'insufficient_scope';
      if (widens ? widened >= mostStepUps : status === 403 || renewed) return response;
      await response.body?.cancel();
      // Another request, or another window, may have got a new one meanwhile.
      await credentials.reload();
      if (token !== (await credentials.token())) continue;
      if (widens) widened += 1;
      else renewed = true;
      await this.#once(() => this.#authorize(challenge, widens));
    }
  };

  async #once(work: () => Promise<void>): Promise<void> {
    this.#running ??= work().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
  }

  async #authorize(
    challenge: ReturnType<typeof extractWWWAuthenticateParams>,
    widens: boolean,
  ): Promise<void> {
    const { credentials, settings } = this.#options;
    const known = await credentials.known();
    const open = this.#options.open();
    if (open === undefined && (widens || known?.tokens?.refresh_token === undefined))
      throw new SignInError('It asks you to sign in.', true);
    const scope = widens
      ? computeScopeUnion(this.#scope, known?.tokens?.scope, challenge.scope)
      : (challenge.scope ?? settings.scope ?? this.#scope);
    // A refresh needs no address to come back to; the listener is for the person's way.
    const listener = open === undefined ? undefined : await this.#listen(known?.redirectUri);
    try {
      const flow = new Flow(this.#options, listener?.redirectUri ?? 'http://127.0.0.1/', open);
      const ask = async (answer: { authorizationCode?: string; iss?: string }) =>
        auth(flow, {
          serverUrl: this.#options.server,
          fetchFn: this.#fetch,
          forceReauthorization: widens,
          ...(challenge.resourceMetadataUrl === undefined
            ? {}
            : { resourceMetadataUrl: challenge.resourceMetadataUrl }),
          ...(scope === undefined ? {} : { scope }),
          ...answer,
        });
      if ((await ask({})) === 'REDIRECT' && listener !== undefined)
        await this.#redeem(flow.pending, listener, ask);
      this.#scope = scope;
    } catch (thrown) {
      this.#options.signal.throwIfAborted();
      throw thrown instanceof SignInError ? thrown : new SignInError(sentenceOf(thrown));
    } finally {
      await listener?.dispose();
    }
  }

  /** The address that is registered, where it can be had again; else a new one, registered anew. */
  async #listen(registered: string | undefined): Promise<CallbackListener> {
    const { settings, credentials } = this.#options;
    if (settings.clientId !== undefined || settings.clientMetadataUrl !== undefined)
      return CallbackListener.open({ path: '/callback', port: settings.callbackPort ?? 0 });
    if (registered === undefined) return CallbackListener.open();
    const { port, pathname } = new URL(registered);
    try {
      return await CallbackListener.open({ path: pathname, port: Number(port) });
    } catch {
      await credentials.forget();
      return CallbackListener.open();
    }
  }

  async #redeem(
    pending: PendingAuthorization | undefined,
    listener: CallbackListener,
    ask: (answer: { authorizationCode: string; iss?: string }) => Promise<AuthResult>,
  ): Promise<void> {
    if (pending === undefined) throw new SignInError('The sign-in did not begin.');
    const late = AbortSignal.timeout(patience);
    const signal = AbortSignal.any([this.#options.signal, late]);
    const parameters = await listener.answer(signal).catch(() => {
      this.#options.signal.throwIfAborted();
      throw new SignInError('Nobody finished the sign-in within 5 minutes.', true);
    });
    const answer = checkAnswer(parameters, pending);
    if ('problem' in answer) throw new SignInError(answer.problem);
    const iss = parameters.get('iss');
    await ask({ authorizationCode: answer.code, ...(iss === null ? {} : { iss }) });
  }
}

/** One sign-in, as the SDK asks about it: what is known, what may be kept, where the person is sent. */
class Flow implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientProvider['clientMetadata'];
  readonly clientMetadataUrl?: string;
  /** Set when the person is sent away. */
  pending: PendingAuthorization | undefined;
  readonly #options: SignInOptions;
  readonly #open: ReturnType<SignInOptions['open']>;
  #discovered: OAuthDiscoveryState | undefined;
  #verifier = '';

  constructor(
    options: SignInOptions,
    redirectUrl: string,
    open: ReturnType<SignInOptions['open']>,
  ) {
    const { clientMetadataUrl } = options.settings;
    this.#options = options;
    this.#open = open;
    this.redirectUrl = redirectUrl;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    this.clientMetadata = {
      client_name: options.client.name,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    };
  }

  state(): string {
    const metadata = this.#discovered?.authorizationServerMetadata;
    const answers = metadata?.authorization_response_iss_parameter_supported === true;
    this.pending = newAuthorization(metadata?.issuer ?? '', answers);
    return this.pending.state;
  }

  /** What was discovered is judged before anything is sent or shown. */
  async saveDiscoveryState(state: OAuthDiscoveryState): Promise<void> {
    const { server, credentials, settings } = this.#options;
    const { authorizationServerMetadata: metadata, resourceMetadata } = state;
    const issuer = metadata?.issuer;
    if (metadata === undefined || issuer === undefined)
      throw new SignInError(`There is no way to sign in at ${state.authorizationServerUrl}.`);
    const problem =
      (resourceMetadata === undefined ? undefined : resourceProblem(server, resourceMetadata)) ??
      serverProblem(issuer, metadata);
    if (problem !== undefined) throw new SignInError(problem);
    const known = await credentials.known();
    // An id of the settings was made for one place: it does not follow to another.
    if (settings.clientId !== undefined && known !== undefined && known.issuer !== issuer)
      throw new SignInError(
        `Its sign-in moved from ${known.issuer} to ${issuer}. The client id of your settings was not sent there; check it.`,
      );
    await credentials.movedTo(issuer);
    this.#discovered = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  async clientInformation(context?: { issuer: string }) {
    const { credentials, settings } = this.#options;
    const kept = context === undefined ? undefined : await credentials.of(context.issuer);
    const { clientId, clientSecret } = settings;
    if (clientId === undefined) return kept?.client;
    return {
      client_id: clientId,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      ...context,
    };
  }

  async saveClientInformation(
    client: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0],
    context?: { issuer: string },
  ): Promise<void> {
    if (this.#open === undefined) throw new SignInError('It asks you to sign in.', true);
    if (context === undefined) return;
    const redirectUri = this.redirectUrl;
    await this.#options.credentials.keep(context.issuer, { client, redirectUri });
  }

  async tokens(context?: { issuer: string }) {
    const { credentials } = this.#options;
    if (context !== undefined) return (await credentials.of(context.issuer)).tokens;
    return (await credentials.known())?.tokens;
  }

  async saveTokens(
    tokens: Parameters<OAuthClientProvider['saveTokens']>[0],
    context?: { issuer: string },
  ): Promise<void> {
    if (context !== undefined) await this.#options.credentials.keep(context.issuer, { tokens });
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const place = openable(url.href);
    if ('problem' in place) throw new SignInError(`It cannot be opened: ${place.problem}.`);
    if (this.#open === undefined) throw new SignInError('It asks you to sign in.', true);
    const { signal } = this.#options;
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
    // A notification that nobody answers must not hold up a stop.
    const opened = await untilAborted(this.#open(place.url, limit), limit).catch(() => {
      signal.throwIfAborted();
      return false;
    });
    if (!opened) throw new SignInError('You did not sign in.', true);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  async invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery') {
    const { credentials } = this.#options;
    if (what === 'all' || what === 'client') await credentials.forget();
    if (what === 'tokens') await credentials.forgetTokens();
    if (what === 'all' || what === 'discovery') this.#discovered = undefined;
  }
}

function sentenceOf(thrown: unknown): string {
  const said = thrown instanceof Error ? thrown.message : String(thrown);
  return `The sign-in failed: ${said.slice(0, 500)}`;
}
