import { told, type Told } from '../../../domain/text/told.ts';
import { realTarget } from '../../../domain/text/shown-link.ts';
import { kindOfHost } from './network-address.ts';
import { carriesData, readUrl, shortUrl } from './request-guard.ts';

export type LinkVerdict =
  | { readonly verdict: 'open'; readonly url: string }
  | {
      readonly verdict: 'ask';
      readonly url: string;
      /** For the question, which names the host. */ readonly host: string;
      readonly reasons: readonly Told[];
    }
  | { readonly verdict: 'refuse'; readonly reason: Told };

/**
 * Judges a link that a model wrote, before it leaves for the browser (security, rule 6). Only web
 * addresses are opened; one that is not what it seems, or that carries something along, is asked
 * about with its real host. (VS Code asks about every other host that the person does not trust.)
 * @param shown the text of the link
 */
export function judgeLink(address: string, shown: string): LinkVerdict {
  const read = readUrl(address);
  if ('problem' in read)
    return {
      verdict: 'refuse',
      reason: told`${shortUrl(address)} is not opened: it ${read.problem}.`,
    };
  const { url } = read;
  const kind = kindOfHost(url.hostname);
  if (kind === 'metadata' || kind === 'link_local' || kind === 'reserved')
    return {
      verdict: 'refuse',
      reason: told`${url.host} is not a place for a browser; it is not opened.`,
    };
  const reasons: Told[] = [];
  const real = realTarget(shown, url.href);
  if (url.hostname.includes('xn--'))
    reasons.push(
      told`The name of the host has letters of other alphabets; it may only look like one you know.`,
    );
  else if (real !== undefined)
    reasons.push(told`The text of the link names another place: ${shortUrl(shown)}.`);
  if (kind !== undefined && kind !== 'public')
    reasons.push(told`It leads to this machine or your own network.`);
  else if (url.protocol === 'http:') reasons.push(told`The connection is not encrypted.`);
  if (url.port !== '' && kind === undefined)
    reasons.push(told`It uses the unusual port ${url.port}.`);
  if (carriesData(url))
    reasons.push(told`The address is long or has data in it, which the other side gets.`);
  if (reasons.length === 0) return { verdict: 'open', url: url.href };
  return { verdict: 'ask', url: url.href, host: url.host, reasons };
}
