import { deflateSync } from 'node:zlib';

const DIGITS =
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';

/** Bytes of one line. */
const LINE = 52;

/** Two contents as git writes those that are no text: the new one, and the old one for the way back. */
export function binaryHunks(before: Uint8Array, after: Uint8Array): string {
  return `GIT binary patch\n${literal(after)}\n${literal(before)}\n`;
}

function literal(bytes: Uint8Array): string {
  const packed = deflateSync(bytes);
  const lines = [`literal ${bytes.length}\n`];
  for (let at = 0; at < packed.length; at += LINE) {
    const line = packed.subarray(at, at + LINE);
    const length = line.length;
    const first = length <= 26 ? 0x40 + length : 0x60 + length - 26;
    lines.push(`${String.fromCharCode(first)}${base85(line)}\n`);
  }
  return lines.join('');
}

/** Five digits for four bytes; the last ones are filled with zeros. */
function base85(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4) {
    let value = 0;
    for (let index = at; index < at + 4; index += 1) value = value * 256 + (bytes[index] ?? 0);
    let digits = '';
    for (let count = 0; count < 5; count += 1) {
      digits = (DIGITS[value % 85] ?? '') + digits;
      value = Math.floor(value / 85);
    }
    text += digits;
  }
  return text;
}
