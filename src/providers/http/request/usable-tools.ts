import { type Told, told } from '../../../domain/text/told.ts';
import type { ToolSpec } from '../../../domain/models/model.ts';

/** One bad or repeated name would have the whole request refused: such a tool is left out. */
export function usableTools(
  tools: readonly ToolSpec[],
  longest: number,
): {
  specs: readonly ToolSpec[];
  notes: readonly Told[];
} {
  const names = new Set<string>();
  const notes: Told[] = [];
  const specs = tools.filter(({ name }) => {
    if (!/^[a-zA-Z0-9_-]+$/.test(name) || name.length > longest) {
      notes.push(
        told`The tool "${name}" was left out: a tool's name may have letters, digits, _ and - only, at most ${longest}.`,
      );
      return false;
    }
    if (names.has(name)) {
      notes.push(
        told`A second tool named "${name}" was left out: names must be unique. Rename or disable one of them.`,
      );
      return false;
    }
    names.add(name);
    return true;
  });
  return { specs: specs.length === tools.length ? tools : specs, notes };
}

/** A name as APIs take it: what a model made up may hold other characters than letters, digits, `_` and `-`. */
export const plainName = (name: string, longest: number): string =>
  name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, longest) || '_';
