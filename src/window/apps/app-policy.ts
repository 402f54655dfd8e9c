import { isJsonObject } from '../../domain/data/json.ts';

/** Places that the page of a server wants to load from and to talk to; everything else is closed to it. */
export interface AppDomains {
  readonly connect: readonly string[];
  readonly resource: readonly string[];
}

/** Domains of one kind. */
const MOST = 30;

/** A host, or all below one; encrypted, and nothing beside it that a policy could read as more. */
const DOMAIN = /^(?:https|wss):\/\/(?:\*\.)?[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::\d{1,5})?$/iu;

/** Reads `_meta.ui.csp` of a page; what is not a plain encrypted host is left out. Frames of others are not allowed. */
export function appDomains(meta: unknown): AppDomains {
  const ui = isJsonObject(meta) ? meta['ui'] : undefined;
  const csp = isJsonObject(ui) ? ui['csp'] : undefined;
  const read = (name: string): readonly string[] => {
    const given = isJsonObject(csp) ? csp[name] : undefined;
    const texts = Array.isArray(given) ? given.filter((one) => typeof one === 'string') : [];
    return [...new Set(texts.filter((one) => DOMAIN.test(one)))].slice(0, MOST);
  };
  return { connect: read('connectDomains'), resource: read('resourceDomains') };
}

/**
 * The content security policy of an app's document, its frame included: a frame without an address inherits it. Its
 * own scripts and styles run; nothing is loaded, asked or opened beyond the domains.
 * @param own the origin of the extension's files, for the one script around the app
 */
export function appPolicy({ connect, resource }: AppDomains, own: string): string {
  const from = (...more: readonly string[]): string => [...more, ...resource].join(' ');
  return [
    "default-src 'none'",
    `script-src ${from("'unsafe-inline'", own)}`,
    `style-src ${from("'unsafe-inline'")}`,
    `img-src ${from('data:', 'blob:')}`,
    `font-src ${from('data:')}`,
    `media-src ${from('data:', 'blob:')}`,
    `connect-src ${connect.length === 0 ? "'none'" : connect.join(' ')}`,
    "frame-src 'none'",
    "child-src 'none'",
    "worker-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
