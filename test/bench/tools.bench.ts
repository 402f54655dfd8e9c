import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { mkdtemp, open, readFile, rename, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Tool, ToolContext } from '../../src/core/tool-call/tool-call.ts';
import type { JsonObject } from '../../src/domain/data/json.ts';
import { NodeSearch } from '../../src/hosts/node/search/search.ts';
import { ripgrepForTests } from '../contract/search/ripgrep-for-tests.ts';
import { benchTools } from './tools/bench-tools.ts';
import { longestBlock } from './tools/longest-block.ts';

type Row = Readonly<Record<string, string | number>>;

const FOLDERS = 500;
const FILES_EACH = 100;
const ROUNDS = 7;

/** Medians of several rounds, ours and the floor by turns, so that a busy machine slows both down. */
export async function run(): Promise<readonly Row[]> {
  const root = realpathSync(await mkdtemp(path.join(os.tmpdir(), 'belay-bench-tools-')));
  try {
    makeTree(root);
    const { tools, context, dispose } = benchTools(root);
    try {
      return [
        ...(await searches(root)),
        ...(await throughTools(root, tools, context)),
        ...tools.map(schemaSize),
      ];
    } finally {
      dispose();
    }
  } finally {
    await rm(root, { recursive: true });
  }
}

/** 50,000 files of about 1 kB; one in a hundred holds "needle", each of them "common". */
function makeTree(root: string): void {
  const filler = 'export function something(value: number): number { return value + 1; }\n'.repeat(
    12,
  );
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    const at = path.join(root, `module-${folder % 20}`, `part-${folder}`);
    mkdirSync(at, { recursive: true });
    for (let file = 0; file < FILES_EACH; file += 1) {
      const needle = file === 42 ? `const needle${folder} = ${file};\n` : '';
      writeFileSync(
        path.join(at, `user-controller-${file}.ts`),
        `// common ${folder}\n${needle}${filler}`,
      );
    }
  }
  writeFileSync(path.join(root, '.gitignore'), 'node_modules/\n*.log\n');
}

async function searches(root: string): Promise<Row[]> {
  const ripgrep = ripgrepForTests();
  const plain = new NodeSearch([], {});
  const search = ripgrep === undefined ? plain : new NodeSearch([ripgrep]);
  const { signal } = new AbortController();
  const text = (pattern: string, limit: number, by = search) =>
    by.text({ root, pattern, regex: true, caseSensitive: true, context: 0, limit }, signal);
  const counts = () =>
    search.counts(
      { root, pattern: 'common', regex: true, caseSensitive: true, context: 0, limit: 500 },
      signal,
    );
  const files = (pattern: string, by = search) => by.files({ root, pattern, limit: 100 }, signal);
  const rows: Row[] = [];
  const program = ripgrep ?? 'rg';
  const rg = (...args: string[]) =>
    ripgrep === undefined ? undefined : () => finished(program, args, root);
  rows.push(
    await compared(
      'search: 500 matches in 50,000 files',
      () => text('needle\\d+ =', 2000),
      rg('-n', 'needle\\d+ =', root),
      1.15,
    ),
    await compared(
      'search: no match in 50,000 files',
      () => text('no such text', 200),
      rg('-n', 'no such text', root),
      1.15,
    ),
    await compared('search: lines per file, all 50,000', counts, rg('-c', 'common', root)),
    await compared(
      'find: by letters, in 50,000 names',
      () => files('p42 usrctl7'),
      rg('--files', root),
    ),
    await compared(
      'find: by glob, in 50,000 names',
      () => files('**/part-4?/*-7.ts'),
      rg('--files', root),
    ),
    await compared(
      'search without ripgrep: no match',
      () => text('no such text', 200, plain),
      rg('-n', 'no such text', root),
    ),
  );
  return rows;
}

async function throughTools(
  root: string,
  tools: readonly Tool[],
  context: (signal?: AbortSignal) => ToolContext,
): Promise<Row[]> {
  const tool = (name: string): Tool => {
    const found = tools.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no tool ${name}.`);
    return found;
  };
  const call = (name: string, input: JsonObject) => tool(name).run(input, context());
  const names = Array.from({ length: 100 }, (_, index) =>
    path.join('module-1', 'part-1', `user-controller-${index}.ts`),
  );
  const halves = [names.slice(0, 50), names.slice(50)];
  const listed = () => call('list_files', {});
  const read = () =>
    Promise.all(
      halves.map((half) => call('read_file', { files: half.map((name) => ({ path: name })) })),
    );
  const readRaw = async () => {
    for (const name of names) await readFile(path.join(root, name));
  };
  let value = 1;
  const edit = async () => {
    for (const name of names.slice(0, 20)) {
      await call('edit_file', {
        path: name,
        edits: [{ old_string: `common ${value}`, new_string: `common ${value + 1}` }],
      });
    }
    value += 1;
  };
  const writeRaw = async () => {
    for (const name of names.slice(0, 20)) {
      const file = path.join(root, name);
      const content = await readFile(file);
      const handle = await open(`${file}.new`, 'w');
      await handle.writeFile(content);
      await handle.sync();
      await handle.close();
      await rename(`${file}.new`, file);
    }
  };
  await read();
  const edits = await compared('edit_file, 20 edits of 20 files', edit, writeRaw);
  return [
    await compared('list_files: tree of 50,000', listed),
    await compared('read_file: 100 files in 2 calls', read, readRaw),
    edits,
    { what: 'edits per second', ms: '', ratio: Math.round(20_000 / Number(edits['ms'])) },
  ];
}

/** A program's run to its end, its output read. */
async function finished(program: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(program, ['--no-config', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  child.stdout.resume();
  await once(child, 'close');
}

/** Milliseconds; `block` is the longest time that the event loop stood still (target below 50). */
async function compared(
  what: string,
  ours: () => Promise<unknown>,
  floor?: () => Promise<unknown>,
  target?: number,
): Promise<Row> {
  await ours();
  await floor?.();
  const [own, other, blocks]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    if (floor !== undefined) other.push(await timed(floor));
    blocks.push(
      await longestBlock(async () => {
        own.push(await timed(ours));
      }),
    );
  }
  const ratio = floor === undefined ? '' : rounded(median(own) / median(other));
  return {
    what,
    ms: rounded(median(own)),
    floor: floor === undefined ? '' : rounded(median(other)),
    ratio,
    target: target === undefined ? '' : `<= ${target}`,
    block: rounded(median(blocks)),
  };
}

function schemaSize({ name, description, inputSchema, rare }: Tool): Row {
  const text = JSON.stringify({ name, description, input_schema: inputSchema });
  return {
    what: `schema of ${name}${rare === true ? ' (rare)' : ''}, bytes`,
    ms: '',
    ratio: new TextEncoder().encode(text).length,
    target: '<= 1024',
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
