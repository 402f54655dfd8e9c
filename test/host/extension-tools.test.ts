import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Tool, ToolContext } from '../../src/core/tool-call/tool-call.ts';
import { extensionTools } from '../../src/hosts/vscode/extension-tools/extension-tools.ts';
import { eventually } from './eventually.ts';

describe('tools of other extensions', () => {
  const warnings: string[] = [];
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message: string) => void warnings.push(message),
    error: () => undefined,
  };
  let tools: readonly Tool[];

  const tool = (name: string): Tool =>
    tools.find((one) => one.name === `ext__sample_tools__${name}`) ?? assert.fail(name);
  const context = (signal = new AbortController().signal): ToolContext => ({
    callId: 'call',
    runId: 'run',
    sessionId: 'session',
    roots: [],
    signal,
    emit: () => undefined,
    recordProcess: async () => undefined,
  });

  before(async () => {
    tools = await eventually('the sample extension is there', () => {
      const found = extensionTools(log);
      return found.some(({ name }) => name.startsWith('ext__sample_tools__')) && found;
    });
  });

  it('are those that extensions contribute, under names of their own; VS Code’s own are left out', async () => {
    await eventually('VS Code has a tool of its own', () =>
      vscode.lm.tools.some(({ name }) => name === 'run_in_terminal'),
    );
    tools = extensionTools(log);
    const sample = tools.filter(({ name }) => name.startsWith('ext__sample_tools__'));
    assert.deepEqual(
      sample.map(({ name }) => name.slice('ext__sample_tools__'.length)),
      ['sample_count', 'sample_fail', 'sample_picture', 'sample_wait'],
    );
    assert.ok(tools.every(({ name }) => /^ext__[A-Za-z0-9_-]{1,59}$/u.test(name)));
    assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length);
    assert.equal(
      tools.some(({ name }) => name.includes('run_in_terminal')),
      false,
    );
  });

  it('security 5: are asked about, are rare, and hide nothing in what they say', () => {
    const count = tool('sample_count');
    assert.deepEqual(
      [count.permission, count.rare, count.module, count.sideEffects],
      ['execute', true, 'extensions', true],
    );
    const said = JSON.stringify([count.description, count.inputSchema]);
    assert.match(said, /Counts the letters of a text\.<U\+202E> Hidden<U\+200B>/u);
    assert.match(said, /any<U\+200B> text/u);
    assert.match(count.hash ?? '', /^[0-9a-f]{64}$/u);
    assert.notEqual(count.hash, tool('sample_fail').hash);
  });

  it('security 5: a yes is kept for exactly what was given to exactly this tool', async () => {
    const started = async (name: string, text: string): Promise<string | undefined> =>
      (await tool(name).starts?.({ text }, []))?.code?.text;
    const first = await started('sample_count', 'a');
    assert.equal(await started('sample_count', 'a'), first);
    assert.notEqual(await started('sample_count', 'b'), first);
    assert.notEqual(await started('sample_fail', 'a'), first);
    assert.ok(first?.includes('Counts the letters'));
  });

  it('show the person which extension gets what', async () => {
    const preview = await tool('sample_count').preview?.({ text: 'abc' }, context());
    assert.deepEqual(preview, {
      title: 'Use Count letters of the extension sample.tools',
      detail: '{\n  "text": "abc"\n}',
    });
  });

  it('answer with text, data and images', async () => {
    const { content } = await tool('sample_count').run({ text: 'abcd' }, context());
    const [words, data] = content.map((part) => (part.type === 'text' ? part.text : ''));
    assert.deepEqual([content.length, words], [2, '4 letters']);
    assert.deepEqual(JSON.parse(data ?? ''), { letters: 4 });
    const picture = await tool('sample_picture').run({}, context());
    assert.deepEqual(picture.content, [{ type: 'binary', mediaType: 'image/png', data: 'AQID' }]);
  });

  it('fail with what the extension says', async () => {
    await assert.rejects(tool('sample_fail').run({}, context()), {
      code: 'tool',
      message:
        /sample_fail of the extension sample\.tools failed: .*the sample has no more samples/u,
    });
  });

  it('D4: are stopped', async () => {
    const stop = new AbortController();
    const running = tool('sample_wait').run({}, context(stop.signal));
    setTimeout(() => stop.abort(), 50);
    await assert.rejects(running, { name: 'AbortError' });
  });
});
