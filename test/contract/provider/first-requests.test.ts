import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { DEFAULT_MODELS } from '../../../src/providers/catalog/default-models.ts';
import { PRESETS } from '../../../src/providers/catalog/presets.ts';
import type { ProviderPreset } from '../../../src/providers/catalog/presets.ts';
import { ModelNames } from '../../../src/providers/instance.ts';
import { readInstances, wireFor } from '../../../src/providers/instances-setting.ts';
import { createNamedCatalog } from '../../../src/providers/named-catalog.ts';
import { WIRES } from '../../../src/providers/wires.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { message, modelRequest, outcomeOf, user } from '../../support/model-call.ts';
import { IMAGE, PDF } from './wire-rig.ts';

const FIXTURES = new URL('../../fixtures/first-requests/', import.meta.url);
/** `BELAY_FIXTURES=update` writes the requests as they are now; read the difference before you commit it. */
const isUpdate = process.env['BELAY_FIXTURES'] === 'update';

/** A schema of a kind that MCP servers send. */
const TOOLS = [
  {
    name: 'mcp__box__open',
    description: 'Opens a box.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1 },
        lid: { const: 'up' },
        size: { $ref: '#/$defs/size' },
      },
      required: ['name'],
      additionalProperties: false,
      $defs: { size: { type: 'integer', exclusiveMinimum: 0 } },
    },
  },
];

/** A request with all that providers differ in: effort, a picture, a file, calls of another model, its thinking. */
const asked = (model: string) =>
  modelRequest({
    model,
    system: ['You are a test.', 'Mode: test.'],
    tools: TOOLS,
    thinking: 'medium',
    maxOutputTokens: 8000,
    sampling: { temperature: 0.5 },
    messages: [
      message('user', [{ type: 'text', text: 'Look.' }, IMAGE, PDF]),
      message('assistant', [
        {
          type: 'reasoning',
          text: 'Foreign thought.',
          replay: { instance: 'x', wire: 'messages', model: 'x', data: { signature: 'foreign' } },
        },
        { type: 'tool_call', id: 'strange.id', name: 'mcp__box__open', input: { name: 'a' } },
      ]),
      message('tool', [
        {
          type: 'tool_result',
          callId: 'strange.id',
          name: 'mcp__box__open',
          state: 'done',
          content: [{ type: 'text', text: 'Open.' }, IMAGE],
        },
      ]),
      user('And now?'),
    ],
  });

/** The first request to a preset, as it leaves the program; nothing goes out. */
async function firstRequest({ id, baseUrl }: ProviderPreset) {
  const address = (baseUrl === '' ? 'https://server.example/v1' : baseUrl).replaceAll(/[{}]/gu, '');
  // Belay has an instance of its own for some names.
  const { instances, problems } = readInstances({
    [`my-${id}`]: { preset: id, baseUrl: address, key: 'stored' },
  });
  assert.deepEqual(problems, []);
  const [instance] = instances;
  assert.ok(instance);
  const names = new ModelNames([instance]);
  const catalog = createNamedCatalog(names);
  const model = DEFAULT_MODELS[id] ?? catalog.modelsOf(instance.id)[0]?.id ?? 'some-model';
  const sent: unknown[] = [];
  const provider = WIRES[instance.wire](instance, {
    apiKey: async () => Promise.resolve('the-key'),
    infoOf: (name) => catalog.lookup(name, instance.id),
    catalog,
    cacheTtl: () => '1h',
    clock: new SystemClock(),
    fetch: async (input, init) => {
      const body = Buffer.from(init?.body as Uint8Array).toString();
      sent.push({
        url: input instanceof Request ? input.url : String(input),
        headers: init?.headers,
        body: JSON.parse(body) as unknown,
      });
      return Promise.resolve(new Response('{}', { status: 401 }));
    },
  });
  await outcomeOf(provider.call, asked(model));
  assert.equal(sent.length, 1);
  return sent[0];
}

describe('the first request to every preset is the recorded one', () => {
  const served = PRESETS.filter((preset) => wireFor(preset) !== undefined);

  for (const preset of served) {
    it(preset.id, async () => {
      const sent = await firstRequest(preset);
      const file = new URL(`${preset.id}.json`, FIXTURES);
      if (isUpdate) await writeFile(file, `${JSON.stringify(sent, null, 2)}\n`);
      assert.deepEqual(sent, JSON.parse(await readFile(file, 'utf8')));
      assert.doesNotMatch(JSON.stringify(sent), /foreign/i);
    });
  }

  it('no recorded request is of a preset that is gone', async () => {
    const files = (await readdir(FIXTURES)).toSorted();
    assert.deepEqual(files, served.map(({ id }) => `${id}.json`).toSorted());
  });
});
