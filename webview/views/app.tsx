import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { later } from './elements/later.tsx';
import { usePanel, type Panel } from '../panel.ts';
import { END_NOTICE } from '../../src/protocol/view.ts';
import type { ViewState } from '../view-state.ts';
import { ReviewBar } from '../review/review-bar.tsx';
import { Announcer } from './announcer.tsx';
import { Approval } from './approvals/approval.tsx';
import { Composer } from './composer/composer.tsx';
import { Conversation } from './conversation/conversation.tsx';
import { Deleted } from './sessions/deleted.tsx';
import { Elsewhere } from './approvals/elsewhere.tsx';
import { EmptyState } from './conversation/empty-state.tsx';
import { Header } from './sessions/header.tsx';
import { Button } from './elements/button.tsx';
import { Icon } from './elements/icon.tsx';
import { Journal } from './composer/journal.tsx';
import { JournalFacts } from './conversation/journal-facts.tsx';
import { Limits } from './limits.tsx';
import { Notice } from './conversation/notice.tsx';
import { ApprovalGroup } from './approvals/approval-group.tsx';
import { Plan } from './approvals/plan.tsx';
import { Question } from './approvals/question.tsx';
import { RunStatus } from './conversation/run-status.tsx';
import { SessionList } from './sessions/session-list.tsx';
import { Todo } from './composer/todo.tsx';

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
        <Elsewhere />
        <Refusals />
        <ReviewBar />
        <div class="dock">
          <ApprovalGroup />
          <RunStatus />
          <Todo />
          <Journal />
          <Scheduled />
          <Queued />
          <Input viewState={viewState} />
        </div>
      </main>
      <Deleted />
      <Announcer />
    </>
  );
}

/** Where a message is written; to a sub-agent nobody writes but the session above it. */
function Input({ viewState }: { readonly viewState: ViewState }): ComponentChildren {
  const panel = usePanel();
  const parent = panel.store.session.parent.value;
  if (parent === null) return <Composer viewState={viewState} />;
  return (
    <div class="run-status is-elsewhere" role="status">
      <Icon name="hubot" class="bead" />
      <span class="phase">
        {l10n.t('The work of a sub-agent. It reports to the session above it.')}
      </span>
      <Button
        icon="arrow-up"
        title={parent.title}
        onClick={() => panel.host.do('openSession', { sessionId: parent.sessionId })}
      >
        {l10n.t('Back to the session above')}
      </Button>
    </div>
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

const Handoff = later(async () => (await import('./conversation/handoff.tsx')).Handoff);
const Queue = later(async () => (await import('./composer/queue.tsx')).Queue);

const FollowUps = later(async () => (await import('./composer/follow-ups.tsx')).FollowUps);

/** The code of follow-ups is loaded with the first one. */
function Scheduled(): ComponentChildren {
  return usePanel().store.session.followUps.value.length > 0 && <FollowUps />;
}

/** The code of the queue is loaded with its first message. */
function Queued(): ComponentChildren {
  return usePanel().store.session.queue.value.length > 0 && <Queue />;
}

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

function Refusals(): ComponentChildren {
  const panel = usePanel();
  const shown = panel.store.session.id.value;
  // Refusals of one session say nothing of the next.
  const own = panel.host.refusals.value.filter(({ sessionId }) => sessionId === shown);
  return own.map((notice) => (
    <Notice
      key={notice.id}
      notice={notice}
      onDismiss={() => {
        panel.host.refusals.value = panel.host.refusals
          .peek()
          .filter((other) => other.id !== notice.id);
      }}
    />
  ));
}
