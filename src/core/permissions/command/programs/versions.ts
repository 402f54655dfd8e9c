import { wordsOf } from '../../../../domain/text/words.ts';
import type { ChoosingFile } from '../finding.ts';

const RUST: readonly ChoosingFile[] = [{ name: 'rust-toolchain' }, { name: 'rust-toolchain.toml' }];
const NODE: readonly ChoosingFile[] = [{ name: 'package.json', when: /"volta"/u }];

/** Files in the folder or above with which a program that is asked for its version is another one. */
const CHOSEN_BY: Readonly<Record<string, readonly ChoosingFile[]>> = {
  cargo: RUST,
  rustc: RUST,
  dotnet: [{ name: 'global.json' }],
  // A newer toolchain is downloaded and run.
  go: ['go.mod', 'go.work'].map((name) => ({
    name,
    when: /^\s*(?:toolchain|go\s+1\.(?:2[1-9]|[3-9]\d))/mu,
  })),
  node: NODE,
  npm: NODE,
  npx: NODE,
};

/** Programs by the word with which they only print their version. */
const VERSIONED: Readonly<Record<string, string>> = {
  '--version': `node npm npx python python3 pip pip3 cargo rustc dotnet ruby deno java javac gcc g++ clang make
    cmake perl php docker bash curl wget git jq rg tree gh tar psql sqlite3 redis-cli ninja`,
  '-v': 'node npm npx ruby perl php',
  '-V': 'python python3 cargo rustc deno ssh',
  '-version': 'java javac ffmpeg',
  version: 'go git openssl',
};
const PRINTS_VERSION = new Set(
  Object.entries(VERSIONED).flatMap(([word, names]) =>
    wordsOf(names).map((name) => `${name} ${word}`),
  ),
);

/** Returns the files that choose a program which only prints its version; undefined if it does more. */
export function findVersionChoosers(
  name: string,
  words: readonly { readonly value: string }[],
): readonly ChoosingFile[] | undefined {
  if (words.length !== 1 || !PRINTS_VERSION.has(`${name} ${words[0]?.value ?? ''}`))
    return undefined;
  return Object.hasOwn(CHOSEN_BY, name) ? CHOSEN_BY[name] : [];
}
