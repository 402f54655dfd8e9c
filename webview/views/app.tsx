import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { later } from './elements/later.tsx';
import { usePanel, type Panel } from '../panel.ts';
import { END_NOTICE } from '../../src/protocol/view.ts';
import type { ViewState } from '../view-state.ts';
import { Announcer } from './announcer.tsx';
import { Approval } from './approvals/approval.tsx';
import { Composer } from './composer/composer.tsx';
import { Conversation } from './conversation/conversation.tsx';
import { Dock } from './dock/dock.tsx';
import { Deleted } from './sessions/deleted.tsx';
import { EmptyState } from './conversation/empty-state.tsx';
import { Header } from './sessions/header.tsx';
import { Icon } from './elements/icon.tsx';
import { JournalFacts } from './conversation/journal-facts.tsx';
import { Limits } from './limits.tsx';
import { Notice } from './conversation/notice.tsx';
import { Plan } from './approvals/plan.tsx';
import { Question } from './approvals/question.tsx';
import { SessionList } from './sessions/session-list.tsx';

/** The panel. */
export function App({ viewState }: { readonly viewState: ViewState }): ComponentChildren {
  const panel = usePanel();
  const page = panel.page.value;
  return (
    <>
      <Header />
      {page === 'sessions' && <SessionList />}
      <main class="page" hidden={page !== 'conversation'}>
        <Limits />
        <Conversation viewState={viewState}>
          <Sending />
          <Waiting />
          <Plan />
          <SessionNotices />
        </Conversation>
        <Dock />
        {panel.store.session.parent.value === null && (
          <div class="dock">
            <Composer viewState={viewState} />
          </div>
        )}
      </main>
      <Deleted />
      <Announcer />
    </>
  );
}

/** Messages on their way to the host. */
function Sending(): ComponentChildren {
  const panel = usePanel();
  const { transcript, session, sending, loaded } = panel.store;
  const nothing = transcript.entries.value.length === 0 && sending.value.length === 0;
  if (loaded.value && nothing && session.handoff.value === null) return <Nothing panel={panel} />;
  return sending.value.map(({ key, text, attachments }) => (
    <article class="row request is-sending" key={key} aria-label={l10n.t('You')}>
      <div class="bubble">
        <div class="request-text">{text}</div>
        {attachments.map((name) => (
          <div class="attached" key={name}>
            <Icon name="file" />
            <span class="name">{name}</span>
          </div>
        ))}
      </div>
    </article>
  ));
}

function Nothing({ panel }: { readonly panel: Panel }): ComponentChildren {
  const { session } = panel.store;
  if (session.error.value !== null) return null;
  if (session.loading.value) {
    return (
      <p class="loading" role="status">
        {l10n.t('Reading the session…')}
      </p>
    );
  }
  return <EmptyState />;
}

/** Several approvals at once are rare: the code of their card is loaded then. */
const ApprovalGroup = later(
  async () => (await import('./approvals/approval-group.tsx')).ApprovalGroup,
);
const Handoff = later(async () => (await import('./conversation/handoff.tsx')).Handoff);
/** Approvals and questions whose card is not in the conversation: those of delegated sessions. */
function Waiting(): ComponentChildren {
  const { session, transcript } = usePanel().store;
  // The entries are read so that a card that arrives takes its question over.
  void transcript.entries.value;
  const orphan = ({ callId }: { readonly callId: string }): boolean =>
    transcript.tool(callId) === undefined;
  const handoff = session.handoff.value;
  return (
    <>
      {handoff !== null && <Handoff handoff={handoff} />}
      {session.approvals.value.filter(orphan).map((approval) => (
        <Approval key={approval.questionId} approval={approval} />
      ))}
      {session.questions.value.filter(orphan).map((question) => (
        <Question key={question.questionId} question={question} />
      ))}
      {session.approvals.value.length > 1 && <ApprovalGroup />}
    </>
  );
}

function SessionNotices(): ComponentChildren {
  const panel = usePanel();
  const { notices, error } = panel.store.session;
  return (
    <>
      {error.value !== null && (
        <Notice
          notice={{
            id: 'session',
            level: 'error',
            message: error.value,
            actions: ['new_session', 'show_log'],
          }}
          onDismiss={() => panel.host.do('newSession', {})}
        />
      )}
      {notices.value.map((notice) => (
        <Notice
          key={notice.id}
          notice={notice}
          onDismiss={() => panel.host.do('dismissNotice', { id: notice.id })}
        >
          {notice.id === END_NOTICE && <JournalFacts />}
        </Notice>
      ))}
    </>
  );
}
