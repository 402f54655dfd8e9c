import { inEnglish } from '../../domain/text/told.ts';
import { textOf } from '../../domain/message.ts';
import type { RunEnd } from '../../domain/run.ts';
import type { Session } from '../../domain/session/session.ts';
import type { Worktree } from '../ports/commands/worktrees.ts';
import type { Transcripts } from '../ports/store/transcripts.ts';
import type { Child } from './child.ts';
import type { Delivered } from './deliver-changes.ts';

/** The end of a child's work. */
export interface ChildReport {
  readonly child: Child;
  readonly end: RunEnd;
  /** The last that it said; empty: nothing. */
  readonly words: string;
  /** Its record, with what it used. */
  readonly session: Session | undefined;
  /** Of one that changed files: what became of them. */
  readonly delivered?: Delivered;
  /** The origin of text in it that neither the person nor the model wrote. */
  readonly stranger: string | undefined;
}

/** Messages at the end in which the last words are looked for. */
const NEWEST = 20;

/** The last text that a session's model wrote. */
export async function lastWords(
  transcripts: Pick<Transcripts, 'messages'>,
  sessionId: string,
): Promise<string> {
  const messages = await transcripts.messages({ sessionId, limit: NEWEST });
  const said = messages.findLast((one) => one.role === 'assistant' && textOf(one).trim() !== '');
  return said === undefined ? '' : textOf(said).trim();
}

/** A report as the parent's model reads it: what was found, what changed, and if it did not end well, why. */
export function reportText(report: ChildReport): string {
  const { delivered } = report;
  return [endText(report), ...(delivered === undefined ? [] : [deliveredText(delivered)])].join(
    '\n\n',
  );
}

/** Paths that are named, of what arrived and of what did not. */
const MAX_NAMED = 50;
export const MAX_LEFT_NAMED = 10;

/** Tells a child of what it does not find in its working copy; empty: it has everything. */
export function missingText(worktree: Worktree | undefined): string {
  const missing = worktree?.missing ?? [];
  if (missing.length === 0) return '';
  const names = missing.slice(0, MAX_LEFT_NAMED).join(', ');
  return `\n\n[Files of these git submodules or nested repositories are not in your working copy, since they are not checked out or too many: ${names}${andMore(missing, MAX_LEFT_NAMED)}.]`;
}

const andMore = (all: readonly unknown[], limit: number): string =>
  all.length > limit ? ` and ${all.length - limit} more` : '';

function deliveredText({ arrived, left, copy }: Delivered): string {
  const named = arrived.slice(0, MAX_NAMED).join(', ');
  const changed =
    arrived.length === 0
      ? '[No file of the workspace is changed by it.]'
      : `[Its changes are in the workspace now: ${named}${andMore(arrived, MAX_NAMED)}.]`;
  if (left.length === 0) return changed;
  const more = left.length - MAX_LEFT_NAMED;
  return [
    changed,
    ...left
      .slice(0, MAX_LEFT_NAMED)
      .map(({ path, why }) => `[Not taken over: ${path}: ${inEnglish(why).replace(/\.$/u, '')}.]`),
    ...(more > 0 ? [`[Not taken over: and ${more} more.]`] : []),
    ...(copy === undefined ? [] : [`[What is not taken over is still in ${copy}.]`]),
  ].join('\n');
}

function endText({ end, words }: ChildReport): string {
  const found = words === '' ? 'It said nothing.' : `Its last words:\n\n${words}`;
  switch (end.reason) {
    case 'done':
      return words === '' ? 'The sub-agent ended without a report.' : words;
    case 'canceled':
      return `The person stopped this sub-agent before it was done. Do not start it again unless they ask for it. ${found}`;
    case 'time_limit':
      return `The time of this sub-agent was over before it was done. ${found}`;
    case 'budget':
      return `The budget of this sub-agent was used up before it was done. ${end.failure?.message ?? ''} ${found}`;
    case 'max_iterations':
    case 'context_limit':
    case 'denied':
    case 'needs_human':
    case 'failure':
      return `This sub-agent failed: ${end.failure?.message ?? end.reason} ${found}`;
    default:
      return end.reason satisfies never;
  }
}
