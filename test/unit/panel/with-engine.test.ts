import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { speak } from '../../../src/domain/text/language.ts';
import { messageViews } from '../../../src/panel/session/message-view.ts';
import type { RequestParams } from '../../../src/protocol/requests.ts';
import type { MessageView } from '../../../src/protocol/view.ts';
import { openEnginePanel } from '../../support/engine/engine-panel.ts';
import { call, calls, inOrder, say } from '../../support/model-server/turn.ts';
import { Mirror } from './mirror.ts';

async function eventually(check: () => boolean): Promise<void> {
  for (let turn = 0; turn < 400 && !check(); turn += 1) await delay(25);
  assert.ok(check(), 'it did not come about within 10 s');
}

/** What only the live view knows. */
function lasting(messages: readonly MessageView[]): MessageView[] {
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'tool' ? { ...part, startedAt: null } : part,
    ),
  }));
}

const german = (): Record<string, string> =>
  JSON.parse(
    readFileSync(new URL('../../../l10n/bundle.l10n.de.json', import.meta.url), 'utf8'),
  ) as Record<string, string>;

const message = (text: string, sessionId: string | null = null): RequestParams<'send'> => ({
  sessionId,
  text,
  attachments: [],
  how: 'queue',
});

describe('the panel in front of the engine', () => {
  afterEach(() => speak('en'));

  it('shows live what is on record afterwards, approvals included, and the same after a restart', async () => {
    const { test, panel } = await openEnginePanel({
      script: inOrder(
        calls(
          call('read_file', { path: 'a.txt' }),
          call('run_command', { command: 'touch hello.txt' }),
        ),
        say('All **done**.', { gapMs: 5 }),
      ),
      files: { 'a.txt': 'one\ntwo\n' },
    });
    await using _engine = test;
    const first = panel();
    const mirror = new Mirror(first);
    await mirror.ready();
    await eventually(() => mirror.snapshots > 0);
    const { sessionId } = await mirror.request('send', message('Look and run.'));
    await eventually(() => mirror.session.approvals.length === 1);
    const [approval] = mirror.session.approvals;
    assert.equal(approval?.detail, 'touch hello.txt');
    assert.ok(approval !== undefined);
    const { questionId, hash } = approval;
    await mirror.request('answerApproval', { questionId, hash, allowed: true });
    await test.engine.agent.runs.settled(sessionId);
    await eventually(() => mirror.session.run.phase === 'idle');
    const stored = messageViews(await test.messages(sessionId));
    await eventually(() => lasting(mirror.session.messages).length === stored.length);
    assert.deepEqual(lasting(mirror.session.messages), stored);
    const session = await test.engine.store.transcripts.session(sessionId);
    await eventually(() => mirror.session.meter.outputTokens === session?.outputTokens);
    first.dispose();
    const second = new Mirror(panel());
    await second.ready();
    await eventually(() => second.snapshots > 0);
    assert.deepEqual(second.session.messages, stored);
    assert.equal(second.session.title, mirror.session.title);
    assert.equal(second.session.meter.inputTokens, session?.inputTokens);
  }).timeout(30_000);

  it('D4: stopped in the middle, it shows what is on record, and the next message works', async () => {
    const { test, panel } = await openEnginePanel({
      script: inOrder(
        say('a long answer '.repeat(400), { gapMs: 10, deltaSize: 20 }),
        say('Here again.'),
      ),
    });
    await using _engine = test;
    const mirror = new Mirror(panel());
    await mirror.ready();
    await eventually(() => mirror.snapshots > 0);
    const { sessionId } = await mirror.request('send', message('Talk.'));
    await eventually(
      () =>
        (mirror.session.messages.at(-1)?.parts.length ?? 0) > 0 &&
        mirror.session.run.phase === 'streaming',
    );
    await mirror.request('stop', { sessionId });
    await test.engine.agent.runs.settled(sessionId);
    await eventually(() => mirror.session.run.phase === 'idle');
    assert.deepEqual(
      lasting(mirror.session.messages),
      messageViews(await test.messages(sessionId)),
    );
    await mirror.request('send', message('And now?', sessionId));
    await test.engine.agent.runs.settled(sessionId);
    await eventually(
      () => mirror.session.run.phase === 'idle' && mirror.session.run.runId === null,
    );
    const stored = messageViews(await test.messages(sessionId));
    await eventually(() => mirror.session.messages.length === stored.length);
    assert.deepEqual(lasting(mirror.session.messages), stored);
  }).timeout(30_000);

  it('D1: offers to continue at the cap of iterations, also after a restart, and goes on', async () => {
    const { test, panel } = await openEnginePanel({
      script: inOrder(calls(call('read_file', { path: 'a.txt' })), say('Finished.')),
      files: { 'a.txt': 'one\n' },
      settings: { 'loop.maxIterations': 1 },
    });
    await using _engine = test;
    const first = panel();
    const mirror = new Mirror(first);
    await mirror.ready();
    await eventually(() => mirror.snapshots > 0);
    const { sessionId } = await mirror.request('send', message('Work.'));
    await test.engine.agent.runs.settled(sessionId);
    const offers = (shown: Mirror): boolean =>
      shown.session.notices.some(({ actions }) => actions.includes('continue'));
    await eventually(() => offers(mirror));
    assert.match(mirror.session.notices[0]?.message ?? '', /^Paused after 1 model calls/);
    first.dispose();
    // Recorded in English, said in the language of who reads it.
    speak('de', german());
    const second = new Mirror(panel());
    await second.ready();
    await eventually(() => second.snapshots > 0 && offers(second));
    assert.match(second.session.notices[0]?.message ?? '', /^Pausiert nach 1 Modellaufrufen/);
    speak('en');
    await second.request('continueRun', { sessionId });
    await test.engine.agent.runs.settled(sessionId);
    await eventually(
      () =>
        second.session.messages
          .at(-1)
          ?.parts.some((part) => part.type === 'text' && part.text === 'Finished.') ?? false,
    );
  }).timeout(30_000);

  it('why a command is asked about or refused is on record in English, and read in the person’s language', async () => {
    const { test, panel } = await openEnginePanel({
      script: inOrder(
        calls(
          call('run_command', { command: 'touch hello.txt > $X' }),
          call('run_command', { command: 'git push' }),
        ),
        say('Done.'),
      ),
      settings: { 'permissions.rules': [{ effect: 'deny', command: 'git push' }] },
    });
    await using _engine = test;
    const troublesOf = (shown: Mirror): string =>
      shown.session.messages
        .flatMap(({ parts }) => parts.map((part) => (part.type === 'tool' ? part.trouble : '')))
        .join('\n');
    speak('de', german());
    const mirror = new Mirror(panel());
    await mirror.ready();
    await eventually(() => mirror.snapshots > 0);
    const { sessionId } = await mirror.request('send', message('Go.'));
    await eventually(() => mirror.session.approvals.length === 1);
    const [approval] = mirror.session.approvals;
    assert.ok(approval !== undefined);
    assert.equal(approval.reason, 'Kann nicht automatisch geprüft werden.');
    const { questionId, hash } = approval;
    await mirror.request('answerApproval', { questionId, hash, allowed: true });
    await test.engine.agent.runs.settled(sessionId);
    await eventually(() => troublesOf(mirror).includes('git push'));
    assert.match(
      troublesOf(mirror),
      /Eine Ihrer Regeln verbietet es: „Verbieten: Befehl git push \(Ihre Einstellungen\)“\./u,
    );
    const recorded = (await test.messages(sessionId)).flatMap(({ parts }) => parts);
    const refused = recorded.filter((part) => part.type === 'tool_result').at(-1);
    assert.match(
      JSON.stringify(refused?.content),
      /a rule of the person forbids it: “Deny the command git push \(your settings\)”/u,
    );
    speak('en');
    const second = new Mirror(panel());
    await second.ready();
    await eventually(() => second.snapshots > 0 && troublesOf(second).includes('git push'));
    assert.match(troublesOf(second), /a rule of the person forbids it/u);
  }).timeout(30_000);
});
