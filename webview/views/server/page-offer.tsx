import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { PageRequest } from '../../../src/domain/mcp/server-request.ts';
import type { QuestionView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { useGate } from '../approvals/gate.ts';
import { Button } from '../elements/button.tsx';
import { ServerCard } from './server-card.tsx';

interface PageOfferProps {
  readonly question: QuestionView;
  readonly request: PageRequest;
}

/** A page that a server wants opened: its whole address with the host marked; then the wait until the person is done there. */
export function PageOffer({ question, request }: PageOfferProps): ComponentChildren {
  const panel = usePanel();
  const end = useRef<HTMLElement>(null);
  const [answered, setAnswered] = useState(false);
  const { questionId } = question;
  const { hash, url, host, opened } = request;
  const { isArmed, isOpen, isSeen, showEnd } = useGate(questionId, end);
  const answer = async (action: 'accept' | 'decline' | 'cancel'): Promise<void> => {
    if (answered || !isArmed || (action === 'accept' && !isOpen)) return;
    setAnswered(true);
    const params = { questionId, hash, action, content: {} };
    if ((await panel.host.ask('answerServer', params)) === undefined) setAnswered(false);
  };
  const at = url.indexOf(host, url.indexOf('//'));
  const disabled = answered || !isArmed;
  return (
    <ServerCard question={question} request={request}>
      <pre class="detail" tabIndex={0} aria-label={l10n.t('Address')}>
        <code>
          {url.slice(0, at)}
          <mark>{host}</mark>
          {url.slice(at + host.length)}
          <span class="card-end" ref={end} />
        </code>
      </pre>
      {opened && (
        <p role="status">
          {l10n.t(
            'The page is open in your browser. This closes when the server says that you are done.',
          )}
        </p>
      )}
      <div class="approval-buttons">
        {isArmed && !isSeen ? (
          <Button kind="primary" answer="show" disabled={answered} onClick={showEnd}>
            {l10n.t('Show the rest')}
          </Button>
        ) : (
          <Button
            kind="primary"
            answer="accept"
            disabled={disabled}
            title={
              opened
                ? l10n.t('The server goes on')
                : l10n.t('Open a page of {0} in your browser', host)
            }
            onClick={() => void answer('accept')}
          >
            {opened ? l10n.t('I Am Done There') : l10n.t('Open Page')}
          </Button>
        )}
        {!opened && (
          <Button
            answer="decline"
            disabled={disabled}
            title={l10n.t('The server is told that you say no')}
            onClick={() => void answer('decline')}
          >
            {l10n.t('Decline')}
          </Button>
        )}
        <Button
          answer="cancel"
          disabled={disabled}
          title={l10n.t('Closed without an answer: neither yes nor no')}
          onClick={() => void answer('cancel')}
        >
          {l10n.t('Cancel')}
        </Button>
      </div>
    </ServerCard>
  );
}
