import type { TextEncodings } from '../ports/files/text-encodings.ts';

/** The form of a text in its file; written back the same way, nothing but the text changes. */
export type TextFormat =
  | {
      readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
      readonly bom: boolean;
    }
  /** One that only the editor knows, by its name there. */
  | { readonly encoding: 'editor'; readonly name: string };

/**
 * The text of a file: UTF-8 or UTF-16 where it says so or can be nothing else, else in the encoding
 * that the person has set, else Windows-1252. `undefined`: binary.
 */
export async function textIn(
  { encodings }: { readonly encodings?: TextEncodings | undefined },
  path: string,
  bytes: Uint8Array,
): Promise<TextFile | undefined> {
  const known = decodeText(bytes);
  if (known !== undefined && known.format.encoding !== 'windows-1252') return known;
  const name = encodings?.encodingOf(path);
  if (encodings === undefined || name === undefined) return known;
  const text = await encodings.decode(bytes, name);
  // Binary data stays binary, whatever is set: NUL is in no text.
  if (text.includes('\0') || text.includes('\ufffd')) return known;
  return { text, format: { encoding: 'editor', name } };
}

/** The bytes of a text. `undefined`: the encoding has no such character. */
export async function bytesOf(
  { encodings }: { readonly encodings?: TextEncodings | undefined },
  text: string,
  format: TextFormat,
): Promise<Uint8Array | undefined> {
  if (format.encoding !== 'editor') return encodeText(text, format);
  const bytes = await encodings?.encode(text, format.name);
  // An editor writes "?" for what the encoding lacks.
  const again = bytes === undefined ? undefined : await encodings?.decode(bytes, format.name);
  return again === text ? bytes : undefined;
}

export interface TextFile {
  readonly text: string;
  readonly format: TextFormat;
}

export const PLAIN_FORMAT: KnownFormat = { encoding: 'utf-8', bom: false };

/** Bytes looked at to tell text from binary data. */
const PROBE = 8192;

type KnownFormat = Exclude<TextFormat, { readonly encoding: 'editor' }>;

interface KnownText {
  readonly text: string;
  readonly format: KnownFormat;
}

/** `undefined`: it is binary data. Bytes that are not UTF-8 are taken as Windows-1252, which loses none of them. */
export function decodeText(bytes: Uint8Array): KnownText | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return decoded(bytes.subarray(3), { encoding: 'utf-8', bom: true });
  if (first === 0xff && second === 0xfe)
    return decoded(bytes.subarray(2), { encoding: 'utf-16le', bom: true });
  if (first === 0xfe && second === 0xff)
    return decoded(bytes.subarray(2), { encoding: 'utf-16be', bom: true });
  if (bytes.subarray(0, PROBE).includes(0)) return undefined;
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
      format: PLAIN_FORMAT,
    };
  } catch {
    return isTextual(bytes)
      ? { text: WESTERN.decode(bytes), format: { encoding: 'windows-1252', bom: false } }
      : undefined;
  }
}

const WESTERN = new TextDecoder('windows-1252');

function decoded(bytes: Uint8Array, format: KnownFormat): KnownText | undefined {
  try {
    return {
      text: new TextDecoder(format.encoding, { fatal: true, ignoreBOM: true }).decode(bytes),
      format,
    };
  } catch {
    return undefined;
  }
}

function encodeText(text: string, { encoding, bom }: KnownFormat): Uint8Array | undefined {
  switch (encoding) {
    case 'utf-8':
      return new TextEncoder().encode(bom ? `\ufeff${text}` : text);
    case 'utf-16le':
    case 'utf-16be': {
      const bytes = new DataView(new ArrayBuffer((text.length + 1) * 2));
      const little = encoding === 'utf-16le';
      bytes.setUint16(0, 0xfeff, little);
      for (let at = 0; at < text.length; at += 1)
        bytes.setUint16((at + 1) * 2, text.charCodeAt(at), little);
      return new Uint8Array(bytes.buffer, bom ? 0 : 2);
    }
    case 'windows-1252': {
      const bytes = new Uint8Array(text.length);
      for (let at = 0; at < text.length; at += 1) {
        const unit = text.charCodeAt(at);
        const byte = unit < 0x80 ? unit : westernBytes().get(unit);
        if (byte === undefined) return undefined;
        bytes[at] = byte;
      }
      return bytes;
    }
    default:
      return encoding satisfies never;
  }
}

let western: ReadonlyMap<number, number> | undefined;

/** The bytes of Windows-1252 by the characters they stand for; each of the 128 stands for one. */
function westernBytes(): ReadonlyMap<number, number> {
  western ??= new Map(
    Array.from({ length: 128 }, (_, index) => {
      const byte = index + 128;
      return [WESTERN.decode(Uint8Array.of(byte)).charCodeAt(0), byte] as const;
    }),
  );
  return western;
}

/** Old text files hold few control characters; images and archives hold many. */
function isTextual(bytes: Uint8Array): boolean {
  const probe = bytes.subarray(0, PROBE);
  let controls = 0;
  for (const byte of probe) if (byte < 0x09 || (byte > 0x0d && byte < 0x20)) controls += 1;
  return controls * 100 < probe.length;
}
