import { sameBytes } from '../../domain/data/same-bytes.ts';
import { fault } from '../../domain/failure.ts';
import { told } from '../../domain/text/told.ts';
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
 * The text of a file: UTF-8 or UTF-16 where its bytes say so, else in the encoding that the user has
 * set, which must give the same bytes again; else Windows-1252 is guessed. `undefined`: binary.
 */
export async function textIn(
  { encodings }: { readonly encodings?: TextEncodings | undefined },
  path: string,
  bytes: Uint8Array,
): Promise<TextFile | undefined> {
  const known = decodeText(bytes);
  const name = encodings?.encodingOf(path);
  if (encodings === undefined || name === undefined) return known;
  const wide = WIDE.get(name);
  const isCertain = known !== undefined && known.guess === undefined;
  // ASCII is the same in most encodings: text that is added is in the one that is set.
  if (isCertain && (wide !== undefined || !ASCII.test(known.text))) return known;
  const set =
    wide === undefined
      ? await decodeBySetting(encodings, bytes, name)
      : decoded(bytes, { encoding: wide, bom: false });
  // Binary data stays binary, whatever is set: NUL is in no text.
  const fits = set !== undefined && !set.text.includes('\0');
  if (isCertain) return fits && set.text === known.text ? set : known;
  return fits ? set : known && { ...known, guess: 'wrong' };
}

const ASCII = /^[\0-\u007f]*$/u;

/** UTF-16 without a byte order mark by its names in editors, which would write one. */
const WIDE: ReadonlyMap<string, 'utf-16le' | 'utf-16be'> = new Map([
  ['utf16le', 'utf-16le'],
  ['utf16be', 'utf-16be'],
]);

/** `undefined`: the encoding would not give the same bytes again. */
async function decodeBySetting(
  encodings: TextEncodings,
  bytes: Uint8Array,
  name: string,
): Promise<TextFile | undefined> {
  const text = await encodings.decode(bytes, name);
  const format = { encoding: 'editor', name } as const;
  const again = await bytesOf({ encodings }, text, format);
  return again !== undefined && sameBytes(again, bytes) ? { text, format } : undefined;
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
  /**
   * Set when the encoding was guessed. `wrong`: some bytes do not fit the guess, or not the encoding
   * that the user has set; such a text is for reading only.
   */
  readonly guess?: 'likely' | 'wrong';
}

/** Describes a guess for the model, before a comma; empty: the encoding is known. */
export function describeGuess({ guess }: Pick<TextFile, 'guess'>): string {
  if (guess === undefined) return '';
  const doubt = guess === 'wrong' ? '; some bytes do not fit, so it cannot be edited' : '';
  return `read as windows-1252 (guessed${doubt}), `;
}

/** @throws BelayError `invalid` for a file whose encoding is unknown: new text would be in another one */
export function requireKnownEncoding({ guess }: Pick<TextFile, 'guess'>, shown: string): void {
  if (guess !== 'wrong') return;
  const message = told`The encoding of ${shown} is unknown: some of its bytes do not fit the one that was guessed or set. Nothing was written. Ask the user to set "files.encoding" in VS Code to the encoding of the file, or to convert the file to UTF-8.`;
  throw fault('invalid', message);
}

export const PLAIN_FORMAT: KnownFormat = { encoding: 'utf-8', bom: false };

/** Bytes looked at to tell text from binary data. */
const PROBE = 8192;

type KnownFormat = Exclude<TextFormat, { readonly encoding: 'editor' }>;

interface KnownText extends TextFile {
  readonly format: KnownFormat;
}

/** `undefined`: it is binary data. For bytes that are not UTF-8, Windows-1252 is guessed: it loses none of them. */
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
    if (!isTextual(bytes)) return undefined;
    const text = WESTERN.decode(bytes);
    const guess = NOT_WESTERN.test(text) || isMostlyUtf8(bytes) ? 'wrong' : 'likely';
    return { text, format: { encoding: 'windows-1252', bom: false }, guess };
  }
}

/** NUL, and the characters for bytes that Windows-1252 does not define. */
const NOT_WESTERN = /[\0\u0081\u008d\u008f\u0090\u009d]/u;

/** True for damaged UTF-8: more of its characters than of its other bytes are valid. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const rest = new TextDecoder().decode(bytes).replaceAll(/[\0-\u007f]+/gu, '');
  const damaged = rest.split('\ufffd').length - 1;
  return rest.length > 2 * damaged;
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
  // Half of a surrogate pair is no character.
  if (!text.isWellFormed()) return undefined;
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
