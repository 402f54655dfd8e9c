import { inEnglish, joined, told, type Told } from '../../../domain/text/told.ts';
import { type AddressKind, kindOfAddress, kindOfHost, plainHost } from './network-address.ts';

/** Longest address that is looked at, in characters. */
const LONGEST_URL = 4096;

/** A web address that is well-formed and has nothing in it that is meant for something else. */
export type ReadUrl = { readonly url: URL } | { readonly problem: Told };

/**
 * Reads a web address as strictly as it is used: `http` or `https`, no name or password, no character that one reader
 * sees and another does not. `problem` completes "… is not used: it …".
 */
export function readUrl(text: string): ReadUrl {
  if (text.length > LONGEST_URL) return { problem: told`is longer than ${LONGEST_URL} characters` };
  // Parsers drop tabs and line ends and turn backslashes around: what is judged must be what is used.
  if (
    // oxlint-disable-next-line no-control-regex -- these are what is looked for
    /[\u0000-\u0020\u007f-\u00a0\u00ad\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\\]/u.test(text)
  )
    return { problem: told`has blanks, control characters or backslashes in it` };
  if (!/^https?:\/\/[^/]/iu.test(text))
    return { problem: told`does not begin with https:// or http://` };
  if (!URL.canParse(text)) return { problem: told`is not a web address` };
  const url = new URL(text);
  if (/^https?:\/\/[^/?#]*@/iu.test(text))
    return { problem: told`has a name or password before the host` };
  if (plainHost(url.hostname) === '') return { problem: told`has no host` };
  return { url };
}

/**
 * True when a host is one of a list: the same name, or below `*.name`. `name:port` allows that port
 * alone; without one the scheme's own port is meant.
 */
export function hostMatches(pattern: string, url: URL): boolean {
  const { host, port } = splitPort(pattern.trim().toLowerCase());
  if (port === undefined ? url.port !== '' : portOf(url) !== port) return false;
  const name = plainHost(url.hostname);
  if (!host.startsWith('*.')) return plainHost(host) === name;
  const zone = plainHost(host.slice(2));
  // "*.com" would be half of the world; a zone has at least two labels.
  return zone.includes('.') && kindOfHost(name) !== 'metadata' && name.endsWith(`.${zone}`);
}

function splitPort(text: string): { readonly host: string; readonly port: string | undefined } {
  const found = /^(?<host>\[[^\]]*\]|[^:]*)(?::(?<port>\d{1,5}))?$/u.exec(text)?.groups;
  return { host: found?.['host'] ?? '', port: found?.['port'] };
}

function portOf(url: URL): string {
  return url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
}

/** The name under which an approval of a host is remembered: with its scheme and port. */
export function originOf(url: URL): string {
  return `${url.protocol}//${plainHost(url.hostname)}:${portOf(url)}`;
}

/** The verdict on a request. `reason` is for the person when asked, for the model when refused. */
export type RequestVerdict =
  | { readonly verdict: 'allow'; readonly url: URL }
  | { readonly verdict: 'ask'; readonly url: URL; readonly reason: Told }
  | { readonly verdict: 'refuse'; readonly reason: Told };

/** Allowed hosts, by who allowed them: nothing is allowed by itself, however well known. */
export interface AllowedHosts {
  /** Patterns of the person's own settings or rules: `docs.python.org`, `*.example.org`, `localhost:8080`. */
  readonly always: readonly string[];
  /** Patterns that are never contacted. */
  readonly never: readonly string[];
  /** Origins that the user approved in this session (`originOf`). */
  readonly session: ReadonlySet<string>;
}

/** Places that no tool contacts, whatever was allowed. */
const NEVER: ReadonlySet<AddressKind> = new Set(['metadata', 'link_local', 'reserved']);

const NAMES: Readonly<Record<AddressKind, Told>> = {
  public: told`the internet`,
  loopback: told`this machine`,
  private: told`your private network`,
  link_local: told`a link-local address`,
  metadata: told`a service that hands out cloud credentials`,
  reserved: told`an address that is reserved`,
};

/**
 * Judges a request of the model's (security, rule 6): before the question and again for each redirect; `judgeAddress`
 * judges where the name really leads.
 */
export function judgeRequest(text: string, allowed: AllowedHosts): RequestVerdict {
  const read = readUrl(text);
  if ('problem' in read) {
    const reason = told`The address ${shortUrl(text)} is not used: it ${read.problem}. Give the plain address of the page.`;
    return { verdict: 'refuse', reason };
  }
  const { url } = read;
  const kind = kindOfHost(url.hostname);
  if (kind !== undefined && NEVER.has(kind)) {
    const reason = told`${url.hostname} is ${NAMES[kind]}; no tool may contact it. Go another way.`;
    return { verdict: 'refuse', reason };
  }
  if (allowed.never.some((pattern) => hostMatches(pattern, url))) {
    const reason = told`The person does not allow requests to ${url.hostname}. Go another way.`;
    return { verdict: 'refuse', reason };
  }
  const data = dataCarriedBy(url);
  const known = allowed.always.some((pattern) => hostMatches(pattern, url));
  if ((known || allowed.session.has(originOf(url))) && data === undefined)
    return { verdict: 'allow', url };
  return { verdict: 'ask', url, reason: reasonToAsk(url, kind, data) };
}

function reasonToAsk(url: URL, kind: AddressKind | undefined, data: Told | undefined): Told {
  const reasons = [told`A request goes to the host ${url.host}.`];
  if (kind !== undefined && kind !== 'public')
    reasons.push(
      kind === 'loopback' ? told`That is this machine.` : told`That is in ${NAMES[kind]}.`,
    );
  if (url.protocol === 'http:' && kind !== 'loopback')
    reasons.push(told`It is not encrypted: others on the way can read and change it.`);
  if (url.hostname.split('.').some((label) => label.startsWith('xn--')))
    reasons.push(
      told`The name has letters of other alphabets in it; it may only look like one you know.`,
    );
  if (data !== undefined) reasons.push(told`Look at the address: ${data}.`);
  return joined(reasons, ' ');
}

/** Longest part of an address that a person can be expected to have meant as a name. */
const LONGEST_WORD = 48;

/** Data that an address may carry out beside naming a page; `undefined`: nothing to speak of. */
function dataCarriedBy(url: URL): Told | undefined {
  const values = [...url.searchParams].flat();
  if (url.search.length > 81 || values.some((value) => value.length > 32 || isOpaque(value)))
    return told`what follows the question mark can carry data to ${url.hostname}`;
  const words = [...url.hostname.split('.').slice(0, -2), ...url.pathname.split('/')];
  const long = words.find((word) => word.length > LONGEST_WORD || isOpaque(word));
  if (long !== undefined || words.length > 24)
    return told`it has parts that no page is usually named by, and they can carry data to ${url.hostname}`;
  return undefined;
}

/** True when an address carries data beside naming a page. */
export function carriesData(url: URL): boolean {
  return dataCarriedBy(url) !== undefined;
}

/** Looks like encoded bytes, not like words. */
function isOpaque(word: string): boolean {
  if (word.length < 24) return false;
  if (/^[\da-f]+$/iu.test(word)) return !/^[\da-f]{40}$/iu.test(word) && word.length > 31;
  return (
    /^[\w+/=%.~-]+$/u.test(word) && /\d/u.test(word) && /[a-z]/u.test(word) && /[A-Z]/u.test(word)
  );
}

/**
 * Judges the address that a name led to: a public name that leads inside is how a page reaches what
 * only this machine can.
 * @param asked the host in the address the person or a rule allowed
 * @param trusted the person named the host themselves (their setting): it may lie in their network
 */
export function judgeAddress(
  asked: string,
  address: string,
  trusted: boolean,
): { readonly ok: true } | { readonly ok: false; readonly reason: Told } {
  const meant = kindOfHost(asked);
  const found = kindOfAddress(address) ?? 'reserved';
  if (found === 'public') return { ok: true };
  // Loopback and private names keep to their own kind.
  if (found === meant && !NEVER.has(found)) return { ok: true };
  if (trusted && (found === 'private' || found === 'loopback')) return { ok: true };
  const reason = told`${asked} leads to ${address}, ${NAMES[found]}; the request was not made.`;
  return { ok: false, reason };
}

/**
 * Judges a connection to a server that the person named (MCP): their own network is allowed, nothing that hands out
 * credentials.
 */
export function judgeServerAddress(
  host: string,
  address: string,
): { readonly ok: true } | { readonly ok: false; readonly reason: Told } {
  const found = kindOfAddress(address) ?? 'reserved';
  if (!NEVER.has(found)) return { ok: true };
  return {
    ok: false,
    reason: told`${host} leads to ${address}, ${NAMES[found]}; it is not contacted.`,
  };
}

/** The problem of a server's address in a definition; it completes "has a `url` that …". */
export function serverUrlProblem(text: string): string | undefined {
  const read = readUrl(text);
  if ('problem' in read) return inEnglish(read.problem);
  const kind = kindOfHost(read.url.hostname);
  return kind !== undefined && NEVER.has(kind)
    ? inEnglish(told`leads to ${NAMES[kind]}, which is never contacted`)
    : undefined;
}

/** An address in a sentence: without line ends, not too long. */
export function shortUrl(text: string): string {
  const line = JSON.stringify(text);
  return line.length > 120 ? `${line.slice(0, 117)}…"` : line;
}
