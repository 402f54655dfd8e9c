import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { EMPTY_JOURNAL, JOURNAL_LENGTH, journalText } from '../../src/domain/session/journal.ts';
import { textOf, toolResultsOf } from '../../src/domain/message.ts';
import { OtherWindow } from '../support/engine/other-window.ts';
import { TestEngine, type TestEngineOptions } from '../support/engine/test-engine.ts';
import { type Script, type WireRequest, call, calls, say } from '../support/model-server/turn.ts';

const OBJECTIVE = 'Port the list parser without changing what it accepts.';
const FINDING = 'parseList is only called by readMap.';
const write = calls(
  call('update_run_journal', {
    objective: OBJECTIVE,
    current_state: 'The tokens are ported.',
    handoff_next_action: 'Mend parseList for [] next.',
  }),
  call('append_run_journal_entry', { section: 'verified_findings', entry: FINDING }),
);
/** Reads something else each time: no loop is noticed. */
const look = (n: number) => calls(call('find_files', { pattern: `*.${n}` }));
const update = (input: object) => calls(call('update_run_journal', input));

const open = (script: Script, more: Partial<TestEngineOptions> = {}) =>
  TestEngine.open({ script, ...more });
const requests = (test: TestEngine): readonly WireRequest[] =>
  test.server.all.map(({ body }) => body).filter(({ tools = [] }) => tools.length > 0);
const last = (test: TestEngine): string => JSON.stringify(requests(test).at(-1)?.messages);
const go = async (test: TestEngine, sessionId: string, text: string) => {
  await test.engine.agent.send(sessionId, { text });
  return test.engine.agent.runs.settled(sessionId);
};
const notesOf = async (test: TestEngine, sessionId: string) =>
  (await test.messages(sessionId)).filter(({ origin }) => origin === 'journal').map(textOf);
const checkpoints = (test: TestEngine): readonly unknown[] => {
  using database = new DatabaseSync(path.join(test.folder, 'data', 'belay.db'));
  return database
    .prepare('SELECT kind FROM checkpoints')
    .all()
    .map(({ kind }) => kind);
};

