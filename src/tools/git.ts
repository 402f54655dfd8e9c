import { told, type Told } from '../domain/text/told.ts';
import type { GitParts } from './git-parts.ts';
import * as z from 'zod/mini';
import { type BelayError, fault } from '../domain/failure.ts';
import { throwIfAborted } from '../domain/lifetime/abort.ts';
import { pathBelow } from '../domain/paths.ts';
import { isSecretFile } from '../core/permissions/secret-files.ts';
import type { Git, GitRepository, GitResult } from '../core/ports/commands/git.ts';
import type { Tool, ToolContext } from '../core/tool-call/tool-call.ts';
import { type DisplayedOutput, defineTool } from './define-tool.ts';
import { type GitDisplay, gitFace } from './git-face.ts';
import { searchPlaces } from './searching/search-place.ts';
import type { ToolDisk, ToolParts } from './tool-parts.ts';
import { absolutePath, shownPath } from './workspace-path.ts';

/** Bytes of a diff or a history; the whole is bounded again where results are. */
const MOST_BYTES = 400_000;
/** Files of a change that are looked through for what is kept back. */
const MOST_FILES = 5000;

const schema = z.strictObject({
  action: z.enum([
    'status',
    'diff',
    'staged',
    'unstaged',
    'log',
    'show',
    'blame',
    'branches',
    'message',
  ]),
  path: z.optional(z.string().check(z.describe('file or folder'))),
  ref: z.optional(
    z
      .string()
      .check(z.minLength(1), z.describe('commit, branch or range: "HEAD~2", "main...topic"')),
  ),
  limit: z.optional(z.int().check(z.gte(1), z.lte(1000), z.describe('commits; default 20'))),
});

type Input = z.output<typeof schema>;

/** Reads the repository of the workspace. What the repository configures is not run (security, rule 11). */
export function gitTool(parts: ToolParts): Tool {
  return defineTool(gitFace, {
    description:
      'Reads the git repository: changes, history, blame, branches. "message" gives what a commit message is to be written about. To commit use run_command.',
    schema,
    accept: (input) =>
      'ref' in input || !('commit' in input) ? input : { ...input, ref: input['commit'] ?? null },
    sideEffects: false,
    level: 'guest',
    module: 'git',
    permission: 'none',
    available: () => isInRepository(parts.git),
    touches: ({ path }, roots) => [{ path: absolutePath(path ?? '.', roots), access: 'read' }],
    run: async (input, context) => {
      const problem = problemOf(input);
      if (problem !== undefined) throw fault('invalid', problem);
      const { git } = parts.git ?? {};
      if (git === undefined) throw fault('config', told`There is no git here.`);
      const place = await placeOf(parts, git, input, context);
      return new GitCall({ git, ignored: parts.disk.ignored }, place, input, context).run();
    },
  });
}

async function isInRepository(parts: GitParts | undefined): Promise<boolean> {
  for (const root of parts?.roots() ?? [])
    if ((await parts?.git.repositoryOf(root)) !== undefined) return true;
  return false;
}

function problemOf({ action, ref, path }: Input): Told | undefined {
  // A revision may not look like an option, and may not name a file: those are judged as paths.
  if (ref !== undefined && !/^[\p{L}\p{N}_@^~][\p{L}\p{N}_./@^~{}+-]*$/u.test(ref))
    return told`"ref" must be a commit, a branch or a range of two, not ${JSON.stringify(ref)}. Name files with "path".`;
  if (action === 'blame' && path === undefined) return told`"path" is missing: blame needs a file.`;
  return undefined;
}

interface Place {
  readonly repository: GitRepository;
  /** Below the repository's folder; absent: all of it. */
  readonly below?: string;
}

