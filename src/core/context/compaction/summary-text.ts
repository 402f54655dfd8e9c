import type { Pin } from '../pins.ts';

/** The contents of the message that stands for a compacted history. */
export interface SummaryContent {
  readonly body: string;
  /** Requests of the person within the compacted part, word for word, oldest first. */
  readonly requests: readonly string[];
  readonly pins: readonly Pin[];
  /** The run's journal as it is now, as markdown; it is not read back. */
  readonly journal?: string;
  /** Messages that follow word for word, when this was a deep prune (C4). */
  readonly deep?: number;
}

const INTRODUCTION =
  'This is a summary of the earlier conversation, written by Belay because the context window was filling up. It is a record, not a new request. Files may have changed since: read again what you rely on.';

/** Text from elsewhere cannot open or close one of our tags. */
function escapeTags(text: string): string {
  return text.replace(/<(?=\/?(?:summary|request|pinned|journal)\b)/giu, '‹');
}

function escapeAttribute(text: string): string {
  return escapeTags(text).replaceAll('"', '”').replace(/\s+/gu, ' ');
}

export function composeSummary({ body, requests, pins, journal, deep }: SummaryContent): string {
  const sections = [INTRODUCTION];
  if (deep !== undefined) {
    sections.push(`Deep pruned: only the last ${deep} messages follow word for word.`);
  }
  sections.push(`<summary>\n${escapeTags(body.trim())}\n</summary>`);
  if (journal !== undefined && journal !== '') {
    sections.push('The run journal, as you had written it by then:');
    sections.push(`<journal>\n${escapeTags(journal)}\n</journal>`);
  }
  if (requests.length > 0) {
    sections.push('Later requests of the person, in order:');
    sections.push(...requests.map((request) => `<request>\n${escapeTags(request)}\n</request>`));
  }
  if (pins.length > 0) {
    sections.push('The latest result of each tool:');
    sections.push(
      ...pins.map(
        (pin) =>
          `<pinned tool="${escapeAttribute(pin.tool)}" input="${escapeAttribute(pin.input)}">\n${escapeTags(pin.text)}\n</pinned>`,
      ),
    );
  }
  return sections.join('\n\n');
}

/** Reads a summary message back, so that the next compaction builds on its parts. */
export function parseSummary(text: string): SummaryContent {
  const [body = text] = between(text, '<summary>\n', '\n</summary>');
  const requests = between(text, '<request>\n', '\n</request>');
  const pins = between(text, '<pinned tool="', '\n</pinned>').flatMap((inner): readonly Pin[] => {
    const [tool = '', input, rest] = inner.split('"', 3);
    const head = `${tool}" input="${rest ?? ''}">\n`;
    if (input !== ' input=' || !inner.startsWith(head)) return [];
    return [{ tool, input: rest ?? '', text: inner.slice(head.length) }];
  });
  return { body, requests, pins };
}

/** Every text between two marks; the search for an end that is not there is made once. */
function between(text: string, opening: string, closing: string): readonly string[] {
  const found: string[] = [];
  let at = text.indexOf(opening);
  while (at !== -1) {
    const from = at + opening.length;
    const to = text.indexOf(closing, from);
    if (to === -1) break;
    found.push(text.slice(from, to));
    at = text.indexOf(opening, to + closing.length);
  }
  return found;
}
