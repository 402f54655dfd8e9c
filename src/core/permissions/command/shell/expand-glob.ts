import { type Piece, Automaton } from '../../../../domain/glob/automaton.ts';
import { ANY, characters } from '../../../../domain/glob/characters.ts';
import type { FileSystem } from '../../../ports/files/file-system.ts';
import type { GlobPiece } from './shell-word.ts';

/** Names looked at for one pattern. */
const MOST = 2000;

/** The shell's matches of a pattern, or more. `undefined`: too many. */
export async function expandGlob(
  files: Pick<FileSystem, 'list'>,
  pieces: readonly GlobPiece[],
  folder: string,
): Promise<readonly string[] | undefined> {
  const components = componentsOf(pieces);
  const absolute = components[0]?.length === 0;
  let found: string[] = [absolute ? '/' : ''];
  let looked = 0;
  for (const component of components) {
    if (component.length === 0) continue;
    if (component.every((piece) => typeof piece !== 'string')) {
      const name = component.map((piece) => piece.literal).join('');
      found = found.map((before) => joined(before, name));
      continue;
    }
    const matches = matcherOf(component);
    // To some shells `.*` is the folder itself, and the one above, too.
    const [first] = component;
    const dots = typeof first === 'object' && first.literal.startsWith('.') ? ['.', '..'] : [];
    const next: string[] = [];
    for (const before of found) {
      const place = before.startsWith('/') ? before : `${folder}/${before}`;
      const entries = await files.list(place).catch(() => []);
      const names = [...entries.map(({ name }) => name), ...dots];
      looked += names.length;
      if (looked > MOST) return undefined;
      next.push(...names.filter(matches).map((name) => joined(before, name)));
    }
    found = next;
  }
  return found;
}

type Part = Exclude<GlobPiece, string> | 'any' | 'one';

/** The pattern between slashes. */
function componentsOf(pieces: readonly GlobPiece[]): readonly Part[][] {
  const components: Part[][] = [[]];
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      components.at(-1)?.push(piece);
      continue;
    }
    for (const [index, text] of piece.literal.split('/').entries()) {
      if (index > 0) components.push([]);
      if (text !== '') components.at(-1)?.push({ literal: text });
    }
  }
  return components;
}

function matcherOf(component: readonly Part[]): (name: string) => boolean {
  const automaton = new Automaton(
    component.flatMap((piece): Piece[] => {
      if (piece === 'any') return [{ kind: 'many', of: ANY }];
      return piece === 'one' ? [{ kind: 'one', of: ANY }] : characters(piece.literal, true);
    }),
  );
  const [first] = component;
  // Hidden files are matched only by a pattern that begins with a dot; a bracket may.
  const dots = first !== 'any';
  return (name) => (dots || !name.startsWith('.')) && automaton.matches(name);
}

function joined(before: string, name: string): string {
  return before === '' || before.endsWith('/') ? `${before}${name}` : `${before}/${name}`;
}
