import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { ServerRequest } from '../../../src/domain/mcp/server-request.ts';
import type { QuestionView } from '../../../src/protocol/view.ts';
import { useFocus } from '../approvals/approval.tsx';
import { useInView } from '../approvals/in-view.ts';
import { Icon } from '../elements/icon.tsx';

interface ServerCardProps {
  readonly question: QuestionView;
  readonly request: ServerRequest;
  readonly children: ComponentChildren;
}

/** The frame of what a server asks the person: who asks, what for, and what to know about it. */
export function ServerCard({ question, request, children }: ServerCardProps): ComponentChildren {
  const card = useRef<HTMLDivElement>(null);
  const { questionId } = question;
  useFocus(card, questionId);
  useInView(card, questionId);
  const { server, message, warnings } = request;
  return (
    <div
      class="question is-server"
      ref={card}
      tabIndex={-1}
      role="group"
      aria-labelledby={`${questionId}-who`}
      data-question={questionId}
    >
      <div class="approval-title" id={`${questionId}-who`}>
        <Icon name="plug" />
        <span class="words">{l10n.t('The MCP server “{0}” asks you', server)}</span>
      </div>
      {message !== '' && (
        <p class="message" tabIndex={0}>
          {message}
        </p>
      )}
      {warnings.map((warning) => (
        <p class="caution" key={warning}>
          <Icon name="warning" />
          <span>{warning}</span>
        </p>
      ))}
      {children}
    </div>
  );
}