describe('the run journal', function () {
  this.timeout(60_000);

  it('C10: is written by two tools and read by one; a checkpoint and an event tell of it', async () => {
    await using test = await open((_request, n) =>
      n === 1 ? write : n === 2 ? calls(call('get_run_journal', {})) : say('Fine.'),
    );
    const { sessionId } = await test.run('Port it');
    const results = (await test.messages(sessionId)).flatMap(toolResultsOf);
    assert.deepEqual(
      results.map(({ state }) => state),
      ['done', 'done', 'done'],
    );
    assert.match(
      JSON.stringify(results[2]?.content),
      /## Verified findings\\n- parseList is only/u,
    );
    assert.equal(test.ofType('journal_update').length, 2);
    assert.ok(checkpoints(test).includes('journal_update'));
    assert.deepEqual(test.human.approvals, []);
  });

  it('C10: its digest goes with each message, behind what was sent before', async () => {
    await using test = await open((_request, n) => (n === 1 ? write : say('Fine.')));
    const { sessionId } = await test.run('Port it');
    const before = requests(test).at(-1);
    await go(test, sessionId, 'And the docs?');
    const [environment] = (await test.messages(sessionId))
      .filter(({ origin }) => origin === 'environment')
      .slice(-1);
    const text = textOf(environment ?? { parts: [] });
    assert.match(text, /Objective: Port the list parser/u);
    assert.match(text, /Next: Mend parseList/u);
    assert.match(text, /Found: parseList is only called/u);
    const after = requests(test).at(-1);
    assert.deepEqual(after?.system, before?.system);
    assert.deepEqual(
      after?.messages.slice(0, before?.messages.length).map(({ role }) => role),
      before?.messages.map(({ role }) => role),
    );
    // The run before came to its end: nothing goes on, and the whole is not sent.
    assert.deepEqual(await notesOf(test, sessionId), []);
  });

  it('C10 D1: outlasts the cap: Continue and the next message have it whole, once', async () => {
    await using test = await open((_request, n) => (n === 1 ? write : n < 8 ? look(n) : say('!')), {
      settings: { 'loop.maxIterations': 2 },
    });
    const { sessionId, end } = await test.run('Port it');
    assert.equal(end?.reason, 'max_iterations');
    assert.equal(end.failure?.code, 'max_iterations');
    assert.equal(end.canContinue, true);
    const told = requests(test).length;
    await test.engine.agent.continueRun(sessionId);
    assert.equal((await test.engine.agent.runs.settled(sessionId))?.reason, 'max_iterations');
    const whole = /The run journal, in full.*## Objective.*Port the list.*## Verified findings/su;
    assert.match(JSON.stringify(requests(test)[told]?.messages.at(-1)), whole);
    await go(test, sessionId, 'Go on, but faster');
    assert.equal((await notesOf(test, sessionId)).length, 1, 'the same is not told again');
    await test.engine.journals.writeByPerson(sessionId, { blockers: ['No grammar is there.'] });
    await go(test, sessionId, 'And now?');
    assert.match((await notesOf(test, sessionId)).at(-1) ?? '', /## Blockers\n- No grammar/u);
  });

  it('C10 C8: outlasts a process that is killed: the resumed run has it whole', async () => {
    let killed = false;
    await using test = await open((_request, n) => {
      if (killed) return say('Done.');
      return n === 1 ? write : calls(call('run_command', { command: 'sleep 60' }));
    });
    const other = await OtherWindow.open({ at: test, modelUrl: test.server.url });
    const sessionId = await other.start('Port it');
    await other.seen('tool.started', 3);
    await other.kill();
    killed = true;
    const { agent, journals } = test.engine;
    assert.equal((await journals.read(sessionId)).objective, OBJECTIVE);
    await agent.handoffs.reconcile();
    const handoff = await agent.handoffs.of(sessionId);
    await agent.handoffs.resume(handoff?.run.id ?? '', {});
    assert.equal((await agent.runs.settled(sessionId))?.reason, 'done');
    assert.match(last(test), /The run journal, in full/u);
    assert.ok(last(test).includes(FINDING));
  });

  it('C10: what the person changes reaches the model in the run, and is not written over unread', async () => {
    const answers: string[] = [];
    await using test = await open(async (request, n) => {
      answers.push(JSON.stringify(request.messages.slice(-2)));
      if (n === 1) return write;
      if (n === 2) {
        await test.engine.journals.writeByPerson(sessionId, { objective: 'Only the lists.' });
        return update({ objective: 'Everything.' });
      }
      return n === 3 ? update({ objective: 'Only the lists, quickly.' }) : say('Fine.');
    });
    const { id: sessionId } = await test.engine.agent.sessions.create();
    await go(test, sessionId, 'Port it');
    assert.match(answers[2] ?? '', /Not written: the person has changed this.*Only the lists\./su);
    const { objective } = await test.engine.journals.read(sessionId);
    assert.equal(objective, 'Only the lists, quickly.');
    // Behind the last answer it waits for the next message.
    await test.engine.journals.writeByPerson(sessionId, { decisions: ['No new dependency.'] });
    await go(test, sessionId, 'Go on');
    assert.match(last(test), /The user changed the run journal\.\\ndecisions is now:\\n- No new/u);
    await go(test, sessionId, 'And on');
    assert.equal(last(test).split('The user changed the run journal').length, 2, 'told once');
  });

  it('C10 C3: a summary of older messages carries it', async () => {
    await using test = await open((_request, n) => (n === 1 ? write : say('Fine.')));
    const { sessionId } = await test.run('Port it');
    for (const text of ['Two', 'Three', 'Four']) await go(test, sessionId, text.repeat(2000));
    await test.engine.agent.compaction.summarize(sessionId, 'to 1k');
    const [made] = (await test.engine.store.transcripts.compactions(sessionId)).slice(-1);
    assert.match(made?.summary ?? '', /<journal>\n## Objective\nPort the list parser/u);
  });

  it('is bounded and says so; secrets are not kept; an entry is there once', async () => {
    const entry = 'x'.repeat(490);
    const many = Array.from({ length: 30 }, (_, n) => `${n} ${entry}`);
    const key = `sk-ant-api03-${'aB3dE5gH7j'.repeat(9)}AA`;
    await using test = await open((_request, n) => {
      if (n === 1) return update({ decisions: many });
      if (n === 2) return update({ objective: `Use ${key}.` });
      const again = call('append_run_journal_entry', { section: 'blockers', entry: 'No key.' });
      return n < 5 ? calls(again) : say('Fine.');
    });
    const { sessionId } = await test.run('Fill it');
    const [refused] = (await test.messages(sessionId)).flatMap(toolResultsOf);
    assert.equal(refused?.state, 'failed');
    assert.match(JSON.stringify(refused.content), /at most 12,000 fit. Nothing was written/u);
    const journal = await test.engine.journals.read(sessionId);
    assert.deepEqual(journal.decisions, []);
    assert.deepEqual(journal.blockers, ['No key.']);
    assert.match(journal.objective, /^Use /u);
    assert.ok(!journal.objective.includes('aB3dE5gH7j'));
    await assert.rejects(
      test.engine.journals.writeByPerson(sessionId, { decisions: many }),
      /Nothing was written/u,
    );
    assert.ok(journalText(journal).length < JOURNAL_LENGTH);
  });

  it('going back and forks have it as it was; the person’s words stay', async () => {
    await using test = await open((_request, n) => {
      if (n === 1) return write;
      return n === 3 ? update({ objective: 'Something else.', blockers: ['x'] }) : say(`${n}`);
    });
    const { engine } = test;
    const { sessionId } = await test.run('One');
    await engine.journals.writeByPerson(sessionId, { artifacts: ['docs/lists.md'] });
    await go(test, sessionId, 'Two');
    assert.deepEqual((await engine.journals.read(sessionId)).blockers, ['x']);
    const two = (await test.messages(sessionId)).find((message) => textOf(message) === 'Two');
    const fork = await engine.fork.fork(await engine.fork.point(sessionId, two?.id ?? ''));
    const target = await engine.restore.target(sessionId, two?.id ?? '');
    await engine.restore.restore({ target, what: 'conversation', previews: [] });
    for (const id of [fork.sessionId, sessionId]) {
      assert.deepEqual(await engine.journals.read(id), {
        ...EMPTY_JOURNAL,
        objective: OBJECTIVE,
        current_state: 'The tokens are ported.',
        verified_findings: [FINDING],
        artifacts: ['docs/lists.md'],
        handoff_next_action: 'Mend parseList for [] next.',
      });
    }
  });
});
