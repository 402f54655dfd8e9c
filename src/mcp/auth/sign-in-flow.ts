import { told } from '../../domain/text/told.ts';
import type {
  FetchLike,
  OAuthClientProvider,
  OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import { untilAborted } from '../../domain/lifetime/until-aborted.ts';
import { type PendingAuthorization, newAuthorization } from './authorization.ts';
import { clientAssertion } from './client-assertion.ts';
import type { CredentialBook, IssuerCredentials } from './credential-book.ts';
import { resourceProblem, serverProblem } from './metadata.ts';
import type { OAuthSettings } from './oauth-settings.ts';
import { openable } from './openable.ts';
import { SignInError } from './sign-in-error.ts';

/** Milliseconds a person has for signing in. */
export const patience = 5 * 60_000;

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

type Open = ReturnType<SignInOptions['open']>;

/** One sign-in, as the SDK asks about it: what is known, what may be kept, where the person is sent. */
export function signInFlow(
  options: SignInOptions,
  redirectUrl: string,
  open: Open,
): {
  readonly provider: OAuthClientProvider;
  /** Set when the person is sent away. */
  readonly pending: () => PendingAuthorization | undefined;
} {
  const { credentials, settings, client } = options;
  let pending: PendingAuthorization | undefined;
  let discovered: OAuthDiscoveryState | undefined;
  let verifier = '';
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: client.name,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    ...(settings.clientMetadataUrl === undefined
      ? {}
      : { clientMetadataUrl: settings.clientMetadataUrl }),
    state: () => {
      const metadata = discovered?.authorizationServerMetadata;
      const answers = metadata?.authorization_response_iss_parameter_supported === true;
      pending = newAuthorization(metadata?.issuer ?? '', answers);
      return pending.state;
    },
    saveDiscoveryState: async (state) => {
      await judgeDiscovery(options, state);
      discovered = state;
    },
    discoveryState: () => discovered,
    clientInformation: async (context) => clientFor(options, context?.issuer),
    saveClientInformation: async (information, context) => {
      if (open === undefined) throw new SignInError(told`It asks you to sign in.`, true);
      if (context === undefined) return;
      await credentials.keep(context.issuer, { client: information, redirectUri: redirectUrl });
    },
    tokens: async (context) =>
      (context === undefined ? await credentials.known() : await credentials.of(context.issuer))
        ?.tokens,
    saveTokens: async (tokens, context) => {
      if (context !== undefined) await credentials.keep(context.issuer, { tokens });
    },
    redirectToAuthorization: async (url) => {
      await send(url, open, options.signal);
      const issuer = discovered?.authorizationServerMetadata?.issuer;
      if (issuer !== undefined) await credentials.keep(issuer, { begun: true });
    },
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
    invalidateCredentials: async (what) => {
      if (what === 'all' || what === 'client') await credentials.forget();
      if (what === 'tokens') await credentials.forgetTokens();
      if (what === 'all' || what === 'discovery') discovered = undefined;
    },
  };
  return {
    provider: settings.grant === undefined ? provider : { ...provider, ...asItself(options) },
    pending: () => pending,
  };
}

/** A client that signs in as itself: nobody is sent anywhere, and a token is asked for at once. */
function asItself({ client, settings }: SignInOptions): Partial<OAuthClientProvider> & {
  readonly redirectUrl: undefined;
} {
  const { clientId = '', privateKeyFile } = settings;
  return {
    redirectUrl: undefined,
    clientMetadata: {
      client_name: client.name,
      redirect_uris: [],
      grant_types: ['client_credentials'],
    },
    prepareTokenRequest: (scope) =>
      new URLSearchParams({
        grant_type: 'client_credentials',
        ...(scope === undefined ? {} : { scope }),
      }),
    ...(privateKeyFile === undefined
      ? {}
      : {
          addClientAuthentication: async (_headers, params, url, metadata) => {
            const audience = metadata?.issuer ?? String(url);
            const proof = await clientAssertion(privateKeyFile, clientId, audience);
            for (const [name, value] of proof) params.set(name, value);
          },
        }),
  };
}

/** Judges a discovery before anything is sent or shown. */
async function judgeDiscovery(
  { server, credentials, settings }: SignInOptions,
  state: OAuthDiscoveryState,
): Promise<void> {
  const { authorizationServerMetadata: metadata, resourceMetadata } = state;
  const issuer = metadata?.issuer;
  if (metadata === undefined || issuer === undefined)
    throw new SignInError(told`There is no way to sign in at ${state.authorizationServerUrl}.`);
  const problem =
    (resourceMetadata === undefined ? undefined : resourceProblem(server, resourceMetadata)) ??
    serverProblem(issuer, metadata);
  if (problem !== undefined) throw new SignInError(problem);
  const known = await credentials.known();
  // An id of the settings was made for one place: it does not follow to another.
  if (settings.clientId !== undefined && known !== undefined && known.issuer !== issuer)
    throw new SignInError(
      told`Its sign-in moved from ${known.issuer} to ${issuer}. The client id of your settings was not sent there; check it.`,
    );
  await credentials.movedTo(issuer);
}

async function clientFor(
  { credentials, settings }: SignInOptions,
  issuer: string | undefined,
): Promise<IssuerCredentials['client']> {
  const { clientId, clientSecret } = settings;
  if (clientId === undefined)
    return issuer === undefined ? undefined : (await credentials.of(issuer)).client;
  return {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    ...(issuer === undefined ? {} : { issuer }),
  };
}

/** Sends the person to the place where they sign in. */
async function send(address: URL, open: Open, signal: AbortSignal): Promise<void> {
  const place = openable(address.href);
  if ('problem' in place) throw new SignInError(told`It cannot be opened: ${place.problem}.`);
  if (open === undefined) throw new SignInError(told`It asks you to sign in.`, true);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  // A notification that nobody answers must not hold up a stop.
  const opened = await untilAborted(open(place.url, limit), limit).catch(() => {
    signal.throwIfAborted();
    return false;
  });
  if (!opened) throw new SignInError(told`You did not sign in.`, true);
}
