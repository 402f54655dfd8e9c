import { execFileSync } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { NodeGit } from '../../../src/hosts/node/git/git.ts';
import { AttackedWorkspace } from '../attacked-workspace.ts';
import { mildest, record, text } from '../case-input.ts';
import type { Answer, AttackCase, Fixture, Surfaces } from '../surface.ts';

/** What git is asked for, by the model's tool. */
const ACTIONS = ['status', 'diff', 'staged', 'unstaged', 'log', 'show', 'branches', 'message'];

/** Hostile repositories: rule 11. Nothing that they configure may run, whoever asks git. */
export const gitSurfaces: Surfaces = {
  'open-trusted': async ({ input }, fixture) => {
    await makeRepository(input, fixture);
    return lookAtEverything(fixture);
  },

  'write-many': ({ input }, fixture) =>
    AttackedWorkspace.use(fixture, async (workspace) => {
      execFileSync('git', ['init', '--quiet', fixture.ws]);
      const answers: Answer[] = [];
      for (const [file, content] of Object.entries(record(input['files']))) {
        answers.push(await workspace.decide('write_file', { path: file, content: text(content) }));
        // As if a person had said yes to each.
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, text(content));
      }
      const then = record(input['then']);
      const command = await workspace.decide('run_command', {
        command: text(then['command'] ?? 'git status'),
        cwd: text(then['cwd'] ?? fixture.ws),
      });
      await lookAtEverything(fixture, text(then['cwd'] ?? fixture.ws));
      const note = `the command: ${command.decision}; the files: ${mildest(answers).decision}`;
      return { decision: 'inert', note };
    }),

  'tool-on-file': async ({ input }, fixture) => {
    const file = text(input['path']);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, 'needle\n');
    await makeRepository(input, fixture);
    await writeFile(file, 'another needle\n');
    const before = await readdir(fixture.ws);
    await lookAtEverything(fixture);
    await AttackedWorkspace.use(fixture, async (workspace) => {
      for (const action of ['diff', 'log', 'blame'])
        await workspace.call('git', { action, path: file });
      return searchFor(workspace, file);
    });
    await writeEverythingBack(fixture);
    const made = (await readdir(fixture.ws)).filter((name) => !before.includes(name));
    return made.length === 0
      ? { decision: 'inert' }
      : { decision: 'allow', note: `made: ${made.join(', ')}` };
  },

  'git-name': async ({ input }, fixture) => {
    const file = path.join(fixture.ws, text(input['file'] ?? 'x'));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, 'needle\n');
    await makeRepository(input, fixture);
    const branch = input['branch'];
    if (branch !== undefined) {
      const head = git(fixture, 'rev-parse', 'HEAD').trim();
      const refs = path.join(fixture.ws, '.git/packed-refs');
      // Whatever git's own commands would say to such a name.
      await writeFile(
        refs,
        `# pack-refs with: peeled fully-peeled sorted \n${head} refs/heads/${text(branch)}\n`,
      );
    }
    await lookAtEverything(fixture);
    return AttackedWorkspace.use(fixture, async (workspace) => {
      await workspace.call('git', { action: 'log', path: file });
      if (branch !== undefined) await workspace.call('git', { action: 'log', ref: text(branch) });
      await searchFor(workspace, file);
      return { decision: 'inert' };
    });
  },
};

async function searchFor(workspace: AttackedWorkspace, file: string): Promise<Answer> {
  await workspace.call('search_text', { pattern: 'needle', path: file });
  await workspace.call('search_text', { pattern: 'needle' });
  await workspace.call('find_files', { pattern: path.basename(file) });
  await workspace.call('list_files', {});
  await workspace.call('read_file', { files: [{ path: file }] });
  return { decision: 'inert' };
}

/** A repository as somebody else made it: with these settings, after a commit of all files. */
export async function makeRepository(input: AttackCase['input'], fixture: Fixture): Promise<void> {
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', fixture.ws]);
  git(fixture, 'add', '--all');
  git(fixture, 'commit', '--quiet', '--message', 'first');
  for (const [file, content] of Object.entries(record(input['files']))) {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text(content), file.includes('/hooks/') ? { mode: 0o755 } : {});
  }
  for (const [key, value] of Object.entries(record(input['gitConfig'])))
    git(fixture, 'config', key, text(value));
  await writeFile(path.join(fixture.ws, 'src/a.ts'), 'export const changed = 1;\n');
}

function git(fixture: Fixture, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
    cwd: fixture.ws,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: fixture.home, GIT_CONFIG_NOSYSTEM: '1' },
  });
}

/** All that Belay asks git for: by itself, for a command of the model's, by the model's tool. */
export async function lookAtEverything(fixture: Fixture, folder = fixture.ws): Promise<Answer> {
  const own = new NodeGit();
  const { signal } = new AbortController();
  const hazards = await own.hazards(folder);
  const repository = await own.repositoryOf(folder);
  if (repository !== undefined) {
    for (const args of [['status'], ['diff'], ['log', '-p'], ['show'], ['ls-files', '--stage']])
      await own.run({ repository, args, signal });
  }
  return AttackedWorkspace.use(fixture, async (workspace) => {
    for (const action of ACTIONS) await workspace.call('git', { action, path: folder });
    await workspace.call('git', { action: 'blame', path: path.join(fixture.ws, 'src/a.ts') });
    // Asked about when the repository would have something run.
    await workspace.decide('run_command', { command: 'git status', cwd: folder });
    return { decision: 'inert', note: `hazards: ${hazards.join(', ')}` };
  });
}

/** What a restore does: each file is written anew where it really is. */
async function writeEverythingBack(fixture: Fixture): Promise<void> {
  await AttackedWorkspace.use(fixture, async ({ files }) => {
    for (const entry of await readdir(fixture.ws, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name);
      if (!entry.isFile() || file.includes('/.git/')) continue;
      await files.write(file, await files.read(file), { exact: true });
    }
    return { decision: 'inert' };
  });
}
