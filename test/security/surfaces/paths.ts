import { mkdir, rename, rm, symlink, readdir } from 'node:fs/promises';
import path from 'node:path';
import { AttackedWorkspace } from '../attacked-workspace.ts';
import { list, mildest, text } from '../case-input.ts';
import type { Answer, AttackCase, Fixture, Surfaces } from '../surface.ts';

/** Reading and writing by the file tools: rules 1, 2 and 4. */
export const pathSurfaces: Surfaces = {
  read: ({ input }, fixture) =>
    inWorkspace(fixture, (workspace) =>
      workspace.decide('read_file', { files: [{ path: text(input['path']) }] }),
    ),

  write: ({ input }, fixture) =>
    inWorkspace(fixture, (workspace) =>
      write(workspace, text(input['path']), text(input['content'])),
    ),

  /** As strict as the mildest answer. */
  'write-each': ({ input }, fixture) =>
    inWorkspace(fixture, async (workspace) => {
      const answers: Answer[] = [];
      for (const file of list(input['paths']))
        answers.push(await write(workspace, file, text(input['content'] ?? 'x')));
      return mildest(answers);
    }),

  'write-race': writeRace,

  search: ({ input }, fixture) =>
    inWorkspace(fixture, async (workspace) => {
      const ignored = path.basename(text(input['ignored']));
      const pattern = text(input['pattern']);
      const where = text(input['path']);
      const calls = [
        await workspace.call('search_text', { pattern, path: where }),
        await workspace.call('search_text', { pattern, path: where, include: [ignored, '.*'] }),
        await workspace.call('search_text', { pattern, path: text(input['ignored']) }),
        await workspace.call('find_files', { pattern: ignored, path: where }),
        await workspace.call('list_files', { path: where }),
      ];
      const seen = JSON.stringify(calls.map(({ result }) => [result.content, result.display]));
      return seen.includes(`${pattern}=`)
        ? { decision: 'allow', note: seen.slice(0, 500) }
        : { decision: 'inert' };
    }),
};

async function inWorkspace(
  fixture: Fixture,
  use: (workspace: AttackedWorkspace) => Promise<Answer>,
): Promise<Answer> {
  const workspace = new AttackedWorkspace(fixture);
  try {
    return await use(workspace);
  } finally {
    workspace.dispose();
  }
}

async function write(workspace: AttackedWorkspace, file: string, content: string): Promise<Answer> {
  await workspace.seen(file).catch(() => undefined);
  return workspace.decide('write_file', { path: file, content });
}

/** A folder is exchanged for a link to another place while it is written to. */
async function writeRace({ input }: AttackCase, fixture: Fixture): Promise<Answer> {
  return inWorkspace(fixture, async (workspace) => {
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