async function placeOf(
  parts: ToolParts,
  git: Git,
  { path, action }: Input,
  context: ToolContext,
): Promise<Place> {
  const { files } = parts.disk;
  const asked = absolutePath(path ?? '.', context.roots);
  const real = context.judged?.get(asked) ?? (await files.realpath(asked));
  const stat = await files.stat(real);
  const folder = stat?.type === 'directory' ? real : real.replace(/[\\/][^\\/]*$/u, '') || '/';
  if (action === 'blame' && stat?.type !== 'file') {
    const [place] = await searchPlaces(parts.disk, path, context, 'any');
    throw fault('invalid', told`${place?.shown ?? asked} is a folder; blame needs a file.`);
  }
  const repository = await git.repositoryOf(
    (await files.stat(folder)) === undefined ? (context.roots[0] ?? folder) : folder,
  );
  if (repository === undefined) {
    const message = told`${shownPath(asked, context.roots)} is in no git repository. list_files and search_text show what is there.`;
    throw fault('not_found', message);
  }
  const below = pathBelow(repository.top, real);
  return path === undefined || below === undefined || below === ''
    ? { repository }
    : { repository, below };
}

type CallParts = Pick<GitParts, 'git'> & Pick<ToolDisk, 'ignored'>;

class GitCall {
  readonly #parts: CallParts;
  readonly #place: Place;
  readonly #input: Input;
  readonly #context: ToolContext;

  constructor(parts: CallParts, place: Place, input: Input, context: ToolContext) {
    this.#parts = parts;
    this.#place = place;
    this.#input = input;
    this.#context = context;
  }

