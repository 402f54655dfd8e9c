import { type RunEvent, isTransient } from '../../domain/event.ts';

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

/** The event's own fields without the envelope's, long ones left out. */
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
