import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { NodeWorkspaceSnapshots } from '../../src/hosts/node/workspace-snapshots/node-workspace-snapshots.ts';
import { FakeLanguage } from '../support/fake-language.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { workerFile } from '../support/worker-file.ts';

const worker = workerFile('hosts/node/workspace-snapshots/worker.ts');
const FILES = {
  'shape.ts': 'export function area(side: number): number {\n  return side * side;\n}\n',
  'user.ts': "import { area } from './shape.js';\nexport const total = area(2);\n",
  'other.ts': "import { area } from './shape.js';\nexport const more = area(3);\n\n// end\n",
};

describe('what a language server renames in files that the call does not name', () => {
  it('is pending in each of them, and restored in all, without what the person did meanwhile', async () => {
    const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'belay-rename-')));
    const snapshots = new NodeWorkspaceSnapshots({
      folder: path.join(folder, 'snapshots'),
      name: 'test',
      worker,
      without: [],
      environment: {},
    });
    let workspace = '';
    const language = new Proxy({} as FakeLanguage, {
      get: (_, name: keyof FakeLanguage) => {
        const fake = new FakeLanguage(workspace);
        return (fake[name] as (...given: unknown[]) => unknown).bind(fake);
      },
    });
    await using test = await TestEngine.open({
      files: FILES,
      settings: { 'permissions.mode': 'edit' },
      host: { snapshots, language, reviewed: true },
      script: inOrder(
        calls(
          call('rename_symbol', { path: 'user.ts', symbol: 'area', line: 2, new_name: 'size' }),
        ),
        say('Done.'),
      ),
    });
    ({ workspace } = test);
    const at = (name: string): string => readFileSync(path.join(workspace, name), 'utf8');
    const { sessionId } = await test.run('Rename it');
    for (const name of Object.keys(FILES)) assert.doesNotMatch(at(name), /\barea\b/u, name);
    assert.deepEqual(
      test.engine.reviews?.pending.map((review) => path.basename(review.path)),
      Object.keys(FILES).toSorted(),
    );
    writeFileSync(path.join(workspace, 'other.ts'), `${at('other.ts')}// mine\n`);
    const records = (await test.engine.changes?.list(sessionId)) ?? [];
    const found = (await test.engine.changes?.preview(records)) ?? [];
    assert.deepEqual(found.map((one) => `${one.path} ${one.outcome}`).toSorted(), [
      'other.ts merged',
      'shape.ts restored',
      'user.ts restored',
    ]);
    await test.engine.changes?.restore(sessionId, found);
    assert.deepEqual(Object.keys(FILES).map(at), [
      FILES['shape.ts'],
      FILES['user.ts'],
      `${FILES['other.ts']}// mine\n`,
    ]);
    snapshots.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
});
