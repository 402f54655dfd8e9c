import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { type RestorePreview, isRestorable } from '../../../../core/restore/agent-changes.ts';
import type { ChangeRecord } from '../../../../core/restore/storage/change-record.ts';
import type { Leaf } from '../../../../core/restore/turned-back.ts';
import { fault } from '../../../../domain/failure.ts';
import { inWords, told } from '../../../../domain/text/told.ts';
import type { LeftPath } from '../../../../core/ports/files/workspace-snapshots.ts';
import { ShownTexts } from '../../files/shown-texts.ts';
import { RestorePreviewTab } from './restore-preview.ts';
import { RESTORED_SCHEME } from '../../../../manifest/context-key-names.ts';
import { count, plural } from '../../../../domain/text/language.ts';

/** Words of a preview of a restore, next to what happens to each file. */
export interface RestoreQuestion {
  /** Of the tab. */
  readonly title: string;
  readonly question: string;
  /** Whole sentences. */
  readonly lines: readonly string[];
  /** Whole sentences about what checkpoints do not cover. */
  readonly notCovered: readonly string[];
  /** On the button of the question that is asked where no file changes. */
  readonly yes: string;
  /** It can be done without any file. */
  readonly withoutFiles?: boolean;
}

/** Names in a sentence. */
const NAMED = 5;
/** Files in the diff; the editor would stand still over more. */
const SHOWN = 1000;

/** Previews that were shown. VS Code keeps documents after their editor closes, so each preview has documents of its own. */
let previewCount = 0;

/**
 * Shows what would become of files, and waits for the answer in the title of the preview. Gives what is to be restored;
 * `undefined`: nothing. Where no file changes, a small question is asked.
 */
export async function confirmedFiles(
  previews: readonly RestorePreview[],
  question: RestoreQuestion,
): Promise<readonly RestorePreview[] | undefined> {
  if (previews.length === 0) {
    const detail = [...question.lines, ...question.notCovered].join('\n');
    const options = { modal: true, detail };
    const chosen = await vscode.window.showWarningMessage(question.question, options, question.yes);
    return chosen === undefined ? undefined : [];
  }
  const texts = new ShownTexts(RESTORED_SCHEME);
  previewCount += 1;
  const preview = String(previewCount);
  const restored = previews.filter(isRestorable);
  const others = previews.filter((one) => !isRestorable(one) && one.outcome !== 'lost');
  const summary = texts.add(
    `/${l10n.t('About This Restore')}`,
    preview,
    summaryOf(previews, question),
  );
  const diffs = previews.slice(0, SHOWN).map((file) => {
    const at = path.join(file.root, file.path);
    return [
      vscode.Uri.file(at),
      texts.add(at, `now ${preview}`, shown(file.now)),
      texts.add(at, `then ${preview}`, shown(file.to)),
    ];
  });
  const resources = [[summary, undefined, summary], ...diffs];
  const tab = await RestorePreviewTab.open(question.title, resources, others.length > 0);
  try {
    for (;;) {
      const answer = await tab.next();
      if (answer === 'cancel') return undefined;
      const isEmpty = restored.length === 0 && question.withoutFiles !== true;
      if (others.length === 0 || (answer === 'restore' && !isEmpty)) return restored;
      const more = await chooseFiles(others, question.title);
      if (more !== undefined) return [...restored, ...more];
    }
  } finally {
    await tab.close();
    texts.dispose();
  }
}

function summaryOf(
  previews: readonly RestorePreview[],
  { question, lines, notCovered }: RestoreQuestion,
): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    [question, lines],
    [
      l10n.t('These files are restored:'),
      previews
        .filter(isRestorable)
        .map((one) =>
          one.outcome === 'merged' ? `${one.path}: ${l10n.t('Your own edits stay.')}` : one.path,
        ),
    ],
    [
      l10n.t('These files stay as they are unless you choose them:'),
      previews.filter((one) => !isRestorable(one)).map((one) => `${one.path}: ${one.why ?? ''}`),
    ],
    [l10n.t('Checkpoints do not cover everything:'), notCovered],
  ];
  return parts
    .filter(([head, list]) => head === question || list.length > 0)
    .map(([head, list]) => [head, ...list.map((line) => `  ${line}`)].join('\n'))
    .join('\n\n');
}

