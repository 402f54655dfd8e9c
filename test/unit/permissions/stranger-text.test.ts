import assert from 'node:assert/strict';
import { OTHER_SESSION, strangerIn } from '../../../src/core/permissions/stranger-text.ts';
import type { JsonObject } from '../../../src/domain/data/json.ts';
import type { Message, Part } from '../../../src/domain/message.ts';

const said: Part = { type: 'text', text: 'hello' };
const called = (name: string, input: JsonObject = {}): Part => ({
  type: 'tool_call',
  id: 'c',
  name,
  input,
});
const told = (name: string, display?: JsonObject): Part => ({
  type: 'tool_result',
  callId: 'c',
  name,
  state: 'done',
  content: [],
  ...(display === undefined ? {} : { display }),
});
const mention = (source: string): Part => ({
  ...said,
  mention: { source, ref: 'r', label: `the ${source}`, detail: '', icon: '', tokens: null },
});

/** The origin in a session whose messages have these parts, the oldest first. */
function origin(messages: readonly Partial<Message>[]): Promise<string | undefined> {
  const all = messages.map((one, index): Message => ({
    id: `m${index}`,
    sessionId: 's',
    runId: 'r',
    seq: index + 1,
    role: 'user',
    parts: [said],
    createdAt: 0,
    ...one,
  }));
  const page = async ({ limit = 0, beforeSeq = Infinity }): Promise<Message[]> =>
    all.filter(({ seq }) => seq < beforeSeq).slice(-limit);
  return strangerIn({ messages: page }, 's');
}

describe('text of strangers in a session', () => {
  const cases: readonly (readonly [Part, string | undefined])[] = [
    [said, undefined],
    [called('read_file', { path: 'curl' }), undefined],
    [called('run_command', { command: 'npm test' }), undefined],
    [called('run_command', { command: 'echo curly' }), undefined],
    [called('run_command', { command: ['curl'] }), undefined],
    [called('run_command', { command: 'cd a && curl -s https://a.example' }), 'run_command'],
    [called('run_command', { command: 'git  pull' }), 'run_command'],
    [called('run_command', { command: 'git -C sub --no-pager pull' }), 'run_command'],
    [called('run_command', { command: 'git commit -m pull' }), undefined],
    [called('run_command', { command: `git ${'-C '.repeat(2000)}` }), undefined],
    [called('fetch_url'), 'fetch_url'],
    [called('web_search'), 'web_search'],
    [called('mcp__hub__read'), 'mcp__hub__read'],
    [called('ext__tool'), 'ext__tool'],
    [mention('file'), undefined],
    [mention('page'), 'the page'],
    [mention('attachment'), 'the attachment'],
    [told('agent'), undefined],
    [told('agent', { stranger: '' }), undefined],
    [told('agent', { stranger: 3 }), undefined],
    [told('agent', { stranger: 'a.example' }), 'a.example'],
    [told('write_agent', { stranger: 'a.example' }), 'a.example'],
    [told('read_file', { stranger: 'a.example' }), undefined],
  ];
  it('is what was fetched, searched, attached, mentioned or read by a sub-agent', async () => {
    assert.equal(await origin([]), undefined);
    for (const [part, expected] of cases) {
      assert.equal(await origin([{ parts: [said, part] }]), expected, JSON.stringify(part));
      assert.equal(await origin([{ parts: [part] }, {}]), expected, 'also in an older message');
    }
    assert.equal(
      await origin([{ parts: [said, called('read_file'), called('fetch_url')] }]),
      'fetch_url',
    );
  });

  it('is all that was imported or copied from another session', async () => {
    const { runId: _, ...imported }: Partial<Message> = { parts: [said] };
    assert.equal(await origin([{ ...imported, runId: undefined } as never]), OTHER_SESSION);
  });

  it('is found however long ago it was, the newest first', async () => {
    const many = (count: number): Partial<Message>[] => Array.from({ length: count }, () => ({}));
    const stranger = { parts: [called('fetch_url')] };
    for (const count of [198, 199, 200, 399, 400, 450]) {
      assert.equal(await origin([stranger, ...many(count)]), 'fetch_url', `${count} later`);
      assert.equal(await origin(many(count)), undefined);
    }
    assert.equal(
      await origin([stranger, ...many(300), { parts: [called('web_search')] }]),
      'web_search',
    );
  });
});
