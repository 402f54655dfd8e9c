import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { RunEndView } from '../../src/protocol/view.ts';
import { usePanel } from '../panel.ts';

/** Characters of an answer that are read out. */
const READ = 400;

/** Tells a screen reader what has happened: whole answers and questions, not every word as it arrives. */
export function Announcer(): ComponentChildren {
  const panel = usePanel();
  const [said, say] = useState('');
  const before = useRef({ phase: 'idle', question: '' });
  useSignalEffect(() => {
    const { run, approvals, questions } = panel.store.session;
    const { phase } = run.value;
    const asked = approvals.value[0]?.title ?? questions.value[0]?.question ?? '';
    const last = before.current;
    before.current = { phase, question: asked };
    if (asked !== '' && asked !== last.question) say(`Belay waits for you: ${asked}`);
    else if (phase === 'idle' && last.phase !== 'idle')
      say(endWords(run.peek().end) ?? lastAnswer(panel.store.transcript.entries.peek()));
  });
  useSignalEffect(() => {
    const { value } = panel.announcement;
    if (value !== '') say(value);
  });
  return (
    <div class="announcer" aria-live="polite" role="status">
      {said}
    </div>
  );
}

/** How a run ended that did not end by itself. A failure is read out with its notice, which is an alert. */
function endWords(end: RunEndView | null): string | undefined {
  if (end === null || end.reason === 'done') return undefined;
  return end.reason === 'canceled' ? 'Belay was stopped.' : 'Belay has not finished.';
}

type Entries = ReturnType<typeof usePanel>['store']['transcript']['entries']['value'];

function lastAnswer(entries: Entries): string {
  const answer = entries.findLast((entry) => entry.view.peek().role === 'assistant');
  const text = answer?.parts
    .peek()
    .map((part) => part.peek())
    .findLast((part) => part.type === 'text');
  return text?.type === 'text' ? `Belay: ${text.text.slice(0, READ)}` : 'Belay has finished.';
}
