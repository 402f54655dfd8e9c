import { told, type Told } from '../../domain/text/told.ts';
import { mergeTexts } from '../merge/merge-texts.ts';
import { sameBytes } from '../../domain/data/same-bytes.ts';

/** A path's content: nothing (or a folder), a file, a link, or something never replaced. */
export type Leaf =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly bytes: Uint8Array; readonly mode: number }
  | { readonly kind: 'link'; readonly target: string }
  /** A pipe, socket or device, or a file that is too large to be kept. */
  | { readonly kind: 'other'; readonly what: 'special' | 'large' };

export interface AgentChange {
  readonly before: Leaf;
  readonly after: Leaf;
}

export type TurnedBack =
  | { readonly kind: 'same' }
  | {
      readonly kind: 'changed';
      readonly to: Leaf;
      /** The person's edits are in it. */
      readonly merged: boolean;
    }
  | {
      readonly kind: 'conflict';
      readonly why: Told;
      /** Without the person's edits; the present content when that must stay. */
      readonly theirs: Leaf;
    };

/** Takes the agent's changes (oldest first) back, and keeps the person's; shared lines conflict. */
export function turnedBack(now: Leaf, changes: readonly AgentChange[]): TurnedBack {
  let current = now;
  let merged = false;
  for (const { before, after } of changes.toReversed()) {
    if (sameLeaf(before, after)) continue;
    if (sameLeaf(current, after)) {
      current = before;
      continue;
    }
    // It is as it was already: undone by hand, or by git.
    if (sameLeaf(current, before)) continue;
    const together = mergedLeaf(before, after, current);
    if (together === undefined) {
      const original = changes[0]?.before ?? before;
      // Where a link was put in the place of a file, or what cannot be kept, nothing is brought back, whoever wants it.
      const isFixed =
        current.kind === 'other' || (current.kind === 'link' && original.kind === 'file');
      const theirs = isFixed ? now : original;
      return { kind: 'conflict', why: whyNot(before, after, current), theirs };
    }
    current = together;
    merged = true;
  }
  return sameLeaf(current, now) ? { kind: 'same' } : { kind: 'changed', to: current, merged };
}

export function sameLeaf(left: Leaf, right: Leaf): boolean {
  if (left.kind === 'file' && right.kind === 'file')
    return left.mode === right.mode && sameBytes(left.bytes, right.bytes);
  if (left.kind === 'link' && right.kind === 'link') return left.target === right.target;
  return left.kind === right.kind;
}

function mergedLeaf(before: Leaf, after: Leaf, current: Leaf): Leaf | undefined {
  if (before.kind !== 'file' || after.kind !== 'file' || current.kind !== 'file') return undefined;
  const mode = current.mode === after.mode ? before.mode : current.mode;
  if (sameBytes(before.bytes, after.bytes)) return { ...current, mode };
  if (sameBytes(current.bytes, after.bytes)) return { ...before, mode };
  const texts = [after, before, current].map(({ bytes }) => textOf(bytes));
  const [base, ours, theirs] = texts;
  if (base === undefined || ours === undefined || theirs === undefined) return undefined;
  const together = mergeTexts(base, ours, theirs);
  if (together.kind === 'conflict') return undefined;
  return { kind: 'file', bytes: new TextEncoder().encode(together.text), mode };
}

/** `undefined`: it is no UTF-8 text. The mark at the start belongs to it. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function whyNot(before: Leaf, after: Leaf, current: Leaf): Told {
  if (current.kind === 'absent') return told`It was deleted since.`;
  if (current.kind === 'link') return told`A link stands in its place now; it stays.`;
  if (current.kind === 'other')
    return current.what === 'large'
      ? told`It is too large to be kept by now; it stays.`
      : told`A pipe, socket or device stands in its place now; it stays.`;
  if (after.kind === 'absent') return told`The agent had deleted it, and there is another one now.`;
  if (before.kind === 'absent') return told`The agent made it, and it was changed since.`;
  return told`It was changed since in the same lines, or is no text.`;
}
