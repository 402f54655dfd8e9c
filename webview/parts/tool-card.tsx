import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { isServerTool } from '../../src/domain/mcp/server-tool-name.ts';
import type { ToolState, ToolView } from '../../src/protocol/view.ts';
import { useSeconds } from '../now.ts';
import { usePanel, type Panel } from '../panel.ts';
import { Approval } from '../views/approvals/approval.tsx';
import { DiffStats } from '../views/elements/diff-stats.tsx';
import { IconButton } from '../views/elements/button.tsx';
import { FileLinks, FileSubject } from '../views/elements/file-link.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { Question } from '../views/approvals/question.tsx';
import { amount, duration, elapsed } from '../texts/words.ts';
import { AgentDoor } from './agent-door.tsx';
import { CallReview } from './call-review.tsx';
import { CommandLine } from './command-line.tsx';
import { ToolDetails } from './tool-details.tsx';
import { LoadableText } from './loadable-text.tsx';
import { AppDoor, Media, Resources, ServerDoor, Structured } from './server-result.tsx';
import { StoredDiff } from './stored-diff.tsx';

interface ToolCardProps {
  readonly tool: ToolView;
  readonly messageSeq: number;
}

/** A tool call: a line on the rope that unfolds. */
export function ToolCard({ tool, messageSeq }: ToolCardProps): ComponentChildren {
  const panel = usePanel();
  const { approvals, questions } = panel.store.session;
  const approval = approvals.value.find((one) => one.callId === tool.callId);
  const asked = questions.value.filter((one) => one.callId === tool.callId);
  const goesOn = tool.background?.running === true;
  const live = (tool.state === 'running' || goesOn) && tool.output !== '';
  const unfolded = panel.conversation.folds.value.get(tool.callId) ?? false;
  const toggle = (): void => panel.conversation.fold(tool.callId, !unfolded);
  return (
    <div
      class={`tool is-${tool.isModelMistake ? 'mistake' : tool.state}${goesOn ? ' goes-on' : ''}`}
      data-call={tool.callId}
      role="group"
      aria-label={spokenName(tool)}
      onFocusIn={() => panel.conversation.touch(tool.callId)}
    >
      <div class="tool-line" onClick={toggle}>
        <StateIcon tool={tool} isAsking={asked.length > 0} />
        <span class="tool-name">
          <span class="tool-title">{tool.title}</span>
          <FileSubject tool={tool} />
        </span>
        <Facts tool={tool} messageSeq={messageSeq} panel={panel} />
        <IconButton
          icon={unfolded ? 'chevron-up' : 'chevron-down'}
          class="tool-fold"
          label={unfolded ? l10n.t('Fold') : l10n.t('Unfold arguments and result')}
          onClick={(event) => {
            event.stopPropagation();
            toggle();
          }}
        />
      </div>
      <Trouble tool={tool} />
      {approval !== undefined && <Approval approval={approval} />}
      {asked.map((question) => (
        <Question key={question.questionId} question={question} />
      ))}
      <Media tool={tool} messageSeq={messageSeq} unfolded={unfolded} />
      <Resources tool={tool} messageSeq={messageSeq} />
      <AppDoor tool={tool} messageSeq={messageSeq} />
      {live && !unfolded && <LiveOutput text={tool.output} />}
      {unfolded && <Body tool={tool} messageSeq={messageSeq} />}
    </div>
  );
}

const STATE_WORDS: Readonly<Record<ToolState, string>> = {
  input: l10n.t('being written'),
  pending: l10n.t('waiting for its turn'),
  approval: l10n.t('waiting for your approval'),
  running: l10n.t('running'),
  done: l10n.t('done'),
  failed: l10n.t('failed'),
  denied: l10n.t('denied'),
  canceled: l10n.t('canceled'),
  unknown: l10n.t('outcome unknown'),
};

/** "Run npm test, failed, exit code 1" */
function spokenName(tool: ToolView): string {
  const state =
    tool.background?.running === true ? l10n.t('in the background') : STATE_WORDS[tool.state];
  const name = `${tool.title} ${tool.subject}`.trim();
  const note = tool.note === state ? '' : tool.note;
  return [name, state, note].filter((word) => word !== '').join(', ');
}

/** The end is said in words where an icon alone would leave a doubt. */
function endWord(tool: ToolView): string {
  const said = tool.state === 'denied' || tool.state === 'canceled' || tool.state === 'unknown';
  return said ? STATE_WORDS[tool.state] : tool.note;
}

function StateIcon({
  tool,
  isAsking,
}: {
  readonly tool: ToolView;
  /** Its question waits for the user. */
  readonly isAsking: boolean;
}): ComponentChildren {
  const label = STATE_WORDS[tool.state];
  const icon = isAsking ? 'question' : stateIcon(tool);
  return (
    <Icon
      name={icon}
      class={`bead${icon === 'loading' ? ' codicon-modifier-spin' : ''}`}
      label={label}
    />
  );
}

function stateIcon(tool: ToolView): string {
  switch (tool.state) {
    case 'input':
    case 'running':
      return 'loading';
    case 'approval':
      return 'shield';
    case 'failed':
      return tool.isModelMistake ? 'circle-slash' : 'error';
    case 'denied':
    case 'canceled':
      return 'circle-slash';
    case 'unknown':
      return 'question';
    case 'pending':
    case 'done':
      return tool.icon;
    default:
      return tool.state satisfies never;
  }
}

