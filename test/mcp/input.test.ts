import assert from 'node:assert/strict';
import { SystemClock } from '../../src/hosts/node/clock.ts';
import { promptSource } from '../../src/panel/input/sources/prompts.ts';
import { resourceSource } from '../../src/panel/input/sources/resources.ts';
import { ServerOffers } from '../../src/panel/input/sources/server-offers.ts';
import type { ScoredRow } from '../../src/panel/input/source.ts';
import type { MentionReader } from '../../src/core/tool-call/mention-reader.ts';
import type { ToolContext } from '../../src/core/tool-call/tool-call.ts';
import { bytesFromBase64 } from '../../src/domain/data/base64.ts';
import { everything, Harness } from './support/harness.ts';

describe('MCP: prompts and resources in the input', function () {
  this.timeout(60_000);
  let harness: Harness;
  let offers: ServerOffers;
  const none = new AbortController().signal;

  before(async () => {
    harness = new Harness();
    harness.configure({ everything: { command: process.execPath, args: [everything, 'stdio'] } });
    await harness.hub.tools();
    offers = new ServerOffers(harness.hub, new SystemClock());
  });
  after(async () => harness.hub.dispose());

  const reader: Pick<MentionReader, 'bySource'> = {
    bySource: async (_, read) => (await read({ signal: none } as unknown as ToolContext)).content,
  };
  const best = (rows: readonly ScoredRow[]): readonly ScoredRow[] =>
    rows.toSorted((left, right) => right.score - left.score);
  const prompts = async (query: string): Promise<readonly ScoredRow[]> =>
    best(await promptSource(offers).search(query, none));
  const resources = async (query: string): Promise<readonly ScoredRow[]> =>
    best(await resourceSource(offers, reader).search(query, none));

  it('prompts are commands with the name of their server; one without arguments is filled at once', async () => {
    const [row] = await prompts('simple');
    assert.equal(row?.label, '/everything:simple-prompt');
    assert.ok(row.does.kind === 'fill');
    const filled = await promptSource(offers).fill(row.does.ref);
    assert.match(filled?.text ?? '', /simple prompt/u);
    assert.match(filled?.note ?? '', /words of “simple-prompt” of the MCP server “everything”/u);
  });

  it('arguments are asked for, the required ones first, and completed by the server', async () => {
    const [row] = await prompts('args');
    assert.deepEqual(row?.does, { kind: 'insert', text: '/everything:args-prompt ' });
    const asked = await prompts('everything:args-prompt ');
    assert.deepEqual(
      asked.map(({ label, detail }) => `${label} ${detail.split('.')[0]}`),
      ['city Required', 'state Optional'],
    );
    assert.equal((await prompts('everything:args-prompt city='))[0]?.does.kind, 'hint');
    const [whole] = await prompts('everything:args-prompt city="New York" ');
    assert.ok(whole?.does.kind === 'fill', JSON.stringify(whole));
    const filled = await promptSource(offers).fill(whole.does.ref);
    assert.match(filled?.text ?? '', /New York/u);
    const departments = await prompts('everything:completable-prompt department=');
    assert.ok(
      departments.some(({ label }) => label === 'Engineering'),
      JSON.stringify(departments),
    );
    const [value] = await prompts('everything:completable-prompt department=Eng');
    assert.deepEqual(value?.does, {
      kind: 'insert',
      text: '/everything:completable-prompt department=Engineering ',
    });
    // What the second one may be depends on the first.
    const names = await prompts('everything:completable-prompt department=Engineering name=');
    assert.ok(
      names.some(({ label }) => label === 'Alice'),
      JSON.stringify(names),
    );
  });

  it('a prompt that brings a resource brings it along as an attachment', async () => {
    const typed = 'everything:resource-prompt resourceType=Text resourceId=1 ';
    const [row] = await prompts(typed);
    assert.ok(row?.does.kind === 'fill', JSON.stringify(row));
    const filled = await promptSource(offers).fill(row.does.ref);
    assert.notEqual(filled?.text, '');
    const [attachment] = filled?.attachments ?? [];
    assert.match(
      new TextDecoder().decode(bytesFromBase64(attachment?.data ?? '')),
      /Resource demo:\/\//u,
    );
  });

  it('resources are found by their names and addresses, and read when they are taken', async () => {
    const [row] = await resources('architecture');
    assert.ok(row?.does.kind === 'mention', JSON.stringify(row));
    assert.match(row.label, /^everything:architecture/u);
    const content = await resourceSource(offers, reader).take(row.does.mention.ref, 's');
    assert.match(JSON.stringify(content), /Everything Server/u);
  });

  it('a template is typed on, its variable completed, and the address that comes of it read', async () => {
    const rows = await resources('dynamic text');
    const template = rows.find(({ does }) => does.kind === 'insert');
    assert.ok(template?.does.kind === 'insert', JSON.stringify(rows));
    const typed = template.does.text.slice(1);
    assert.equal((await resources(typed))[0]?.does.kind === 'mention', false);
    const found = await resources(`${typed}1`);
    const row = found.find(({ does }) => does.kind === 'mention');
    assert.ok(row?.does.kind === 'mention', JSON.stringify(found));
    const content = await resourceSource(offers, reader).take(row.does.mention.ref, 's');
    assert.match(JSON.stringify(content), /Resource demo:\/\/resource\/dynamic\/text\/1/u);
  });

  it('a server that is gone has no rows, and what is mentioned of it fails with a sentence', async () => {
    await harness.hub.stop('everything');
    assert.deepEqual(await resources('architecture'), []);
    assert.deepEqual(await prompts('simple'), []);
    await assert.rejects(
      resourceSource(offers, reader).take(JSON.stringify(['everything', 'demo://x']), 's'),
      /everything/u,
    );
  });
});
