import { told } from '../../domain/text/told.ts';
import { type KeyObject, createPrivateKey, randomUUID, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { SignInError } from './sign-in-error.ts';

/** Seconds that an assertion holds: it is used at once. */
const LIFETIME = 300;

/** A proof of who the client is without a secret that is sent (RFC 7523): signed with the key in this file. Rejects with `SignInError`. */
export async function clientAssertion(
  file: string,
  client: string,
  audience: string,
): Promise<URLSearchParams> {
  const key = await keyIn(file);
  const { name, hash } = algorithmOf(key, file);
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: client, sub: client, aud: audience, iat: now, exp: now + LIFETIME };
  const signed = [
    { alg: name, typ: 'JWT' },
    { ...claims, jti: randomUUID() },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature = sign(hash, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return new URLSearchParams({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: `${signed}.${signature.toString('base64url')}`,
  });
}

async function keyIn(file: string): Promise<KeyObject> {
  try {
    return createPrivateKey(await readFile(file));
  } catch {
    // The error of a parser may have parts of the key in it.
    throw new SignInError(
      told`${file} is not there, or has no private key without a password in it (PEM). Check \`oauth.privateKeyFile\`.`,
    );
  }
}

const CURVES: Readonly<Record<string, { readonly name: string; readonly hash: string }>> = {
  prime256v1: { name: 'ES256', hash: 'sha256' },
  secp384r1: { name: 'ES384', hash: 'sha384' },
  secp521r1: { name: 'ES512', hash: 'sha512' },
};

/** Names as in RFC 7518 and RFC 8037. */
function algorithmOf(
  { asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject,
  file: string,
): { readonly name: string; readonly hash: string | null } {
  const curve = type === 'ec' ? CURVES[details?.namedCurve ?? ''] : undefined;
  if (curve !== undefined) return curve;
  if (type === 'rsa') return { name: 'RS256', hash: 'sha256' };
  if (type === 'ed25519') return { name: 'EdDSA', hash: null };
  throw new SignInError(
    told`The key in ${file} is of a kind that sign-ins do not know (${type ?? 'unknown'}). Use RSA, P-256, P-384, P-521 or Ed25519.`,
  );
}
