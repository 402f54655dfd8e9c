import { before, withoutEnd } from '../../domain/text/text-end.ts';

/**
 * Where an address leads. `metadata`: the service of a cloud that hands out credentials;
 * `reserved`: nothing that a request should go to (multicast, documentation, "this network").
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
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
]);

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

/**
 * What kind of place a host is by its own form; `undefined` for a name that has to be looked up.
 * `host` as `URL.hostname` gives it: decimal, octal and hexadecimal IPv4 are dotted already.
 */
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

/** What kind of place a numeric address is; `undefined` when it is not one. */
export function kindOfAddress(address: string): AddressKind | undefined {
  const plain = plainHost(address);
  const four = ipv4(plain);
  if (four !== undefined) return kindOfIpv4(four);
  const six = ipv6(plain);
  return six === undefined ? undefined : kindOfIpv6(six);
}

function kindOfIpv4(bytes: readonly number[]): AddressKind {
  if (METADATA.has(bytes.join('.'))) return 'metadata';
  const value = numberOf(bytes);
  for (const [base, bits, kind] of IPV4_BLOCKS) {
    const size = 2 ** (32 - bits);
    const start = numberOf(ipv4(base) ?? []);
    if (value >= start && value < start + size) return kind;
  }
  return 'public';
}

function numberOf(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

function kindOfIpv6(words: readonly number[]): AddressKind {
  const [first = 0, second = 0] = words;
  const inner = embeddedIpv4(words);
  if (inner !== undefined) return kindOfIpv4(inner);
  for (const known of METADATA) {
    const other = known.includes(':') ? ipv6(known) : undefined;
    if (other !== undefined && other.every((word, index) => word === words[index]))
      return 'metadata';
  }
  if (words.every((word, index) => word === (index === 7 ? 1 : 0))) return 'loopback';
  if (words.every((word) => word === 0)) return 'loopback';
  if ((first & 0xffc0) === 0xfe80) return 'link_local';
  if ((first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfec0) return 'private';
  if ((first & 0xff00) === 0xff00) return 'reserved';
  if (first === 0x2001 && (second === 0xdb8 || second < 0x200)) return 'reserved';
  return (first & 0xe000) === 0x2000 ? 'public' : 'reserved';
}

/** The IPv4 address within a mapped, compatible, translated (NAT64) or 6to4 one. */
function embeddedIpv4(words: readonly number[]): readonly number[] | undefined {
  const start = words.slice(0, 6).map((word) => word.toString(16));
  const form = start.join(':');
  const last = [words[6] ?? 0, words[7] ?? 0];
  if (form === '0:0:0:0:0:ffff' || form === '0:0:0:0:ffff:0' || form === '64:ff9b:0:0:0:0')
    return bytesOf(last);
  if (form === '0:0:0:0:0:0' && (last[0] ?? 0) !== 0) return bytesOf(last);
  if (start[0] === '64' && start[1] === 'ff9b' && start[2] === '1') return bytesOf(last);
  if (start[0] === '2002') return bytesOf([words[1] ?? 0, words[2] ?? 0]);
  return undefined;
}

function bytesOf(words: readonly number[]): number[] {
  return words.flatMap((word) => [word >> 8, word & 0xff]);
}

/** Four bytes of a dotted address; also of the short, octal and hexadecimal forms that resolvers take. */
function ipv4(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  if (parts.length > 4 || parts.some((part) => !/^(?:0x[\da-f]*|\d+)$/u.test(part)))
    return undefined;
  const numbers = parts.map((part) =>
    part.startsWith('0x')
      ? Number.parseInt(part.slice(2) || '0', 16)
      : Number.parseInt(part, /^0\d/u.test(part) ? 8 : 10),
  );
  const last = numbers.pop() ?? 0;
  if (Number.isNaN(last) || numbers.some((number) => Number.isNaN(number) || number > 255))
    return undefined;
  const rest = 4 - numbers.length;
  if (last >= 256 ** rest) return undefined;
  const tail = Array.from(
    { length: rest },
    (_, index) => Math.floor(last / 256 ** (rest - 1 - index)) % 256,
  );
  return [...numbers, ...tail];
}

/** Eight words of an IPv6 address. */
function ipv6(text: string): readonly number[] | undefined {
  if (!text.includes(':')) return undefined;
  const dotted = /^(?<head>.*:)(?<tail>\d+\.\d+\.\d+\.\d+)$/u.exec(text)?.groups;
  const tail = dotted?.['tail'] === undefined ? undefined : ipv4(dotted['tail']);
  if (dotted !== undefined && tail === undefined) return undefined;
  const words =
    tail === undefined
      ? text
      : `${dotted?.['head']}${(numberOf(tail.slice(0, 2)) >>> 0).toString(16)}:${numberOf(tail.slice(2)).toString(16)}`;
  const [left = '', right, ...more] = words.split('::');
  if (more.length > 0) return undefined;
  const before = groups(left);
  const after = right === undefined ? [] : groups(right);
  if (before === undefined || after === undefined) return undefined;
  const missing = 8 - before.length - after.length;
  if (right === undefined ? missing !== 0 : missing < 1) return undefined;
  return [...before, ...Array.from({ length: missing }, () => 0), ...after];
}

function groups(text: string): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  if (parts.some((part) => !/^[\da-f]{1,4}$/u.test(part))) return undefined;
  return parts.map((part) => Number.parseInt(part, 16));
}
