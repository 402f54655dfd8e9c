import type { Pin } from './pins.ts';

/** What the message that stands for a compacted history consists of. */
export interface SummaryContent {
  readonly body: string;
  /** Requests of the person within the compacted part, word for word, oldest first. */
  readonly requests: readonly string[];
  readonly pins: readonly Pin[];
  /** Messages that follow word for word, when this was a deep prune (C4). */
  readonly deep?: number;
}

const INTRODUCTION =
  'This is a summary of the earlier conversation, written by Belay because the context window was filling up. It is a record, not a new request. Files may have changed since: read again what you rely on.';

/** Text from elsewhere cannot open or close one of our tags. */
function escapeTags(text: string): string {
  return text.replace(/<(?=\/?(?:summary|request|pinned)\b)/giu, '‹');
}

function escapeAttribute(text: string): string {
  return escapeTags(text).replaceAll('"', '”').replace(/\s+/gu, ' ');
}

/** Writes the summary message. */
export function composeSummary({ body, requests, pins, deep }: SummaryContent): string {
  const sections = [INTRODUCTION];
  if (deep !== undefined) {
    sections.push(`Deep pruned: only the last ${deep} messages follow word for word.`);
  }
  sections.push(`<summary>\n${escapeTags(body.trim())}\n</summary>`);
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
  const body = /<summary>\n([\s\S]*?)\n<\/summary>/u.exec(text)?.[1] ?? text;
  const requests = [...text.matchAll(/<request>\n([\s\S]*?)\n<\/request>/gu)].map(
    (match) => match[1] ?? '',
  );
  const pins = [
    ...text.matchAll(/<pinned tool="([^"]*)" input="([^"]*)">\n([\s\S]*?)\n<\/pinned>/gu),
  ].map((match): Pin => ({ tool: match[1] ?? '', input: match[2] ?? '', text: match[3] ?? '' }));
  return { body, requests, pins };
}
