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

/** Programs that may print their version. */
const VERSIONED: Readonly<Record<string, readonly string[]>> = {
  node: ['--version', '-v'],
  npm: ['--version', '-v'],
  npx: ['--version', '-v'],
  python: ['--version', '-V'],
  python3: ['--version', '-V'],
  pip: ['--version'],
  pip3: ['--version'],
  go: ['version'],
  cargo: ['--version', '-V'],
  rustc: ['--version', '-V'],
  dotnet: ['--version'],
  ruby: ['--version', '-v'],
  deno: ['--version', '-V'],
  java: ['-version', '--version'],
  javac: ['-version', '--version'],
  gcc: ['--version'],
  'g++': ['--version'],
  clang: ['--version'],
  make: ['--version'],
  cmake: ['--version'],
  perl: ['-v', '--version'],
  php: ['-v', '--version'],
  docker: ['--version'],
  bash: ['--version'],
  curl: ['--version'],
  git: ['--version', 'version'],
  jq: ['--version'],
  rg: ['--version'],
  tree: ['--version'],
  gh: ['--version'],
};

/** Returns the files that choose a program which only prints its version; undefined if it does more. */
export function findVersionChoosers(
  name: string,
  words: readonly { readonly value: string }[],
): readonly ChoosingFile[] | undefined {
  const [only, more] = words;
  const printsVersion =
    more === undefined &&
    only !== undefined &&
    Object.hasOwn(VERSIONED, name) &&
    VERSIONED[name]?.includes(only.value) === true;
  if (!printsVersion) return undefined;
  return Object.hasOwn(CHOSEN_BY, name) ? CHOSEN_BY[name] : [];
}
