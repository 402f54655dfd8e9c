import assert from 'node:assert/strict';
import { EventBroker } from '../../../src/core/session/event-broker.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import type { RunEventBody } from '../../../src/domain/event.ts';
import type { Message } from '../../../src/domain/message.ts';
import {
  ChatAnswer,
  type ChatEnd,
  type ChatPiece,
} from '../../../src/panel/native-chat/chat-answer.ts';
import { nextStep, noteObject, readNote } from '../../../src/panel/native-chat/chat-threads.ts';
import { type CommentAnswer, CommentAnswers } from '../../../src/window/pending/comment-answers.ts';
import { noEvents, silentLog } from '../../support/memory-recorder.ts';

const says = (id: string, text: string, role: Message['role'] = 'assistant'): Message => ({
  id,
  sessionId: 's',
  seq: 1,
  role,
  parts: [{ type: 'text', text }],
  createdAt: 0,
});

const DONE = { reason: 'done', state: 'completed', canContinue: false } as const;

describe('an answer in VS Code’s own chat', () => {
  it('streams texts apart, tells of tools and of what waits, and ends with its run', () => {
    const broker = new EventBroker(new SystemClock(), silentLog, noEvents);
    const pieces: ChatPiece[] = [];
    const ends: ChatEnd[] = [];
    const answer = new ChatAnswer((piece) => void pieces.push(piece));
    broker.listen((event) => {
      const end = answer.hear(event);
      if (end !== undefined) ends.push(end);
    });
    const tell = (...bodies: RunEventBody[]): void =>
      bodies.forEach((body) => broker.publish('s', 'r', body));
    const delta = (messageId: string, kind: 'text' | 'reasoning', text: string): RunEventBody => ({
      type: 'message.delta',
      messageId,
      index: 0,
      kind,
      text,
    });
    const call = { callId: 'c', name: 'read_file' };
    tell(
      delta('m1', 'reasoning', 'hm'),
      delta('m1', 'reasoning', 'hm'),
      delta('m1', 'text', 'I '),
      delta('m1', 'text', 'look.'),
      { type: 'message.completed', message: says('m1', 'I look.') },
      { type: 'tool.pending', ...call, input: { files: [{ path: 'a.ts' }] } },
      { type: 'tool.approval', ...call, questionId: 'q' },
      { type: 'tool.started', ...call },
      // Not streamed.
      { type: 'message.completed', message: says('m2', 'Done.') },
      { type: 'agent_run.completed', end: DONE },
    );
    const [thinking, ...rest] = pieces;
    assert.equal(thinking?.kind, 'progress');
    assert.deepEqual(
      rest.map(({ kind }) => kind),
      ['text', 'text', 'waits', 'progress', 'text'],
    );
    assert.deepEqual(
      rest.map(({ text }) => text).filter((_, at) => [0, 1, 4].includes(at)),
      ['I ', 'look.', '\n\nDone.'],
    );
    assert.match(rest[3]?.text ?? '', /a\.ts/u);
    assert.deepEqual(ends, [{ end: DONE, messageId: 'm2' }]);
  });
});

describe('A4: conversations of VS Code’s own chat and sessions', () => {
  const note = { thread: 't', sessionId: 's', messageId: 'm' };

  it('a new one begins a session; the same goes on, also when its last note was lost', () => {
    assert.deepEqual(nextStep('t', undefined, []), { kind: 'new' });
    const bound = { sessionId: 's', answers: 2 };
    assert.deepEqual(nextStep('t', bound, [note, undefined]), { kind: 'go_on', sessionId: 's' });
    assert.deepEqual(nextStep('t', undefined, [note]), { kind: 'go_on', sessionId: 's' });
  });

  it('who goes back, or copies a conversation, goes on in a fork; threads do not mix', () => {
    const fork = { kind: 'fork', sessionId: 's', messageId: 'm' };
    assert.deepEqual(nextStep('t', { sessionId: 's', answers: 2 }, [note]), fork);
    assert.deepEqual(nextStep('copy', undefined, [note]), fork);
    assert.deepEqual(nextStep('t', { sessionId: 's', answers: 1 }, []), { kind: 'new' });
  });

  it('what VS Code keeps of it is read back; anything else is nothing', () => {
    assert.deepEqual(readNote(noteObject(note)), note);
    for (const odd of [undefined, null, 1, [], { thread: 1, sessionId: 's' }])
      assert.equal(readNote(odd), undefined);
  });
});

describe('the answers to comments on changes', () => {
  it('are the last words of the run that took the comment, and of no other', () => {
    const broker = new EventBroker(new SystemClock(), silentLog, noEvents);
    const heard: CommentAnswer[] = [];
    new CommentAnswers(broker).follow('s', 'Shorter.', (answer) => void heard.push(answer));
    const tell = (run: string, body: RunEventBody, session = 's'): void =>
      broker.publish(session, run, body);
    const answer = (id: string, text: string): RunEventBody => ({
      type: 'message.completed',
      message: says(id, text),
    });
    tell('r1', answer('m0', 'about something else'));
    tell('r2', { type: 'message.added', message: says('u', 'Shorter.', 'user') }, 'other');
    tell('r1', { type: 'message.added', message: says('u', 'Comment:\n\nShorter.', 'user') });
    tell('r2', answer('m1', 'of another run'));
    tell('r1', answer('m2', 'I shorten it.\u202E'));
    tell('r1', answer('m3', 'x'.repeat(5000)));
    tell('r1', { type: 'agent_run.completed', end: DONE });
    tell('r1', answer('m4', 'too late'));
    assert.deepEqual(
      heard.map(({ text, isCut, isOver }) => [text.slice(0, 30), isCut, isOver]),
      [
        ['I shorten it.<U+202E>', false, false],
        ['x'.repeat(30), true, false],
        ['x'.repeat(30), true, true],
      ],
    );
    assert.equal(broker.size, 0);
  });
});
