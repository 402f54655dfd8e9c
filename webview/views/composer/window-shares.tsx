import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Share, SHARES, type WindowShares } from '../../../src/domain/models/window-shares.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { amount } from '../../texts/words.ts';

const WORDS: Readonly<Record<Share, string>> = {
  instructions: l10n.t('Instructions'),
  tools: l10n.t('Tools'),
  'mcp tools': l10n.t('MCP tools'),
  summary: l10n.t('Summary'),
  messages: l10n.t('Messages'),
  mentions: l10n.t('Mentions'),
  'tool results': l10n.t('Tool results'),
  pictures: l10n.t('Pictures, documents'),
};

/** Sections of the Control Center where something of it can be dropped. */
const SECTIONS: Readonly<Partial<Record<Share, 'tools' | 'mcp'>>> = {
  tools: 'tools',
  'mcp tools': 'mcp',
};

interface SharesProps {
  readonly sessionId: string;
  /** The meter is open: it is asked anew each time. */
  readonly isOpen: boolean;
  /** Tokens of the window; `null`: they are not known. */
  readonly limit: number | null;
  /** Tokens of the last request, which the shares are brought to; `null`: there was none. */
  readonly used: number | null;
}

/** The context window by what fills it, largest first, and what of it can be dropped. */
export function WindowSharesList(props: SharesProps): ComponentChildren {
  const panel = usePanel();
  const { sessionId, isOpen, limit, used } = props;
  const [shares, setShares] = useState<WindowShares | string>();
  useEffect(() => {
    if (!isOpen) return undefined;
    let isShown = true;
    const ask = async (): Promise<void> => {
      const answer = await panel.host.attempt('windowShares', { sessionId });
      if (isShown) setShares('refused' in answer ? answer.refused : answer.value);
    };
    void ask();
    return () => {
      isShown = false;
    };
  }, [isOpen, sessionId]);
  if (shares === undefined)
    return <p class="shares-note">{l10n.t('Looking what fills the window…')}</p>;
  if (typeof shares === 'string') return <p class="shares-note">{shares}</p>;
  return <Shares panel={panel} shares={shares} limit={limit} used={used} />;
}

function Shares({
  panel,
  shares: { tokens, older },
  limit,
  used,
}: Pick<SharesProps, 'limit' | 'used'> & {
  readonly panel: Panel;
  readonly shares: WindowShares;
}): ComponentChildren {
  const counted = SHARES.reduce((sum, share) => sum + tokens[share], 0);
  // The provider's count is the true one; ours only divides it.
  const scale = used === null || used === 0 || counted === 0 ? 1 : used / counted;
  const whole = limit ?? counted * scale;
  const rows = SHARES.filter((share) => tokens[share] > 0).toSorted(
    (a, b) => tokens[b] - tokens[a],
  );
  const about = (number: number): string => l10n.t('about {0}', amount(Math.round(number * scale)));
  return (
    <>
      <ul class="shares" aria-label={l10n.t('What fills the window')}>
        {rows.map((share) => {
          const section = SECTIONS[share];
          const percent = Math.min(100, (tokens[share] * scale * 100) / Math.max(1, whole));
          return (
            <li key={share}>
              <span class="share-name">{WORDS[share]}</span>
              {section !== undefined && (
                <button
                  type="button"
                  class="link"
                  onClick={() => panel.host.do('openCenter', { section })}
                >
                  {l10n.t('Switch off…')}
                </button>
              )}
              <span class="share-size">{about(tokens[share])}</span>
              <span class="share-bar" aria-hidden="true">
                <span style={{ width: `${percent}%` }} />
              </span>
            </li>
          );
        })}
      </ul>
      <p class="shares-note">
        {older === 0
          ? l10n.t('Nothing is old enough to be summarized yet.')
          : l10n.t(
              'Compacting puts a summary in place of {0} tokens of older messages and results; the session keeps them.',
              about(older),
            )}
      </p>
    </>
  );
}
