import { type Told, told } from '../../domain/text/told.ts';
import { kindOfHost } from '../../core/permissions/network/network-address.ts';
import { readUrl, shortUrl } from '../../core/permissions/network/request-guard.ts';

/**
 * Judges a server's address before it is opened (security, rule 10): `https`, or `http` to this
 * machine, with nothing that a shell would act on (CVE-2025-6514).
 */
export function openable(address: string): { readonly url: URL } | { readonly problem: Told } {
  const read = readUrl(address);
  if ('problem' in read) return { problem: told`${shortUrl(address)} ${read.problem}` };
  const { url } = read;
  // Legal in an address, but never needed in one of these; decoded, because a shell may decode, too.
  for (const text of [address, decoded(address)])
    if (/[`|<>"'^{}]|\$[({]|;\s|&&|\s/u.test(text))
      return { problem: told`${shortUrl(address)} has characters in it that a shell would act on` };
  const kind = kindOfHost(url.hostname);
  if (kind === 'metadata' || kind === 'link_local' || kind === 'reserved')
    return { problem: told`${shortUrl(address)} is not a place for this` };
  if (url.protocol === 'http:' && kind !== 'loopback')
    return { problem: told`${shortUrl(address)} is not encrypted (https)` };
  return { url };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
