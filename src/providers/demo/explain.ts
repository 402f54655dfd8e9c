import type { ToolSpec } from '../../domain/models/model.ts';
import { type DemoCall, type Reply, say, trouble, tryTo } from './reply.ts';
import { lastOf, type Done, type Progress } from './progress.ts';
import { fileText, pathOfReading, pathsInTree } from './tree-text.ts';

/** Files read at once. */
const MOST_FILES = 6;

const MANIFEST =
  /^(?:package\.json|pyproject\.toml|cargo\.toml|go\.mod|pom\.xml|build\.gradle|composer\.json|gemfile|makefile)$/iu;
const README = /^readme(?:\.\w+)?$/iu;
const SOURCE = /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|cs|rb|php|swift|c|cc|cpp|h|scala|sh)$/iu;
const ENTRY = /(?:^|\/)(?:main|index|app|extension|lib|mod|cli|server)\.\w+$/iu;
const TEST = /(?:^|\/)(?:tests?|spec|fixtures?)\/|\.(?:test|spec)\.\w+$/iu;

/** Files worth reading first: the readme, the manifest, entries, other sources. */
export function worthReading(paths: readonly string[]): string[] {
  const rank = (path: string): number => {
    if (README.test(path)) return 0;
    if (MANIFEST.test(path)) return 1;
    if (!SOURCE.test(path)) return 9;
    if (TEST.test(path)) return 4;
    return ENTRY.test(path) ? 2 : 3;
  };
  return paths
    .map((path) => ({ path, rank: rank(path), depth: path.split('/').length }))
    .filter((one) => one.rank < 9)
    .toSorted((a, b) => a.rank - b.rank || a.depth - b.depth || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_FILES)
    .map((one) => one.path);
}

export function readCall(path: string): DemoCall {
  return { name: 'read_file', input: { files: [{ path }] } };
}

/** Heading and first paragraph of a readme. */
function introduction(readme: string): { readonly title?: string; readonly text?: string } {
  const blocks = readme.split(/\n\s*\n/u).map((block) => block.trim());
  const title = /^#\s+(.+)$/mu.exec(readme)?.[1];
  const text = blocks.find((block) => /^[\p{L}\p{N}*_"'“]/u.test(block));
  return {
    ...(title === undefined ? {} : { title }),
    ...(text === undefined
      ? {}
      : { text: text.replace(/\s+/gu, ' ').slice(0, 400).toWellFormed() }),
  };
}

interface Manifest {
  readonly name?: string;
  readonly description?: string;
  readonly scripts: readonly string[];
}

function manifestOf(text: string): Manifest {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return { scripts: [] };
    const { name, description, scripts } = parsed as Record<string, unknown>;
    const entries = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : [];
    return {
      ...(typeof name === 'string' ? { name } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      scripts: entries
        .slice(0, 8)
        .map(([script, command]) => `- \`${script}\`: \`${String(command)}\``),
    };
  } catch {
    return { scripts: [] };
  }
}

/** A source file's first comment, and its exports. */
function aboutSource(text: string): string {
  const comment = /\/\*\*?\s*([\s\S]*?)\*\/|^(?:\/\/|#)\s+(.+)$|"""([\s\S]*?)"""/mu.exec(text);
  const words = (comment?.slice(1).find((group) => group !== undefined) ?? '')
    .replace(/^[ \t]*\*[ \t]?/gmu, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const sentence =
    /^.{0,160}?[.!?](?=\s|$)/u.exec(words)?.[0] ?? words.slice(0, 120).toWellFormed();
  const names = [
    ...text.matchAll(
      /^export (?:default )?(?:async )?(?:function|class|interface|const|type) (\w+)/gmu,
    ),
  ]
    .map((match) => `\`${match[1] ?? ''}\``)
    .slice(0, 6);
  const lines = text.split('\n').length;
  return [sentence, names.length === 0 ? '' : `exports ${names.join(', ')}`, `${lines} lines`]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Files in each folder at the top, the fullest first. */
function layout(paths: readonly string[]): string {
  const folders = new Map<string, number>();
  for (const path of paths) {
    const top = path.includes('/') ? `${path.slice(0, path.indexOf('/'))}/` : '';
    folders.set(top, (folders.get(top) ?? 0) + 1);
  }
  return [...folders]
    .filter(([folder]) => folder !== '')
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 8)
    .map(([folder, count]) => `\`${folder}\` ${count}`)
    .join(', ');
}

/** The explanation, from what was really read. */
function explanation(paths: readonly string[], readings: readonly Done[]): string {
  const read = readings
    .filter((reading) => reading.state === 'done')
    .map((reading) => ({ path: pathOfReading(reading.text), text: fileText(reading.text) }));
  const readme = introduction(read.find((file) => README.test(file.path))?.text ?? '');
  const manifest = manifestOf(read.find((file) => file.path === 'package.json')?.text ?? '');
  const sources = read.filter((file) => SOURCE.test(file.path));
  const folders = layout(paths);
  const sections = [
    `Here is what I found in ${paths.length} files, ${read.length} of which I read.`,
    `## ${readme.title ?? manifest.name ?? 'This workspace'}\n\n${readme.text ?? manifest.description ?? 'No readme says what it is for.'}`,
    folders === '' ? '' : `**Folders:** ${folders}`,
    manifest.scripts.length === 0 ? '' : `**Scripts**\n\n${manifest.scripts.join('\n')}`,
    sources.length === 0
      ? ''
      : `**Sources**\n\n${sources.map((file) => `- \`${file.path}\`: ${aboutSource(file.text)}`).join('\n')}`,
    'Ask me to `find` something in it, or take the `guided tour`. A real model would also tell you what the code means: choose one in the model picker.',
  ];
  return sections.filter((section) => section !== '').join('\n\n');
}

/** "Explain this workspace": list the files, read the telling ones together, say what they say. */
export function explain(progress: Progress, tools: readonly ToolSpec[]): Reply {
  const listed = lastOf(progress, 'list_files');
  if (listed === undefined) {
    return tryTo(tools, 'I look at the files first.', { name: 'list_files', input: { depth: 6 } });
  }
  const problem = trouble(listed);
  if (problem !== undefined) return say(problem);
  const paths = pathsInTree(listed.text);
  const readings = progress.done.filter((call) => call.name === 'read_file');
  if (readings.length > 0) return say(explanation(paths, readings));
  const wanted = worthReading(paths);
  if (wanted.length === 0) {
    return say(
      paths.length === 0
        ? 'This workspace has no files yet. Try: create hello.txt with Hello!'
        : `There are ${paths.length} files, but none that I can make sense of: no readme, no manifest, no source code.`,
    );
  }
  return tryTo(
    tools,
    `${paths.length} files. I read the most telling ones, all at once.`,
    ...wanted.map(readCall),
  );
}