/** Facts at a glance: diff, note, time. */
function Facts({
  tool,
  messageSeq,
  panel,
}: ToolCardProps & {
  readonly panel: Panel;
}): ComponentChildren {
  const word = endWord(tool);
  return (
    <span class="facts">
      {tool.diff !== null && <DiffStats diff={tool.diff} />}
      {tool.diff !== null && (
        <IconButton
          icon="diff"
          label={l10n.t('Open diff')}
          onClick={(event) => {
            event.stopPropagation();
            const sessionId = panel.store.session.id.peek();
            const at = sessionId === null ? {} : { at: { sessionId, seq: messageSeq } };
            panel.host.do('openDiff', { callId: tool.callId, ...at });
          }}
        />
      )}
      <CallReview callId={tool.callId} />
      {tool.agent !== null && <AgentDoor agent={tool.agent} isAtWork={tool.state === 'running'} />}
      {tool.background?.running === true && <StopBackground tool={tool} panel={panel} />}
      {word !== '' && (
        <span class="note" title={word}>
          {word}
        </span>
      )}
      {tool.replayed && (
        <Icon name="history" label={l10n.t('Replayed from the record: it was not run again')} />
      )}
      {tool.state === 'input' && tool.input.total > 0 && (
        <span class="note">{l10n.t('{0} chars', amount(tool.input.total))}</span>
      )}
      <Time tool={tool} panel={panel} />
    </span>
  );
}

/** A command in the background goes on after its call: it is stopped here. */
function StopBackground({
  tool,
  panel,
}: {
  readonly tool: ToolView;
  readonly panel: Panel;
}): ComponentChildren {
  return (
    <IconButton
      icon="debug-stop"
      label={l10n.t('Stop this command')}
      onClick={(event) => {
        event.stopPropagation();
        panel.host.do('stopBackground', { id: tool.background?.id ?? '' });
      }}
    />
  );
}

/** Times shorter than this are noise. */
const WORTH_SHOWING = 300;

function Time({
  tool,
  panel,
}: {
  readonly tool: ToolView;
  readonly panel: Panel;
}): ComponentChildren {
  const running = tool.state === 'running' && tool.startedAt !== null;
  useSeconds(running);
  if (running) {
    const ms = panel.store.clock.now() - (tool.startedAt ?? 0);
    return ms < 1000 ? null : <time>{elapsed(ms)}</time>;
  }
  if (tool.elapsedMs === null || tool.elapsedMs < WORTH_SHOWING) return null;
  return <time>{duration(tool.elapsedMs)}</time>;
}

/** A failure, or another try, in a line under the title. */
function Trouble({ tool }: { readonly tool: ToolView }): ComponentChildren {
  if (tool.retry !== null && tool.state === 'running') {
    return (
      <div class="trouble">
        <Icon name="refresh" />
        <span>{l10n.t('Try {0}: {1}', tool.retry.attempt + 1, tool.retry.message)}</span>
      </div>
    );
  }
  if (tool.progress !== null && tool.state === 'running') {
    const { message, fraction } = tool.progress;
    return (
      <div class="trouble">
        <span>{message}</span>
        {fraction !== null && <progress value={fraction} max={1} />}
      </div>
    );
  }
  if (tool.trouble === '') return null;
  const printed = tool.state === 'failed' && (tool.command !== null || tool.trouble.includes('\n'));
  return <div class={printed ? 'trouble is-output' : 'trouble'}>{tool.trouble}</div>;
}

/** The output of a running command, kept at its end. */
function LiveOutput({ text }: { readonly text: string }): ComponentChildren {
  const element = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const { current } = element;
    if (current !== null) current.scrollTop = current.scrollHeight;
  }, [text]);
  return (
    <pre class="live" ref={element} tabIndex={0} aria-label={l10n.t('Output')}>
      {text}
    </pre>
  );
}

function Body({ tool, messageSeq }: ToolCardProps): ComponentChildren {
  const { callId } = tool;
  const goesOn = tool.background?.running === true;
  return (
    <div class="tool-body">
      <ToolDetails details={tool.details} />
      {tool.server !== null && <Structured structured={tool.server.structured} />}
      {tool.diff !== null && <StoredDiff messageSeq={messageSeq} callId={callId} of={tool.diff} />}
      {tool.command !== null && <CommandLine command={tool.command} />}
      {goesOn && tool.output !== '' && <LiveOutput text={tool.output} />}
      {tool.result !== null && (
        <LoadableText
          label={tool.command === null ? l10n.t('Result') : l10n.t('Output')}
          preview={tool.result}
          what="result"
          messageSeq={messageSeq}
          callId={callId}
        />
      )}
      {tool.result === null && tool.output !== '' && <LiveOutput text={tool.output} />}
      {tool.input.total > 2 && tool.state !== 'input' && (
        <LoadableText
          label={l10n.t('Arguments')}
          preview={tool.input}
          what="input"
          messageSeq={messageSeq}
          callId={callId}
        />
      )}
      {!tool.details.some(({ file }) => file !== null) && <FileLinks files={tool.files} />}
      {isServerTool(tool.name) && <ServerDoor name={tool.name} />}
    </div>
  );
}
