import { wordSet } from '../../../domain/text/words.ts';
import { before, withoutEnd } from '../../../domain/text/text-end.ts';

/**
 * The place where an address leads. `metadata`: a cloud's service that hands out credentials;
 * `reserved`: nothing that a request should go to. `URL` reads the numbers; the blocks stay by
 * hand, since libraries know neither metadata services nor all addresses that hold another one.
 */
export type AddressKind =
  | 'public'
  | 'loopback'
  | 'private'
  | 'link_local'
  | 'metadata'
  | 'reserved';

/** Services that give credentials to whoever asks from inside a cloud. */
const METADATA: ReadonlySet<string> = new Set([
  '169.254.169.254', // AWS, Google, Azure, DigitalOcean, Oracle
  '169.254.170.2', // AWS ECS
  '169.254.170.23', // AWS EKS
  '169.254.169.253', // AWS resolver
  '169.254.169.123',
  '169.254.0.23', // Tencent
  '100.100.100.200', // Alibaba
  '168.63.129.16', // Azure
  '192.0.0.192', // Oracle
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254', // Google
]);

/** Names of the same services. */
const METADATA_NAMES = wordSet(`
  metadata metadata.google.internal metadata.goog instance-data instance-data.ec2.internal
`);

/** IPv4 blocks (RFC 6890), the narrower first. */
const IPV4_BLOCKS: readonly (readonly [base: string, bits: number, kind: AddressKind])[] = [
  ['0.0.0.0', 8, 'loopback'], // reaches this machine on Linux and macOS
  ['10.0.0.0', 8, 'private'],
  ['100.64.0.0', 10, 'private'],
  ['127.0.0.0', 8, 'loopback'],
  ['169.254.0.0', 16, 'link_local'],
  ['172.16.0.0', 12, 'private'],
  ['192.0.0.0', 24, 'reserved'],
  ['192.0.2.0', 24, 'reserved'],
  ['192.88.99.0', 24, 'reserved'],
  ['192.168.0.0', 16, 'private'],
  ['198.18.0.0', 15, 'reserved'],
  ['198.51.100.0', 24, 'reserved'],
  ['203.0.113.0', 24, 'reserved'],
  ['224.0.0.0', 4, 'reserved'],
  ['240.0.0.0', 4, 'reserved'],
];

/** The kind of place that a host is by its own form; `undefined` for a name that has to be looked up. */
export function kindOfHost(host: string): AddressKind | undefined {
  const name = plainHost(host);
  const address = kindOfAddress(name);
  if (address !== undefined) return address;
  if (METADATA_NAMES.has(name)) return 'metadata';
  if (name === 'localhost' || name.endsWith('.localhost')) return 'loopback';
  if (name === 'ip6-localhost' || name === 'ip6-loopback' || name.endsWith('.localdomain'))
    return 'loopback';
  // One word, or a zone that only exists inside a network.
  if (!name.includes('.') || /\.(?:local|internal|intranet|lan|home|corp|home\.arpa)$/u.test(name))
    return 'private';
  return undefined;
}

/** Lower case, without brackets, zone and the dot that ends a full name. */
export function plainHost(host: string): string {
  return withoutEnd(before(host.toLowerCase().replace(/^\[|\]$/gu, ''), '%'), '.');
}

/** The kind of place that a numeric address is; `undefined` when it is not one. */
export function kindOfAddress(address: string): AddressKind | undefined {
  const plain = plainHost(address);
  if (!/^[\da-fx.:]+$/u.test(plain)) return undefined;
  // Short, decimal, octal and hexadecimal IPv4 become dotted, IPv6 gets its shortest form.
  const host = URL.parse(plain.includes(':') ? `http://[${plain}]` : `http://${plain}`)?.hostname;
  if (host === undefined) return 'reserved'; // a number that no client should read
  if (/^[\d.]+$/u.test(host)) return kindOfIpv4(host);
  return host.startsWith('[') ? kindOfIpv6(host.slice(1, -1)) : undefined;
}

function kindOfIpv4(dotted: string): AddressKind {
  if (METADATA.has(dotted)) return 'metadata';
  const value = numberOf(dotted);
  const block = IPV4_BLOCKS.find(
    ([base, bits]) => value >= numberOf(base) && value < numberOf(base) + 2 ** (32 - bits),
  );
  return block?.[2] ?? 'public';
}

function numberOf(dotted: string): number {
  return dotted
    .split('.')
    .map(Number)
    .reduce((sum, byte) => sum * 256 + byte);
}

function kindOfIpv6(address: string): AddressKind {
  if (METADATA.has(address)) return 'metadata';
  const [left = [], right = []] = address
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((word) => Number.parseInt(word, 16))));
  const words = [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
  const inner = embeddedIpv4(words);
  if (inner !== undefined) return kindOfIpv4(inner);
  const [first = 0, second = 0] = words;
  if (address === '::' || address === '::1') return 'loopback';
  if ((first & 0xffc0) === 0xfe80) return 'link_local';
  if ((first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfec0) return 'private';
  if (first === 0x2001 && (second === 0xdb8 || second < 0x200)) return 'reserved';
  return (first & 0xe000) === 0x2000 ? 'public' : 'reserved';
}

/** The IPv4 address within a mapped, compatible, translated (NAT64) or 6to4 one. */
function embeddedIpv4(words: readonly number[]): string | undefined {
  const form = words.map((word) => word.toString(16)).join(':');
  const [, second = 0, third = 0, , , , seventh = 0, last = 0] = words;
  if (form.startsWith('2002:')) return dottedOf(second, third);
  const isHolder = /^(?:0:0:0:0:0:ffff|0:0:0:0:ffff:0|64:ff9b:0:0:0:0|64:ff9b:1:.*):/u.test(form);
  const isCompatible = form.startsWith('0:0:0:0:0:0:') && seventh !== 0;
  return isHolder || isCompatible ? dottedOf(seventh, last) : undefined;
}

function dottedOf(high: number, low: number): string {
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
