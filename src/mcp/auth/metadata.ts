import { type Told, told } from '../../domain/text/told.ts';
import { openable } from './openable.ts';

/** A protected resource's word about itself (RFC 9728), as far as it is used. */
export interface ResourceMetadata {
  readonly resource?: unknown;
  readonly authorization_servers?: unknown;
}

/** An authorization server's word about itself (RFC 8414), as far as it is used. */
export interface ServerMetadata {
  readonly issuer?: unknown;
  readonly authorization_endpoint?: unknown;
  readonly token_endpoint?: unknown;
  readonly registration_endpoint?: unknown;
  readonly revocation_endpoint?: unknown;
  readonly jwks_uri?: unknown;
  readonly code_challenge_methods_supported?: unknown;
  readonly authorization_response_iss_parameter_supported?: unknown;
}

/** A sentence when metadata is not about the server (RFC 8707, 9728). */
export function resourceProblem(server: string, metadata: ResourceMetadata): Told | undefined {
  const { resource, authorization_servers: servers } = metadata;
  if (typeof resource !== 'string' || !URL.canParse(resource))
    return told`The server does not say which resource its sign-in is for.`;
  if (!isResourceOf(new URL(resource), new URL(server)))
    return told`The sign-in is for ${resource}, not for ${server}. A token for the one must not go to the other; nothing was sent.`;
  if (servers === undefined) return undefined;
  if (!Array.isArray(servers) || servers.length === 0)
    return told`The server names no place to sign in at.`;
  for (const one of servers as readonly unknown[]) {
    const problem =
      typeof one === 'string' ? endpointProblem(one) : told`a place that is not an address`;
    if (problem !== undefined) return told`The server wants a sign-in at ${problem}.`;
  }
  return undefined;
}

function isResourceOf(resource: URL, server: URL): boolean {
  if (resource.origin !== server.origin || resource.username !== '' || resource.hash !== '')
    return false;
  if (resource.search !== '' && resource.search !== server.search) return false;
  const folder = resource.pathname.endsWith('/') ? resource.pathname : `${resource.pathname}/`;
  return `${server.pathname}/`.startsWith(folder);
}

/** A sentence when metadata cannot be used: issuer (RFC 8414 3.3), `https`, PKCE S256. */
export function serverProblem(issuer: string, metadata: ServerMetadata): Told | undefined {
  if (metadata.issuer !== issuer)
    return told`${issuer} answers in the name of ${JSON.stringify(metadata.issuer ?? null).slice(0, 200)}; it is not used.`;
  for (const name of ['authorization_endpoint', 'token_endpoint'] as const)
    if (typeof metadata[name] !== 'string') return told`${issuer} names no ${name}.`;
  for (const name of [
    'authorization_endpoint',
    'token_endpoint',
    'registration_endpoint',
    'revocation_endpoint',
    'jwks_uri',
  ] as const) {
    const value = metadata[name];
    if (value === undefined) continue;
    const problem = typeof value === 'string' ? endpointProblem(value) : told`no address`;
    if (problem !== undefined)
      return told`${issuer} has a ${name} that cannot be used: ${problem}.`;
  }
  const methods = metadata.code_challenge_methods_supported;
  if (!Array.isArray(methods) || !methods.includes('S256'))
    return told`${issuer} does not protect the sign-in (PKCE with S256), so Belay does not use it.`;
  return undefined;
}

function endpointProblem(address: string): Told | undefined {
  const found = openable(address);
  return 'problem' in found ? found.problem : undefined;
}
