import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Preview } from '../../src/protocol/view.ts';
import { usePanel } from '../panel.ts';
import { CopyButton } from '../views/elements/copy-button.tsx';
import { amount } from '../texts/words.ts';

interface LoadableProps {
  readonly label: string;
  readonly preview: Preview;
  readonly what: 'input' | 'result';
  readonly messageSeq: number;
  readonly callId: string;
}

interface Loaded {
  readonly text: string;
  readonly total: number;
  readonly next: number | null;
}

/** Arguments or a result. What is longer than its preview is fetched when it is unfolded. */
export function LoadableText({
  label,
  preview,
  what,
  messageSeq,
  callId,
}: LoadableProps): ComponentChildren {
  const panel = usePanel();
  const cut = preview.text.length < preview.total;
  const [loaded, setLoaded] = useState<Loaded>();
  const load = async (from: Loaded | undefined): Promise<void> => {
    const sessionId = panel.store.session.id.peek();
    const offset = from === undefined ? 0 : from.next;
    if (sessionId === null || offset === null) return;
    const page = await panel.host.ask('loadResult', {
      sessionId,
      seq: messageSeq,
      callId,
      what,
      offset,
    });
    if (page !== undefined) setLoaded({ ...page, text: (from?.text ?? '') + page.text });
  };
  useEffect(() => {
    setLoaded(undefined);
    if (cut) void load(undefined);
  }, [callId, preview.total]);
  const text = loaded?.text ?? preview.text;
  const total = loaded?.total ?? preview.total;
  return (
    <section class="loadable">
      <header>
        <span class="quiet">{label}</span>
        {text.length < total && (
          <span class="quiet">
            {l10n.t('{0} of {1} characters', amount(text.length), amount(total))}
          </span>
        )}
        <CopyButton text={text} label={l10n.t('Copy {0}', label.toLowerCase())} />
      </header>
      <pre tabIndex={0}>{text === '' ? l10n.t('(empty)') : text}</pre>
      {loaded !== undefined && loaded.next !== null && (
        <button type="button" class="link" onClick={() => void load(loaded)}>
          {l10n.t('Load more')}
        </button>
      )}
    </section>
  );
}
