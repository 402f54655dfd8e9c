// `npm run bench [-- NAME …]`: runs the benchmarks test/bench/NAME.bench.ts, or all of them.
import { globSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../rig/processes.ts';

/** What a benchmark file exports as `run`: it measures and returns rows to print as a table. */
interface Benchmark {
  run(): Promise<readonly Readonly<Record<string, string | number>>[]>;
}

const suffix = '.bench.ts';
const files = globSync(`test/bench/*${suffix}`, { cwd: root }).toSorted();
const known = new Map(files.map((file) => [path.basename(file, suffix), path.join(root, file)]));
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !known.has(name));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${[...known.keys()].join(', ')}.`);
  process.exit(2);
}
for (const [name, file] of known) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  const benchmark = (await import(pathToFileURL(file).href)) as Benchmark;
  console.table(await benchmark.run());
}