  async run(): Promise<DisplayedOutput<GitDisplay>> {
    const { action, limit = 20 } = this.#input;
    const ref = this.#input.ref === undefined ? undefined : await this.#commits(this.#input.ref);
    switch (action) {
      case 'status':
        return this.#plain(['status', '--short', '--branch', '--untracked-files=normal']);
      case 'branches':
        return this.#plain([
          'for-each-ref',
          '--sort=-committerdate',
          '--count=200',
          '--format=%(if)%(HEAD)%(then)* %(else)  %(end)%(refname:short) %(objectname:short) %(committerdate:short) %(subject)',
          'refs/heads',
          'refs/remotes',
        ]);
      case 'log':
        return this.#plain([
          'log',
          `--max-count=${limit}`,
          '--date=short',
          '--format=%h %ad %an: %s',
          ...revision(ref),
          '--',
        ]);
      case 'blame':
        // It takes no pattern, and no end of its options: the revision was checked.
        return this.#output(
          await this.#git([
            'blame',
            '--date=short',
            ...(ref === undefined ? [] : [ref]),
            '--',
            this.#place.below ?? '.',
          ]),
        );
      case 'diff':
        return this.#changes(['diff', ...(ref === undefined ? revision('HEAD') : revision(ref))]);
      case 'unstaged':
        return this.#changes(['diff']);
      case 'staged':
        return this.#changes(['diff', '--cached']);
      case 'show':
        return this.#changes(['show', '--date=short', ...revision(ref ?? 'HEAD')]);
      case 'message':
        return this.#message();
      default:
        return action satisfies never;
    }
  }

  /** Commits' hashes of a revision or range, not names of files, which may be kept back. */
  async #commits(ref: string): Promise<string> {
    const between = /\.{2,3}/u.exec(ref)?.[0] ?? '';
    const ends = between === '' ? [ref] : ref.split(between);
    const found: string[] = [];
    for (const end of ends) {
      const name = end === '' ? 'HEAD' : end;
      const asked = await this.#git(['rev-parse', '--quiet', '--verify', `${name}^{commit}`]);
      const hash = asked.output.trim();
      if (asked.exitCode !== 0 || !/^[0-9a-f]{40,64}$/u.test(hash)) {
        const message = told`There is no commit or branch ${end}. "branches" and "log" show what there is; files are read with read_file, and their history with "path".`;
        throw fault('not_found', message);
      }
      found.push(hash);
    }
    return found.join(between);
  }

  async #plain(args: readonly string[]): Promise<DisplayedOutput<GitDisplay>> {
    const { below } = this.#place;
    const paths =
      below === undefined ? [] : [...(args.includes('--') ? [] : ['--']), literal(below)];
    return this.#output(await this.#git([...args, ...paths]));
  }

  /** A diff, without the files that are kept back; they are named. */
  async #changes(args: readonly string[]): Promise<DisplayedOutput<GitDisplay>> {
    const { below } = this.#place;
    const where = literal(below ?? '');
    const format = args[0] === 'show' ? ['--format='] : [];
    const [subcommand = '', ...rest] = args;
    const named = await this.#git([
      subcommand,
      '--name-status',
      '-z',
      ...format,
      ...rest,
      '--',
      where,
    ]);
    if (named.exitCode !== 0) return this.#output(named);
    const changed = changedNames(named.output);
    if (named.cut || changed.length > MOST_FILES) {
      const message = told`More than ${String(MOST_FILES)} files differ. Name a folder or a file with "path".`;
      throw fault('invalid', message);
    }
    const hidden: string[] = [];
    for (const names of changed) {
      const kept = await Promise.all(names.map((name) => this.#isHidden(name)));
      if (kept.includes(true)) hidden.push(...names);
    }
    throwIfAborted(this.#context.signal);
    const without = hidden.map((name) => `:(top,exclude,literal)${name}`);
    const result = await this.#git([...args, '--', where, ...without]);
    const note =
      hidden.length === 0
        ? ''
        : `[not shown, because they are kept from you: ${hidden.join(', ')}]\n`;
    return this.#output({ ...result, output: `${result.output}${note}` });
  }

  async #isHidden(name: string): Promise<boolean> {
    const path = `${this.#place.repository.top}/${name}`;
    return isSecretFile(path) || (await this.#parts.ignored.ruleFor(path)) !== undefined;
  }

  /** The staged changes, or else all, and how messages are written here. */
  async #message(): Promise<DisplayedOutput<GitDisplay>> {
    const staged = await this.#git(['diff', '--cached', '--name-only', '-z']);
    const isStaged = staged.output !== '';
    const changes = await this.#changes(isStaged ? ['diff', '--cached'] : ['diff']);
    const recent = await this.#git(['log', '--max-count=8', '--format=%s']);
    const about = isStaged ? 'What is staged:' : 'Nothing is staged. What has changed:';
    const style =
      recent.exitCode === 0 && recent.output !== ''
        ? `\nThe last messages, for their style:\n${recent.output}`
        : '';
    const text = changes.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    return { ...changes, content: [{ type: 'text', text: `${about}\n${text}${style}` }] };
  }

  #git(args: readonly string[]): Promise<GitResult> {
    const { git } = this.#parts;
    const { repository } = this.#place;
    return git.run({ repository, args, signal: this.#context.signal, maxBytes: MOST_BYTES });
  }

  #failure({ errors }: GitResult): BelayError {
    const { action } = this.#input;
    const said = errors
      .trim()
      .replace(/^(?:fatal|error): /u, '')
      .slice(0, 400);
    return fault(
      'tool',
      told`git ${action} failed: ${said === '' ? told`it gave no reason` : said}.`,
    );
  }

  async #output(result: GitResult): Promise<DisplayedOutput<GitDisplay>> {
    const { action, ref } = this.#input;
    const { exitCode, output, cut } = result;
    if (exitCode !== 0 && !cut) throw this.#failure(result);
    const rest = cut
      ? '\n[there is more: name a file or folder with "path", or a smaller range]'
      : '';
    const text = output.trim() === '' ? emptyText(action) : `${output.replace(/\n$/u, '')}${rest}`;
    const display: GitDisplay = {
      kind: 'git',
      action,
      ...(ref === undefined ? {} : { ref }),
      lines: output === '' ? 0 : output.replace(/\n$/u, '').split('\n').length,
      cut,
    };
    return { content: [{ type: 'text', text }], display };
  }
}

/** The names of each change in `--name-status -z`: two where a file was renamed or copied. */
function changedNames(output: string): readonly (readonly string[])[] {
  const fields = output.split('\0').filter((field) => field.trim() !== '');
  const changed: string[][] = [];
  for (let at = 0; at < fields.length;) {
    const count = /^[RC]\d*$/u.test(fields[at]?.trim() ?? '') ? 2 : 1;
    changed.push(fields.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return changed;
}

/** A path and nothing else: no wildcards. Empty: everything. */
function literal(below: string): string {
  return `:(top,literal)${below}`;
}

function revision(ref: string | undefined): readonly string[] {
  return ref === undefined ? [] : ['--end-of-options', ref];
}

function emptyText(action: Input['action']): string {
  switch (action) {
    case 'log':
      return 'No commits.';
    case 'branches':
      return 'No branches: nothing was committed yet.';
    default:
      return 'No changes.';
  }
}
