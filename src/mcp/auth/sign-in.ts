import { saidBy } from '../../domain/failure.ts';
import { told, withValues } from '../../domain/text/told.ts';
import {
  type AuthResult,
  type FetchLike,
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/client';
import { type PendingAuthorization, checkAnswer } from './authorization.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { IssuerCredentials } from './credential-book.ts';
import { CallbackListener } from './callback-listener.ts';
import { type SignInOptions, patience, signInFlow } from './sign-in-flow.ts';
import { SignInError } from './sign-in-error.ts';

/** Sign-ins for more rights in one request: a server that is never content is not asked for ever. */
const mostStepUps = 2;
/** Sendings of one request, the first among them, less one. */
const mostTries = 5;

/** The tokens of one server: gets, renews and widens them, and sends them along. */
export class SignIn {
  readonly #options: SignInOptions;
  readonly #fetch: FetchLike;
  readonly #placed: Promise<void>;
  #running: Promise<void> | undefined;
  /** Scopes that were asked for so far. */
  #scope: string | undefined;

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#fetch = boundedFetch(options.fetch, options.signal);
    this.#placed = options.credentials.at(options.server);
    this.#placed.catch(() => {}); // whoever fetches hears of it
  }

  /** Sends the token along. On a refusal it signs in and asks again; rejects with `SignInError`. */
  readonly fetch: FetchLike = async (url, init) => {
    const { credentials, fetch } = this.#options;
    await this.#placed;
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
    const open = this.#someone(known, widens);
    const scope = widens
      ? computeScopeUnion(this.#scope, known?.tokens?.scope, challenge.scope)
      : (challenge.scope ?? settings.scope ?? this.#scope);
    // A refresh needs no address to come back to; the listener is for the person's way.
    const listener = open === undefined ? undefined : await this.#listen(known?.redirectUri);
    try {
      const flow = signInFlow(this.#options, listener?.redirectUri ?? 'http://127.0.0.1/', open);
      const ask = async (answer: { authorizationCode?: string; iss?: string }) =>
        auth(flow.provider, {
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
        await this.#redeem(flow.pending(), listener, ask);
      this.#scope = scope;
    } catch (thrown) {
      this.#options.signal.throwIfAborted();
      throw thrown instanceof SignInError
        ? thrown
        : new SignInError(
            told`The sign-in failed: ${withValues(saidBy(thrown), (said) => said.slice(0, 500))}`,
          );
    } finally {
      await listener?.dispose();
      await credentials.ended(this.#options.signal);
    }
  }

  /** The way to the person; `undefined`: nobody is needed. Throws where one is and is not there. */
  #someone(
    known: IssuerCredentials | undefined,
    widens: boolean,
  ): ReturnType<SignInOptions['open']> {
    if (this.#options.settings.grant !== undefined) return undefined;
    const open = this.#options.open();
    if (open === undefined && (widens || known?.tokens?.refresh_token === undefined))
      throw signInNeeded(known);
    return open;
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
    if (pending === undefined) throw new SignInError(told`The sign-in did not begin.`);
    const late = AbortSignal.timeout(patience);
    const signal = AbortSignal.any([this.#options.signal, late]);
    const parameters = await listener.answer(signal).catch(() => {
      this.#options.signal.throwIfAborted();
      throw new SignInError(told`Nobody finished the sign-in within 5 minutes.`, true);
    });
    const answer = checkAnswer(parameters, pending);
    if ('problem' in answer) throw new SignInError(answer.problem);
    const iss = parameters.get('iss');
    await ask({ authorizationCode: answer.code, ...(iss === null ? {} : { iss }) });
  }
}

const signInNeeded = (known: IssuerCredentials | undefined): SignInError =>
  new SignInError(
    known?.begun === true
      ? told`A sign-in was begun and did not end: the server was stopped, or the window loaded anew. Sign in again.`
      : told`It asks you to sign in.`,
    true,
  );
