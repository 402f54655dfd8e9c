import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MOST_FILES, MOST_MEMBERS, rooms, type Shape, shapes } from '../boundary/shapes.ts';
import { importCircles, sourceFiles, sourceImports } from '../boundary/source-graph.ts';
import { loadedAtStart } from './loaded-at-start.ts';
import { root } from './processes.ts';

/** `npm run check -- --report`: how the house stands, in numbers. */
export async function report(): Promise<void> {
  const files = sourceFiles();
  const lines = files.map((file) => ({ file, lines: textOf(file).split('\n').length - 1 }));
  const sorted = lines.map((one) => one.lines).toSorted((a, b) => a - b);
  const total = sorted.reduce((sum, one) => sum + one, 0);
  console.log(
    `${files.length} files, ${total} lines; median ${sorted[Math.floor(sorted.length / 2)]}, ` +
      `p90 ${sorted[Math.floor(sorted.length * 0.9)]}, largest ${sorted.at(-1)}`,
  );
  list('files per room', rooms(), MOST_FILES);
  const { classes, bags } = shapes();
  list('public members of a class', classes, MOST_MEMBERS);
  list('fields of a bag', bags, MOST_MEMBERS);
  const imports = sourceImports();
  console.log(`\ncircles of imports, types included: ${importCircles(imports).length}`);
  console.log('\nloaded at start, kB (limit):');
  for (const { entry, bytes, limit, parts } of await loadedAtStart()) {
    const most = limit === undefined ? '' : ` (${kilobytes(limit)})`;
    const largest = parts.slice(0, 5).map(([part, size]) => `${part} ${kilobytes(size)}`);
    console.log(`  ${kilobytes(bytes)}${most} ${entry}: ${largest.join(', ')}`);
  }
}

function list(title: string, found: readonly Shape[], limit: number): void {
  const over = found.filter(({ count }) => count > limit).toSorted((a, b) => b.count - a.count);
  console.log(`\n${title}: ${over.length} of ${found.length} above ${limit}`);
  for (const { name, count } of over) console.log(`  ${count} ${name}`);
}

const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const kilobytes = (bytes: number): number => Math.round(bytes / 1000);
