import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { DiffLine } from '../../src/protocol/diff-lines.ts';
import type { DiffStat } from '../../src/protocol/view.ts';
import { usePanel } from '../panel.ts';
import { DiffLines, parseDiff } from '../views/elements/diff-lines.tsx';

/** The diff of a finished edit; it stays in the host until its card is unfolded. */
export function StoredDiff({
  messageSeq,
  callId,
  of,
}: {
  readonly messageSeq: number;
  readonly callId: string;
  readonly of: DiffStat;
}): ComponentChildren {
  const panel = usePanel();
  const [diff, setDiff] = useState<readonly DiffLine[]>([]);
  useEffect(() => {
    const load = async (): Promise<void> => {
      const sessionId = panel.store.session.id.peek();
      if (sessionId === null) return;
      const what = 'diff';
      const page = await panel.host.ask('loadResult', {
        sessionId,
        seq: messageSeq,
        callId,
        what,
        offset: 0,
      });
      if (page !== undefined) setDiff(parseDiff(page.text));
    };
    void load();
  }, [callId]);
  return diff.length === 0 ? null : <DiffLines lines={diff} of={of} label={l10n.t('Change')} />;
}
