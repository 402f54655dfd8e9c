import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AttackedWorkspace } from '../attacked-workspace.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import { list, mildest, text } from '../case-input.ts';
import type { Answer, AttackCase, Fixture, Surfaces } from '../surface.ts';

/** Reading and writing by the file tools: rules 1, 2 and 4. */
export const pathSurfaces: Surfaces = {
  read: ({ input }, fixture) =>
    AttackedWorkspace.use(fixture, (workspace) =>
      workspace.decide('read_file', { files: [{ path: text(input['path']) }] }),
    ),

  write: ({ input }, fixture) =>
    AttackedWorkspace.use(fixture, (workspace) =>
      write(workspace, text(input['path']), text(input['content'])),
    ),

  /** As strict as the mildest answer. */
  'write-each': ({ input }, fixture) =>
    AttackedWorkspace.use(fixture, async (workspace) => {
      const answers: Answer[] = [];
      for (const file of list(input['paths']))
        answers.push(await write(workspace, file, text(input['content'] ?? 'x')));
      return mildest(answers);
    }),

  'write-race': writeRace,

  search: ({ input }, fixture) =>
    AttackedWorkspace.use(fixture, async (workspace) => {
      const ignored = text(input['ignored']);
      await writeFile(
        path.join(fixture.ws, '.belayignore'),
        `/${path.relative(fixture.ws, ignored)}\n`,
      );
      const lines = (await readFile(ignored, 'utf8')).split('\n').filter((line) => line !== '');
      const seen: unknown[] = [];
      for (const [name, call] of searches(text(input['pattern']), text(input['path']), ignored))
        seen.push((await workspace.call(name, call)).result);
      for (const entry of await readdir(fixture.ws, { withFileTypes: true })) {
        if (!entry.isSymbolicLink()) continue;
        const link = path.join(fixture.ws, entry.name);
        for (const [name, call] of searches(text(input['pattern']), link, link))
          seen.push((await workspace.call(name, call)).result);
      }
      const shown = JSON.stringify(seen);
      return lines.some((line) => shown.includes(JSON.stringify(line).slice(1, -1)))
        ? { decision: 'allow', note: shown.slice(0, 2000) }
        : { decision: 'inert' };
    }),
};

/** Every way to the content of a file. */
function searches(
  pattern: string,
  place: string,
  file: string,
): readonly (readonly [tool: string, input: JsonObject])[] {
  const name = path.basename(file);
  return [
    ['search_text', { pattern, path: place }],
    ['search_text', { pattern, path: place, include: [name, '.*', '**/*'] }],
    ['search_text', { pattern: '.', path: file }],
    ['find_files', { pattern: name, path: place }],
    ['list_files', { path: place }],
    ['read_file', { files: [{ path: file }] }],
    ['git', { action: 'diff', path: place }],
    ['run_command', { command: `grep -r ${pattern} .` }],
    ['run_command', { command: `rg --hidden --no-ignore ${pattern}` }],
    ['run_command', { command: `cat '${file}'` }],
    ['run_command', { command: `cat .*` }],
  ];
}

async function write(workspace: AttackedWorkspace, file: string, content: string): Promise<Answer> {
  await workspace.seen(file).catch(() => undefined);
  return workspace.decide('write_file', { path: file, content });
}

/** A folder is exchanged for a link to another place while it is written to. */
async function writeRace({ input }: AttackCase, fixture: Fixture): Promise<Answer> {
  return AttackedWorkspace.use(fixture, async (workspace) => {
    const file = text(input['path']);
    const swap = text(input['swap']);
    const folder = path.dirname(file);
    await mkdir(folder, { recursive: true });
    const stop = new AbortController();
    const swapping = swapUntil(folder, swap, stop.signal);
    for (let tries = 0; tries < Number(input['tries'] ?? 200); tries += 1)
      await write(workspace, file, `x${tries}\n`);
    stop.abort();
    await swapping;
    const name = path.basename(file);
    const escaped = (await readdir(swap)).filter((one) => one === name || one.includes('.belay'));
    return escaped.length === 0
      ? { decision: 'refuse' }
      : { decision: 'allow', note: `${escaped.join(', ')} under ${swap}` };
  });
}

async function swapUntil(folder: string, swap: string, signal: AbortSignal): Promise<void> {
  const away = `${folder}.away`;
  while (!signal.aborted) {
    await rename(folder, away).catch(() => undefined);
    await symlink(swap, folder).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    await rm(folder, { force: true, recursive: false }).catch(() => undefined);
    await rename(away, folder).catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
  }
}
