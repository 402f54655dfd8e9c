import { before, withoutEnd } from '../../domain/text/text-end.ts';

/** A name as file systems take it: case, compatibility forms, invisible and trailing characters. */
export function plainName(name: string): string {
  const plain = name
    .normalize('NFKC')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu, '')
    .toLowerCase();
  return withoutEnd(before(plain, ':'), '. ');
}
