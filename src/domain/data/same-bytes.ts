/** True for equal contents, byte for byte. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  // Four at a time where both begin at a word; a call for each byte, as `every` makes, is ten times slower.
  const isAligned = left.byteOffset % 4 === 0 && right.byteOffset % 4 === 0;
  const words = isAligned ? left.length >> 2 : 0;
  const these = wordsOf(left, words);
  const those = wordsOf(right, words);
  for (let index = 0; index < words; index += 1) if (these[index] !== those[index]) return false;
  for (let index = words * 4; index < left.length; index += 1)
    if (left[index] !== right[index]) return false;
  return true;
}

const wordsOf = (bytes: Uint8Array, words: number): Uint32Array =>
  new Uint32Array(bytes.buffer, words === 0 ? 0 : bytes.byteOffset, words);
