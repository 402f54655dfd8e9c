import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../panel.ts';
import { DiffLines, parseDiff } from '../views/elements/diff-lines.tsx';

/** The diff of a finished edit; it stays in the host until its card is unfolded. */
export function StoredDiff({
  messageSeq,
  callId,
}: {
  readonly messageSeq: number;
  readonly callId: string;
}): ComponentChildren {
  const panel = usePanel();
  const [diff, setDiff] = useState<string>();
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
      if (page !== undefined) setDiff(page.text);
    };
    void load();
  }, [callId]);
  return diff === undefined || diff === '' ? null : (
    <DiffLines lines={parseDiff(diff)} label={l10n.t('Change')} />
  );
}
