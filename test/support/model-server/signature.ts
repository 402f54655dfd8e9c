import { createHash } from 'node:crypto';

/** The signature that the server gives to a thinking text, and wants back with exactly that text. */
export function signatureOf(thinking: string): string {
  return createHash('sha256').update(`thinking ${thinking}`).digest('base64');
}

/** Encrypted thinking as the server writes and accepts it. */
export function redacted(thinking: string): string {
  return `${signatureOf(thinking)}.${Buffer.from(thinking).toString('base64')}`;
}

/** True for data that `redacted` made. */
export function isRedacted(data: string): boolean {
  const [signature, text] = data.split('.');
  return text !== undefined && signature === signatureOf(Buffer.from(text, 'base64').toString());
}
