import * as l10n from '@vscode/l10n';
import type { SeenFiles } from '../../../core/context/prompt/environment.ts';
import type { MentionReader } from '../../../core/tool-call/mention-reader.ts';
import { hunksOf } from '../../../core/review/model/hunks.ts';
import { countPending } from '../../../core/review/model/selected-changes.ts';
import { counted } from '../../../tools/face/words.ts';
import {
  type PendingChangesParts,
  pendingChangesTool,
} from '../../../tools/context/pending-changes.ts';
import { fuzzyScore } from '../../../domain/text/fuzzy-score.ts';
import { mentionRow, tokensOfCharacters, type InputSource, type MentionSource } from '../source.ts';
import { oneThing } from './one-thing.ts';
import { placeMention } from './file-place.ts';

type Reader = Pick<MentionReader, 'byTool' | 'bySource'>;

/** Editors whose files go along. */
const MOST_EDITORS = 20;

/** The lines that are selected in the editor in front; the mention is one of a file. */
export function selectionSource(
  seen: () => SeenFiles,
  roots: () => readonly string[],
): InputSource {
  return {
    id: 'selection',
    trigger: '@',
    search: async (query) => {
      const { selection } = seen();
      const worth = query === '' ? 3100 : fuzzyScore(query, 'selected lines/selection');
      if (selection === undefined || worth === undefined) return [];
      const { file: path, fromLine: from, toLine: to } = selection;
      const mention = placeMention({ path, lines: { from, to } }, roots(), { icon: 'selection' });
      return [{ ...mentionRow(mention, worth + 250), label: 'selection', detail: mention.detail }];
    },
  };
}

/** The files that are open in editors. */
export function editorsSource(seen: () => SeenFiles, reader: Reader): MentionSource {
  const files = (): readonly string[] =>
    [...new Set(seen().editors.map(({ file }) => file))].slice(0, MOST_EDITORS);
  return oneThing({
    id: 'editors',
    label: 'open-editors',
    icon: 'files',
    words: 'tabs',
    detail: () => {
      const { length } = files();
      return length === 0 ? undefined : l10n.t('The {0} open in editors', counted(length, 'file'));
    },
    take: async (sessionId) => {
      const open = files().map((path) => ({ path }));
      if (open.length === 0) return [{ type: 'text', text: 'No file is open in an editor.' }];
      return reader.byTool('read_file', { files: open }, sessionId);
    },
  });
}

/** Errors and warnings of the workspace. */
export function problemsSource(
  count: () => Promise<number>,
  reader: Reader,
  open: () => Promise<void>,
): MentionSource {
  return oneThing({
    id: 'problems',
    label: 'problems',
    icon: 'warning',
    words: 'errors warnings diagnostics',
    open,
    detail: async () => {
      const known = await count();
      return known === 0
        ? l10n.t('No errors or warnings are known')
        : l10n.t('{0} of the workspace', counted(known, 'problem'));
    },
    take: async (sessionId) => reader.byTool('diagnostics', {}, sessionId),
  });
}

/** The changes that are not committed. */
export function gitSource(
  isRepository: () => Promise<boolean>,
  reader: Reader,
  open: () => Promise<void>,
): MentionSource {
  return oneThing({
    id: 'git',
    label: 'git-changes',
    icon: 'git-compare',
    words: 'uncommitted diff',
    open,
    detail: async () => ((await isRepository()) ? l10n.t('What is not committed yet') : undefined),
    take: async (sessionId) => [
      ...(await reader.byTool('git', { action: 'status' }, sessionId)),
      ...(await reader.byTool('git', { action: 'diff' }, sessionId)),
    ],
  });
}

/** Changes of agents that nobody has decided about yet, with their lines. */
export function pendingSource(
  parts: PendingChangesParts & { readonly roots: () => readonly string[] },
  reader: Reader,
  open: () => Promise<void>,
): MentionSource {
  const { reviews, judge, roots } = parts;
  const tool = pendingChangesTool(parts);
  return oneThing({
    id: 'pending',
    label: 'pending-changes',
    icon: 'diff',
    words: 'review',
    open,
    detail: () => {
      const { files, hunks } = countPending(reviews.pending);
      return files === 0
        ? undefined
        : l10n.t('{0} in {1}, not decided yet', counted(hunks, 'change'), counted(files, 'file'));
    },
    weigh: async () => {
      const lines = reviews.pending.flatMap((review) =>
        hunksOf(review).flatMap(({ removed, added }) => [...removed, ...added]),
      );
      return tokensOfCharacters(lines.reduce((sum, line) => sum + line.length + 2, 0));
    },
    take: (sessionId) =>
      reader.bySource(
        tool.name,
        async (context) => {
          const content = [...(await tool.run({}, context)).content];
          for (const path of new Set(reviews.pending.map(({ path }) => path))) {
            const { place } = await judge({ path, access: 'read' }, roots());
            if (place === 'inside' || place === 'config')
              content.push(...(await tool.run({ path }, context)).content);
          }
          return { content };
        },
        sessionId,
      ),
  });
}
