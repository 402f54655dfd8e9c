import assert from 'node:assert/strict';
import { Completions } from '../../../src/panel/input/completions.ts';
import { mentionRow, type InputSource, type ScoredRow } from '../../../src/panel/input/source.ts';
import { kindsSource } from '../../../src/panel/input/sources/kinds.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { typedAt } from '../../../webview/views/composer/typed.ts';
import { listSlashCommands } from '../../../src/manifest/slash-commands.ts';
import { findSlashCommand, findUnknownCommand } from '../../../webview/slash.ts';

const row = (label: string, score: number): ScoredRow =>
  mentionRow({ source: 's', ref: label, label, detail: '', icon: 'file' }, score);

describe('the list of the input', () => {
  const signals: AbortSignal[] = [];
  let answers: PromiseWithResolvers<readonly ScoredRow[]>;

  const quick: InputSource = {
    id: 'quick',
    trigger: '@',
    search: async () => [row('low', 1), row('high', 9)],
  };
  const slow: InputSource = {
    id: 'slow',
    trigger: '@',
    search: (_, signal) => {
      signals.push(signal);
      return answers.promise;
    },
  };
  const broken: InputSource = {
    id: 'broken',
    trigger: '@',
    search: () => Promise.reject(new Error('no')),
  };
  const made = (clock = new FakeClock()) =>
    new Completions([quick, slow, broken], clock, silentLog);
  const labels = (rows: readonly { readonly label: string }[]) => rows.map(({ label }) => label);

  beforeEach(() => {
    signals.length = 0;
    answers = Promise.withResolvers();
  });

  it('gives what is there in time, the best first, and the rest when it is asked for', async () => {
    const clock = new FakeClock();
    const list = made(clock);
    const first = list.search('@', 'x', false);
    await clock.advance(200);
    assert.deepEqual(labels((await first).rows), ['high', 'low']);
    assert.equal((await first).more, true);
    const rest = list.search('@', 'x', true);
    answers.resolve([row('middle', 5)]);
    assert.deepEqual(labels((await rest).rows), ['high', 'middle', 'low']);
    assert.equal((await rest).more, false);
    assert.equal(signals.length, 1, 'no source is asked twice');
  });

  it('lists the kinds before anything is typed; a kind lists its things alone', async () => {
    const named = (id: string): InputSource => ({
      id,
      trigger: '@',
      search: async (query, _, byKind) => [row(`${id} ${query} ${byKind}`, 1)],
    });
    const folder: InputSource = { ...named('folder'), isOnlyByKind: true };
    const sources = [kindsSource(() => false), folder, named('file'), named('session')];
    const list = new Completions(sources, new FakeClock(), silentLog);
    const search = async (text: string) => labels((await list.search('@', text, true)).rows);
    assert.deepEqual(await search(''), [
      'File',
      'Folder',
      'Symbol',
      'Session',
      'Web page',
      'file  false',
      'session  false',
    ]);
    assert.deepEqual(await search('session:'), ['session  true']);
    assert.deepEqual(await search('folder:src'), ['folder src true']);
    assert.deepEqual(await search('server:x'), ['file server:x false', 'session server:x false']);
  });

  it('ends a search when the next begins: its answer is empty, its sources are told', async () => {
    const list = made();
    const first = list.search('@', 'x', false);
    const next = list.search('/', 'x', false);
    assert.equal(signals[0]?.aborted, true);
    assert.deepEqual(await first, { rows: [], more: false });
    assert.deepEqual(await next, { rows: [], more: false });
  });
});

describe('what is typed for the list', () => {
  const at = (text: string, caret = text.length) => typedAt(text, caret);

  it('is behind an @ at the start of a word, and behind a / at the start of the message', () => {
    assert.deepEqual(at('see @app'), { trigger: '@', from: 4, to: 8, query: 'app' });
    assert.deepEqual(at('(@'), { trigger: '@', from: 1, to: 2, query: '' });
    assert.deepEqual(at('see @app now', 7), { trigger: '@', from: 4, to: 7, query: 'ap' });
    assert.deepEqual(at('/s:p city='), { trigger: '/', from: 0, to: 10, query: 's:p city=' });
    for (const text of ['me@home.org', '@a b', 'a /x', '/usr/bin', '/a\nb', 'plain', ''])
      assert.equal(at(text), undefined, text);
  });

  it('a command is one of the panel, or a word that nobody knows, or no command at all', () => {
    const commands = listSlashCommands();
    assert.equal(findSlashCommand(commands, '/compact keep it')?.words, 'keep it');
    assert.equal(
      findSlashCommand(commands, '/export this text'),
      undefined,
      'no word is thrown away',
    );
    assert.equal(findUnknownCommand(commands, '/export this text'), 'export');
    assert.equal(findUnknownCommand(commands, '/foo'), 'foo');
    assert.equal(findUnknownCommand(commands, '/usr/bin is full'), undefined);
    assert.equal(findUnknownCommand(commands, '/compact'), undefined);
  });
});
