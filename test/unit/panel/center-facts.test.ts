import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { folderSizes } from '../../../src/hosts/node/files/folder-sizes.ts';
import type { McpServerView } from '../../../src/mcp/status/server-view.ts';
import { privacySection } from '../../../src/panel/center/privacy-section.ts';
import { storageSection } from '../../../src/panel/center/storage-section.ts';
import type { ProviderInstance } from '../../../src/providers/instance.ts';
import { MODELS } from './stage-models.ts';

const FACTS = {
  bytes: 2 ** 20,
  requests: 2,
  calls: 3,
  oldest: 0,
  limits: { days: 30, bytes: 2 ** 30 },
  leftOut: undefined,
};

describe('facts in the Control Center', () => {
  it('what is stored is named with its place and its true size; nothing is deleted without a yes', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'belay-center-'));
    const cleaned: unknown[] = [];
    let yes = false;
    try {
      const data = path.join(folder, 'data');
      await mkdir(path.join(data, 'snapshots', 'deep'), { recursive: true });
      await writeFile(path.join(data, 'belay.db'), 'x'.repeat(1000));
      await writeFile(path.join(data, 'belay.db-wal'), 'x'.repeat(50));
      await writeFile(path.join(data, 'snapshots', 'deep', 'pack'), 'x'.repeat(700));
      await writeFile(path.join(data, 'something-new'), 'x'.repeat(9));
      const section = storageSection({
        checkpoints: {
          facts: async () => FACTS,
          cleanUp: async (what) => {
            cleaned.push(what);
            return { deleted: 5, left: 0 };
          },
        },
        sessions: async () => 4,
        folders: { data, shared: path.join(folder, 'none'), logs: path.join(folder, 'no-logs') },
        sizes: folderSizes,
        confirm: async () => yes,
      });
      const { places, sessions, checkpoints } = await section.readStorage({});
      assert.deepEqual(
        places.map(({ name, bytes }) => [name, bytes]),
        [
          ['Sessions, messages, pending changes', 1050],
          ['Checkpoints: copies of your files', 700],
          ['Other working files of this workspace', 9],
        ],
      );
      assert.equal(sessions, 4);
      assert.match(checkpoints?.title ?? '', /take 1 MB of at most/u);
      assert.equal(await section.cleanUp({ kind: 'everything' }), null);
      assert.deepEqual(cleaned, []);
      yes = true;
      assert.match(
        (await section.cleanUp({ kind: 'older', days: 3 }))?.said ?? '',
        /5 checkpoints/u,
      );
      assert.deepEqual(cleaned, [{ kind: 'older', days: 3 }]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('who gets what follows what is set and connected', async () => {
    const [model] = MODELS;
    assert.ok(model);
    const instance = {
      id: model.provider,
      name: 'Box',
      wire: 'chat',
      baseUrl: 'https://box.example/v1',
      key: 'stored',
    } as unknown as ProviderInstance;
    let instances = [instance];
    const server = (more: Partial<McpServerView>): McpServerView => ({
      name: 'a',
      origin: 'user',
      place: 'belay.mcp.servers',
      typed: false,
      hash: 'h',
      summary: 'npx a',
      state: 'ready',
      remote: false,
      problems: [],
      tools: 0,
      ...more,
    });
    let masks = true;
    const section = privacySection({
      models: { list: () => [model], sourceOf: () => ({ name: 'Box', kind: 'set' }) },
      instances: () => instances,
      model: () => model.id,
      servers: () => [
        server({}),
        server({ name: 'far', remote: true, summary: 'https://mcp.example/x?y=1' }),
        server({ name: 'off', state: 'disabled' }),
      ],
      hosts: (effect) => (effect === 'deny' ? ['bad.example'] : ['docs.example']),
      settings: () => ({ masks, sandbox: false, extensions: false }),
      trusted: () => true,
    });
    const { receivers } = await section.readPrivacy({});
    assert.deepEqual(
      receivers.map(({ name, place, local }) => [name, place, local]),
      [
        ['Box', 'box.example', false],
        ['MCP server a', 'a program on this machine', true],
        ['MCP server far', 'mcp.example', false],
        ['Web pages', 'docs.example', false],
        ['Commands that you let run', 'wherever they connect to', false],
      ],
    );
    assert.match(receivers[0]?.gets ?? '', /in new sessions, as set/u);
    assert.match(receivers[3]?.gets ?? '', /Never: bad\.example/u);
    instances = [{ ...instance, baseUrl: 'http://127.0.0.1:8080' }];
    assert.deepEqual((await section.readPrivacy({})).receivers[0]?.place, 'this machine');
    masks = false;
    const [mask] = (await section.readPrivacy({})).protections;
    assert.deepEqual([mask?.on, mask?.setting], [false, 'secrets.maskToolOutput']);
    assert.match(mask?.said ?? '', /as they are/u);
  });
});
