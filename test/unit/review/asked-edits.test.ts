import { totalsOf } from '../../../src/core/review/model/review-kinds.ts';
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import type { ApprovalAnswer, ApprovalQuestion } from '../../../src/core/ports/person/approval.ts';
import { textContent, textOf } from '../../../src/core/review/model/file-review.ts';
import { hunksOf } from '../../../src/core/review/model/hunks.ts';
import type { Disposable } from '../../../src/domain/lifetime/disposable.ts';
import { ApprovalQueue } from '../../../src/window/approvals/approval-queue.ts';
import { openAskedReviews } from '../../../src/window/approvals/asked-reviews.ts';
import { Reviews } from '../../../src/core/review/service/reviews.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { NodeFileSystem } from '../../../src/hosts/node/files/file-system.ts';
import { silentLog } from '../../support/memory-recorder.ts';
import { by } from '../../support/review/attribution.ts';
import { MemoryWorkspace } from '../../support/review/memory-workspace.ts';
import { PendingWork } from '../../support/pending-work.ts';

const BEFORE = 'a\nb\nc\nd\ne\nf\ng\n';
const AFTER = 'A\nb\nc\nd\ne\nf\nG\n';

describe('an edit that is asked about is a proposal whose decision the call awaits', () => {
  let work: PendingWork;
  let desk: ApprovalQueue;
  let asked: Disposable;
  let shown: string[];
  const problems: string[] = [];
  let count = 0;

  const begin = (): void => {
    desk = new ApprovalQueue();
    shown = [];
    asked = openAskedReviews({
      desk,
      reviews: work.reviews,
      clock: new SystemClock(),
      log: {
        ...silentLog,
        error: (message, thrown) => void problems.push(`${message} ${String(thrown)}`),
      },
      onAsked: async (path) => void shown.push(path),
    });
  };
  beforeEach(() => {
    work = new PendingWork(new SystemClock());
    work.write('a', BEFORE);
    begin();
  });
  afterEach(() => {
    asked.dispose();
    work[Symbol.dispose]();
    assert.deepEqual(problems, []);
  });

  const path = (): string => work.at('a');
  const review = () => work.reviews.find('asked', path());
  const ids = (): readonly string[] => hunksOf(review() ?? assert.fail()).map(({ id }) => id);
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

  const ask = async (
    more: Partial<NonNullable<ApprovalQuestion['edit']>> = {},
    signal = new AbortController().signal,
  ): Promise<{ question: ApprovalQuestion; answer: Promise<ApprovalAnswer> }> => {
    count += 1;
    const edit = { path: path(), before: BEFORE, after: AFTER, creates: false, ...more };
    const question: ApprovalQuestion = {
      id: `q${count}`,
      sessionId: 's',
      runId: 'r',
      callId: `c${count}`,
      tool: 'edit_file',
      title: 'Edit a',
      detail: '',
      hash: `hash of ${edit.after}`,
      edit,
    };
    const answer = desk.approve(question, signal);
    answer.catch(() => undefined);
    await settled();
    return { question, answer };
  };
  const isOpen = async (answer: Promise<unknown>): Promise<boolean> =>
    (await Promise.race([answer, settled().then(() => 'open')])) === 'open';

  it('can be decided in the editor, is not in the list of what is left, and nothing of it is on disk', async () => {
    const { question, answer } = await ask();
    assert.deepEqual(shown, [path()]);
    assert.deepEqual(work.reviews.pending, []);
    assert.equal(totalsOf(work.reviews.pending).hunks, 0);
    assert.deepEqual(
      work.reviews.decidable.map(({ kind }) => kind),
      ['asked'],
    );
    assert.deepEqual(
      hunksOf(review() ?? assert.fail()).map(({ by }) => by[0]?.callId),
      [question.callId, question.callId],
    );
    await work.reviews.decisions.accept({ kind: 'asked', path: path() });
    const { allowed, hash, editedAfter } = await answer;
    assert.deepEqual([allowed, hash, editedAfter], [true, question.hash, undefined]);
    assert.equal(work.text('a'), BEFORE);
    await settled();
    assert.equal(review(), undefined);
    assert.deepEqual(work.reviews.decidable, []);
  });

  it('is answered when the last of its changes is decided, with what was accepted', async () => {
    const { answer } = await ask();
    const [first, last] = ids();
    await work.reviews.decisions.accept({ kind: 'asked', path: path(), choice: [first ?? ''] });
    assert.equal(await isOpen(answer), true);
    await work.reviews.decisions.reject({ kind: 'asked', path: path(), choice: [last ?? ''] });
    const { allowed, editedAfter } = await answer;
    assert.deepEqual([allowed, editedAfter], [true, AFTER.replace('G', 'g')]);
  });

  it('is denied when all of it is rejected, in one go or one by one', async () => {
    const once = await ask();
    await work.reviews.decisions.reject({ kind: 'asked', path: path() });
    assert.equal((await once.answer).allowed, false);
    const each = await ask();
    for (const id of ids())
      await work.reviews.decisions.reject({ kind: 'asked', path: path(), choice: [id] });
    assert.equal((await each.answer).allowed, false);
    assert.equal('editedAfter' in (await each.answer), false);
  });

  it('a yes on the card accepts what is left, with what was typed and without what was rejected', async () => {
    const { question, answer } = await ask({ before: BEFORE, after: AFTER });
    const [first] = ids();
    await work.reviews.decisions.reject({ kind: 'asked', path: path(), choice: [first ?? ''] });
    const text = textOf(review()?.document ?? assert.fail()) ?? '';
    work.reviews.files.proposalEdited(path(), textContent(`${text}mine\n`), 'asked');
    desk.answerApproval({ questionId: question.id, hash: question.hash, allowed: true });
    assert.equal((await answer).editedAfter, `${BEFORE.replace('g', 'G')}mine\n`);
  });

  it('a no on the card writes nothing, whatever was accepted before', async () => {
    const { question, answer } = await ask();
    const [first] = ids();
    await work.reviews.decisions.accept({ kind: 'asked', path: path(), choice: [first ?? ''] });
    desk.answerApproval({ questionId: question.id, hash: question.hash, allowed: false });
    const { allowed, editedAfter } = await answer;
    assert.deepEqual([allowed, editedAfter], [false, undefined]);
    await settled();
    assert.equal(review(), undefined);
  });

  it('keeps line ends and byte order mark, which are no edit of the person', async () => {
    const after = '\uFEFFA\r\nb\r\n';
    const plain = await ask({ before: '\uFEFFa\r\nb\r\n', after });
    work.reviews.files.proposalEdited(path(), textContent('A\nb\n'), 'asked');
    desk.answerApproval({
      questionId: plain.question.id,
      hash: plain.question.hash,
      allowed: true,
    });
    assert.equal('editedAfter' in (await plain.answer), false);
    await settled();
    const typed = await ask({ before: '\uFEFFa\r\nb\r\n', after });
    work.reviews.files.proposalEdited(path(), textContent('mine\nA\nb\n'), 'asked');
    desk.answerApproval({
      questionId: typed.question.id,
      hash: typed.question.hash,
      allowed: true,
    });
    assert.equal((await typed.answer).editedAfter, '\uFEFFmine\r\nA\r\nb\r\n');
  });

  it('goes with its question: stopped, or answered, nothing is left; decided late, it is refused', async () => {
    const stop = new AbortController();
    const { answer } = await ask({}, stop.signal);
    stop.abort();
    await assert.rejects(answer, { name: 'AbortError' });
    await settled();
    assert.equal(review(), undefined);
    await assert.rejects(work.reviews.decisions.accept({ kind: 'asked', path: path() }), {
      code: 'not_found',
    });
  });

  it('leaves nothing in the store: a crash makes no phantom, and another window has none of it', async () => {
    await ask();
    const files = new NodeFileSystem();
    const { values } = work;
    const other = new Reviews({ values, files, clock: new SystemClock(), log: silentLog });
    await other.load();
    assert.deepEqual(other.decidable, []);
    other.dispose();
  });

  it('has the typed text back when the call asks again after a reload, until it is decided', async () => {
    const stop = new AbortController();
    await ask({}, stop.signal);
    work.reviews.files.proposalEdited(path(), textContent(`mine\n${AFTER}`), 'asked');
    stop.abort();
    await settled();
    asked.dispose();
    begin();
    const again = await ask();
    assert.equal(textOf(review()?.document ?? assert.fail()), `mine\n${AFTER}`);
    await work.reviews.decisions.accept({ kind: 'asked', path: path() });
    assert.equal((await again.answer).editedAfter, `mine\n${AFTER}`);
    await settled();
    await ask();
    assert.equal(textOf(review()?.document ?? assert.fail()), AFTER);
  });

  it('of two for one file the second is shown when the first is decided; each card decides its own', async () => {
    const first = await ask();
    const second = await ask({ after: BEFORE.replace('d', 'D') });
    assert.equal(hunksOf(review() ?? assert.fail()).length, 2);
    assert.deepEqual(
      [first, second].map(({ question }) => work.reviews.agent.asked.isBehind(question.callId)),
      [false, true],
    );
    desk.answerApproval({
      questionId: first.question.id,
      hash: first.question.hash,
      allowed: false,
    });
    await settled();
    assert.deepEqual(
      hunksOf(review() ?? assert.fail()).map(({ added }) => added),
      [['D']],
    );
    await work.reviews.decisions.accept({ kind: 'asked', path: path() });
    assert.equal((await second.answer).allowed, true);
    assert.equal((await first.answer).allowed, false);
  });

  it('follows its file: what came into it is no edit of the person, and stays beside what they accepted', async () => {
    const { answer } = await ask();
    work.write('a', `top\n${BEFORE}`);
    await work.reviews.files.fileChanged(path());
    assert.equal(textOf(review()?.baseline ?? assert.fail()), `top\n${BEFORE}`);
    assert.equal(hunksOf(review() ?? assert.fail()).length, 2);
    await work.reviews.decisions.accept({ kind: 'asked', path: path(), choice: [ids()[0] ?? ''] });
    await work.reviews.decisions.accept({ kind: 'asked', path: path() });
    assert.equal('editedAfter' in (await answer), false);
  });

  it('a new file is created by its yes; a file that is gone shows what it was', async () => {
    const made = await ask({ path: work.at('new'), before: '', after: 'new\n', creates: true });
    assert.equal(
      hunksOf(work.reviews.find('asked', work.at('new')) ?? assert.fail())[0]?.kind,
      'create',
    );
    await work.reviews.decisions.accept({ kind: 'asked', path: work.at('new') });
    assert.equal((await made.answer).allowed, true);
    await ask();
    rmSync(path());
    await work.reviews.files.fileChanged(path());
    assert.equal(textOf(review()?.baseline ?? assert.fail()), BEFORE);
  });

  it('typed back to what the file is, it waits still', async () => {
    const { answer } = await ask();
    work.reviews.files.proposalEdited(path(), textContent(BEFORE), 'asked');
    assert.equal(await isOpen(answer), true);
    assert.notEqual(review(), undefined);
    await work.reviews.decisions.reject({ kind: 'asked', path: path() });
    assert.equal((await answer).allowed, false);
  });

  it('typed text outlives the window, and nothing is left of an edit that is withdrawn', async () => {
    const ws = new MemoryWorkspace({ '/a': BEFORE });
    const shown = async (): Promise<string | undefined> => {
      const [id, hash] = ['q', 'h'];
      const edit = { id, hash, path: '/a', before: BEFORE, after: AFTER, creates: false, by };
      const ends = { onShown: () => undefined, answer: () => undefined };
      await ws.reviews.agent.asked.ask({ ...edit, ...ends });
      return textOf(ws.reviews.find('asked', '/a')?.document ?? assert.fail());
    };
    assert.equal(await shown(), AFTER);
    ws.reviews.files.proposalEdited('/a', textContent(`mine\n${AFTER}`), 'asked');
    await ws.restart();
    assert.equal(await shown(), `mine\n${AFTER}`);
    assert.deepEqual(ws.reviews.files.known, ['/a']);
    await ws.reviews.agent.asked.withdraw('q', true);
    assert.deepEqual([ws.reviews.files.known, ws.reviews.files.concerns('/a')], [[], false]);
    assert.equal(await shown(), AFTER);
  });
});
