import type { EventCategory, RunEvent } from '../../domain/event.ts';
import { isTransient } from '../../domain/event-catalog.ts';

/** The part of a timeline that is wanted. */
export interface TimelineFilter {
  readonly categories: ReadonlySet<EventCategory>;
  /** Ids; an event of no run always counts. */
  readonly runs: ReadonlySet<string>;
}

/** The kinds and the runs of events, each with how many it has, in the order in which they first occur. */
export function timelineParts(events: readonly RunEvent[]): {
  readonly categories: ReadonlyMap<EventCategory, number>;
  readonly runs: ReadonlyMap<string, number>;
} {
  const categories = new Map<EventCategory, number>();
  const runs = new Map<string, number>();
  for (const { category, runId } of events) {
    categories.set(category, (categories.get(category) ?? 0) + 1);
    if (runId !== '') runs.set(runId, (runs.get(runId) ?? 0) + 1);
  }
  return { categories, runs };
}

/** Events that a filter leaves. */
export const filteredEvents = (
  events: readonly RunEvent[],
  { categories, runs }: TimelineFilter,
): readonly RunEvent[] =>
  events.filter(
    ({ category, runId }) => categories.has(category) && (runId === '' || runs.has(runId)),
  );

/** A session's events as markdown (C11), with the cache's share, and where prompts differ. */
export function timelineText(title: string, events: readonly RunEvent[]): string {
  const lines = events.filter((event) => !isTransient(event.type)).map((event) => row(event));
  return [
    `# Timeline: ${title}`,
    '',
    ...cacheTable(events),
    '## Events',
    '',
    lines.length === 0
      ? 'Nothing happened yet.'
      : '| time | kind | event | |\n| --- | --- | --- | --- |',
    ...lines,
    '',
  ].join('\n');
}

function row(event: RunEvent): string {
  const time = new Date(event.at).toISOString().slice(11, 23);
  return `| ${time} | ${event.category} | \`${event.type}\` | ${cell(detailOf(event))} |`;
}

function cacheTable(events: readonly RunEvent[]): string[] {
  const requests = events.filter((event) => event.type === 'model.prefix');
  if (requests.length === 0) return [];
  const read = requests.reduce((sum, event) => sum + event.cacheReadTokens, 0);
  const total = requests.reduce((sum, event) => sum + event.totalInputTokens, 0);
  return [
    '## Prompt cache',
    '',
    `${percent(read, total)} of ${total.toLocaleString('en-US')} input tokens came from the cache.`,
    '',
    '| turn | input tokens | from the cache | the prompt differs from the one before at |',
    '| --- | --- | --- | --- |',
    ...requests.map(
      (event) =>
        `| ${event.iteration} | ${event.totalInputTokens} | ${percent(event.cacheReadTokens, event.totalInputTokens)} | ${cell(event.divergence ?? 'nowhere: it only grew')} |`,
    ),
    '',
  ];
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((100 * part) / whole)} %`;
}

/** The fields of its own: without the envelope. */
function detailOf(event: RunEvent): string {
  const { type: _type, seq: _seq, at: _at, sessionId: _session, runId: _run, ...rest } = event;
  const { category: _category, ...own } = rest;
  return Object.entries(own)
    .map(([name, value]) => `${name}: ${shown(value)}`)
    .join(', ');
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll(/\s+/gu, ' ');
}
