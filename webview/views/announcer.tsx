import * as l10n from '@vscode/l10n';
import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { RunView } from '../../src/protocol/view.ts';
import { plainText } from '../markdown/plain-text.ts';
import { usePanel, type Panel } from '../panel.ts';

/** Characters of an answer that are read out. */
const READ = 400;

/** Tells a screen reader what has happened: states, questions and whole answers, not every word as it arrives. */
export function Announcer(): ComponentChildren {
  const panel = usePanel();
  const [said, say] = useState('');
  const before = useRef({ phase: 'idle', question: '', retry: '' });
  useSignalEffect(() => {
    const { run, approvals, questions } = panel.store.session;
    const { phase, retry } = run.value;
    const question = approvals.value[0]?.title ?? questions.value[0]?.question ?? '';
    const last = before.current;
    const again = phase === 'retrying' && retry !== null ? retry.reason : '';
    before.current = { phase, question, retry: again };
    if (question !== '' && question !== last.question)
      say(l10n.t('Belay waits for you: {0}', question));
    else if (again !== '' && again !== last.retry) say(l10n.t('Belay tries again: {0}', again));
    else if (phase === 'idle' && last.phase !== 'idle') say(endOf(panel, run.value));
    else if (phase !== 'idle' && last.phase === 'idle') say(l10n.t('Belay is at work.'));
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

/** How a run has ended; of one that is complete, what it answered. A failure is read out with its notice, which is an alert. */
function endOf(panel: Panel, { end }: RunView): string {
  if (end !== null && end.reason !== 'done')
    return end.reason === 'canceled'
      ? l10n.t('Belay was stopped.')
      : l10n.t('Belay has not finished.');
  const answer = panel.store.transcript.entries
    .peek()
    .findLast((entry) => entry.view.peek().role === 'assistant');
  const text = answer?.parts
    .peek()
    .map((part) => part.peek())
    .findLast((part) => part.type === 'text');
  return text?.type === 'text' && text.text.trim() !== ''
    ? l10n.t('Belay: {0}', plainText(text.text, READ))
    : l10n.t('Belay has finished.');
}