/** Files that a restore leaves, one by one. */
async function chooseFiles(
  left: readonly RestorePreview[],
  title: string,
): Promise<readonly RestorePreview[] | undefined> {
  const items = left.map((preview) => ({
    label: preview.path,
    detail: preview.why ?? '',
    preview,
  }));
  const placeHolder = l10n.t('Select files to restore, too. All others stay as they are.');
  const chosen = await vscode.window.showQuickPick(items, {
    title,
    placeHolder,
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ preview }) => preview);
}

/** Says how many files a restore leaves, because only the time says that a command changed them. */
export const commandsLine = (number: number): string =>
  plural(
    number,
    '{0} file changed while commands ran stays as it is, because the change may be yours.',
    '{0} files changed while commands ran stay as they are, because the changes may be yours.',
  );

/** Names files that could not be restored, each with its reason. */
export function notRestoredLine(left: readonly LeftPath[]): readonly string[] {
  if (left.length === 0) return [];
  const named = left.slice(0, NAMED).map(({ path: name, why }) => `${name}: ${inWords(why)}`);
  const more = left.length > NAMED ? ' …' : '';
  return [l10n.t('Not restored: {0}{1}', named.join(' '), more)];
}

/** Says how many changes count as kept, because a restore settles its files. */
export const undecidedLine = (number: number): readonly string[] =>
  number === 0
    ? []
    : [
        plural(
          number,
          '{0} undecided change in these files will count as kept.',
          '{0} undecided changes in these files will count as kept.',
        ),
      ];

export const uncertainLine = (records: readonly ChangeRecord[]): readonly string[] =>
  records.some(({ uncertain }) => uncertain)
    ? [l10n.t('A call began before its snapshot was whole: look closely at what it changed.')]
    : [];

/** The line about files that could not be kept before a call. */
export function unkeptLine(records: readonly ChangeRecord[]): readonly string[] {
  const unkept = records.flatMap(({ unkept: some = [] }) => some);
  if (unkept.length === 0) return [];
  const named = [...new Set(unkept)].map((at) => vscode.workspace.asRelativePath(at));
  const more = named.length > NAMED ? ', …' : '';
  return [
    l10n.t(
      'Could not be kept before a call that may have changed it, so it is not taken back: {0}{1}',
      named.slice(0, NAMED).join(', '),
      more,
    ),
  ];
}

export const files = (number: number): string => count(number, 'file');

/** Refuses files with unsaved text: it would be lost or mixed, and is never written over. */
export function refuseUnsaved(previews: readonly RestorePreview[]): void {
  const restored = new Set(
    previews.map(({ root, path: name }) => vscode.Uri.file(path.join(root, name)).fsPath),
  );
  const unsaved = vscode.workspace.textDocuments
    .filter(({ isDirty, uri }) => isDirty && restored.has(uri.fsPath))
    .map(({ uri }) => vscode.workspace.asRelativePath(uri));
  if (unsaved.length === 0) return;
  const message = told`${unsaved.join(', ')}: not saved. Nothing was restored; save or revert first, then try again.`;
  throw fault('invalid', message);
}

function shown(leaf: Leaf): string {
  if (leaf.kind === 'absent') return '';
  if (leaf.kind === 'link') return `${l10n.t('link to {0}', leaf.target)}\n`;
  if (leaf.kind === 'other')
    return leaf.what === 'large'
      ? `${l10n.t('a file that is too large to be kept')}\n`
      : `${l10n.t('no regular file')}\n`;
  const text = new TextDecoder().decode(leaf.bytes);
  return text.includes('\0')
    ? `${l10n.t('{0} bytes that are no text', leaf.bytes.length)}\n`
    : text;
}
