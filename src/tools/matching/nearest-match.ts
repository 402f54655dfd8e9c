import { type Steps, mapped } from '../../domain/lifetime/steps.ts';
import { similarity } from './line-forms.ts';

export interface NearestMatch {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

/** Characters compared when the nearest place is looked for; beyond it the search would take too long. */
const MOST_COMPARED = 4_000_000;
/** Characters compared in one step: a few milliseconds. */
const STEP = 100_000;

/** The place with the most of the wanted lines; nothing when fewer than a third are there. */
export function* nearestMatch(
  text: readonly string[],
  wanted: readonly string[],
): Steps<NearestMatch | undefined> {
  const sought = yield* mapped(wanted, (line) => line.trim());
  const trimmed = yield* mapped(text, (line) => line.trim());
  let best = { at: -1, score: 0 };
  let left = MOST_COMPARED;
  let pause = left - STEP;
  for (let at = 0; at < text.length && left > 0; at += 1) {
    if (left < pause) {
      pause = left - STEP;
      yield;
    }
    let score = 0;
    for (const [offset, line] of sought.entries()) {
      const there = trimmed[at + offset] ?? '';
      left -= 1 + Math.min(line.length, there.length);
      if (left <= 0) break;
      score += line === '' ? 0 : similarity(line, there);
    }
    if (score > best.score) best = { at, score };
  }
  const filled = sought.filter((line) => line !== '').length;
  if (best.at === -1 || best.score < filled * 0.34) return undefined;
  return {
    line: best.at + 1,
    text: text.slice(best.at, best.at + Math.min(wanted.length, 20)).join('\n'),
  };
}
