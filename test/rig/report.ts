import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeTooLarge, getMaxCount, type Kind, LIMITS } from '../boundary/limits.ts';
import { rooms, type Shape, shapes } from '../boundary/shapes.ts';
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
  const { classes, bags } = shapes();
  printLargest('folders', rooms());
  printLargest('classes', classes);
  printLargest('bags', bags);
  const imports = sourceImports();
  console.log(`\ncircles of imports, types included: ${importCircles(imports).length}`);
  console.log('\nloaded at start, kB (limit):');
  for (const { entry, bytes, limit, parts } of await loadedAtStart()) {
    const most = limit === undefined ? '' : ` (${kilobytes(limit)})`;
    const largest = parts.slice(0, 5).map(([part, size]) => `${part} ${kilobytes(size)}`);
    console.log(`  ${kilobytes(bytes)}${most} ${entry}: ${largest.join(', ')}`);
  }
}

/** Prints how many reach the plain limit, and each of them with the count that it may have. */
function printLargest(kind: Kind, all: readonly Shape[]): void {
  const { unit, limit } = LIMITS[kind];
  const large = all.filter(({ count }) => count >= limit).toSorted((a, b) => b.count - a.count);
  const above = large.filter(({ count }) => count > limit).length;
  const failing = describeTooLarge(kind, all).length;
  console.log(
    `\n${kind}: ${large.length} of ${all.length} have ${limit} or more ${unit}, ` +
      `${above} above ${limit}, ${failing} too large`,
  );
  for (const { name, file, count } of large)
    console.log(`  ${count} of ${getMaxCount(kind, name)} ${name}${file ? ` (${file})` : ''}`);
}

const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const kilobytes = (bytes: number): number => Math.round(bytes / 1000);
