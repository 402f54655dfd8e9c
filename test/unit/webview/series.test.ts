import assert from 'node:assert/strict';
import { effect } from '@preact/signals';
import { emptyToolView } from '../../../src/panel/cards/tool-view.ts';
import type { MessageView, PartView, ToolView } from '../../../src/protocol/view.ts';
import { ConversationView } from '../../../webview/panel.ts';
import { countsOf, namesOf } from '../../../webview/series.ts';
import { Transcript } from '../../../webview/transcript.ts';

const done = (callId: string, name = 'read_file', more: Partial<ToolView> = {}): ToolView => ({
  ...emptyToolView(callId, name),
  state: 'done',
  subject: `src/${callId}.ts`,
  file: { path: `src/${callId}.ts` },
  ...more,
});

const answer = (seq: number, ...parts: PartView[]): MessageView => ({
  id: `m${seq}`,
  seq,
  role: 'assistant',
  createdAt: 0,
  open: false,
  parts,
});

function shown(...messages: MessageView[]): {
  transcript: Transcript;
  view: ConversationView;
  places: () => string;
} {
  const transcript = new Transcript();
  transcript.show(messages, false, false);
  const view = new ConversationView(transcript.entries, { ask: async () => undefined }, () => null);
  return {
    transcript,
    view,
    places: () =>
      transcript.entries
        .peek()
        .map((entry) => view.placesIn(entry))
        .join('|'),
  };
}

const text = (value: string): PartView => ({ type: 'text', text: value });
const thought: PartView = { type: 'reasoning', text: 'Hm.' };
const finish: PartView = { type: 'finish', reason: 'tool_use' };

describe('many calls in a row', () => {
  it('are one line, across messages, with their thinking; what they were is said', () => {
    const { view, places } = shown(
      answer(1, thought, text('I look.'), done('a'), finish),
      answer(2, thought, done('b'), done('c', 'search_text', { file: null, subject: 'foo' })),
      answer(3, text(''), done('d')),
      answer(4, text('Done.')),
    );
    assert.equal(places(), '  l |---| -| ');
    const series = view.series.value.get('m1/2');
    assert.ok(series !== undefined);
    assert.equal(countsOf(series), '3 reads · 1 search');
    assert.equal(namesOf(series), 'a.ts, b.ts, foo, d.ts');
    view.fold('series/m1/2', true);
    assert.equal(places(), '  L |   |  | ');
    view.fold('series/m1/2', false);
    assert.equal(places(), '  l |---| -| ');
    view.reveal('m4');
    assert.equal(places(), '  l |---| -| ', 'nothing of this message is folded');
    view.reveal('m3');
    assert.equal(places(), '  L |   |  | ', 'something is found in the message');
  });

  it('fold nothing that runs, waits, failed, changed something or has more to show', () => {
    const others: readonly ToolView[] = [
      done('x', 'read_file', { state: 'running' }),
      done('x', 'read_file', { state: 'approval' }),
      done('x', 'read_file', { state: 'failed' }),
      done('x', 'read_file', { trouble: 'It is gone.' }),
      done('x', 'edit_file'),
      done('x', 'run_command'),
      done('x', 'mcp__a__read'),
      done('x', 'read_file', {
        media: [{ type: 'binary', mediaType: 'image/png', size: 1, index: 0 }],
      }),
      done('x', 'read_file', {
        details: [
          { icon: 'file', text: 'a', note: 'not there', file: null, url: null, problem: true },
        ],
      }),
    ];
    const four = ['a', 'b', 'c', 'd'].map((id) => done(id));
    for (const other of others)
      assert.equal(shown(answer(1, ...four, other)).places(), 'l--- ', JSON.stringify(other));
    assert.equal(shown(answer(1, ...four.slice(1))).places(), '   ', 'few are no series');
    assert.equal(
      shown(
        answer(1, ...four.slice(2)),
        { ...answer(2, text('Go on')), role: 'user' },
        answer(3, ...four.slice(2)),
      ).places(),
      '  | |  ',
      'a message of the person is between them',
    );
  });

  it('take a call in when it has ended, unless the person is there', () => {
    const { transcript, view, places } = shown(
      answer(1, done('a'), done('b'), done('c'), done('d', 'read_file', { state: 'running' })),
    );
    assert.equal(places(), '    ');
    view.touch('c');
    transcript.apply({ type: 'tool', callId: 'd', set: { state: 'done' } });
    assert.equal(places(), 'l- -');
    view.fold('d', true);
    assert.equal(places(), 'l-  ', 'an unfolded card stays');
    view.fold('series/m1/0', false);
    assert.equal(places(), 'l---', 'and goes when the person folds all');
  });

  it('are not looked for again while text grows', () => {
    const { transcript, view } = shown(answer(1, done('a'), text('')));
    let computed = 0;
    const stop = effect(() => {
      computed += view.series.value.size === 0 ? 1 : 1;
    });
    for (let turn = 0; turn < 100; turn += 1)
      transcript.apply({ type: 'text', messageId: 'm1', index: 1, kind: 'text', text: 'word ' });
    stop();
    assert.ok(computed <= 2, String(computed));
  });
});
