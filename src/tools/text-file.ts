/** How a text lies in a file; writing it back the same way changes nothing but the text. */
export interface TextFormat {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin1';
  readonly bom: boolean;
}

export interface TextFile {
  readonly text: string;
  readonly format: TextFormat;
}

export const PLAIN_FORMAT: TextFormat = { encoding: 'utf-8', bom: false };

/** Bytes looked at to tell text from binary data. */
const PROBE = 8192;

/** `undefined`: it is binary data. Bytes that are not UTF-8 are taken as Latin-1, which loses none of them. */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
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
      ? { text: latin1(bytes), format: { encoding: 'latin1', bom: false } }
      : undefined;
  }
}

function decoded(bytes: Uint8Array, format: TextFormat): TextFile | undefined {
  try {
    return {
      text: new TextDecoder(format.encoding, { fatal: true, ignoreBOM: true }).decode(bytes),
      format,
    };
  } catch {
    return undefined;
  }
}

/** The bytes of a text. `undefined`: the encoding has no such character. */
export function encodeText(text: string, { encoding, bom }: TextFormat): Uint8Array | undefined {
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
    case 'latin1': {
      const bytes = new Uint8Array(text.length);
      for (let at = 0; at < text.length; at += 1) {
        const unit = text.charCodeAt(at);
        if (unit > 0xff) return undefined;
        bytes[at] = unit;
      }
      return bytes;
    }
    default:
      return encoding satisfies never;
  }
}

function latin1(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += 32_768)
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)));
  return pieces.join('');
}

/** Old text files hold few control characters; images and archives hold many. */
function isTextual(bytes: Uint8Array): boolean {
  const probe = bytes.subarray(0, PROBE);
  let controls = 0;
  for (const byte of probe) if (byte < 0x09 || (byte > 0x0d && byte < 0x20)) controls += 1;
  return controls * 100 < probe.length;
}

/** Media type of an image that models can see, by its first bytes. */
export function imageType(bytes: Uint8Array): string | undefined {
  const starts = (...signature: number[]): boolean =>
    signature.every((byte, index) => bytes[index] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47)) return 'image/png';
  if (starts(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (starts(0x47, 0x49, 0x46, 0x38)) return 'image/gif';
  if (
    starts(0x52, 0x49, 0x46, 0x46) &&
    bytes[8] === 0x57 &&
    bytes[9] === 0x45 &&
    bytes[10] === 0x42 &&
    bytes[11] === 0x50
  )
    return 'image/webp';
  return undefined;
}

/** Base64 without line breaks. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
