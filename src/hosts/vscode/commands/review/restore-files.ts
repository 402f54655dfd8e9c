import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { type RestorePreview, isRestorable } from '../../../../core/restore/agent-changes.ts';
import type { Leaf } from '../../../../core/restore/turned-back.ts';
import { fault } from '../../../../domain/failure.ts';
import { inWords, told } from '../../../../domain/text/told.ts';
import type { LeftPath } from '../../../../core/ports/files/workspace-snapshots.ts';
import { ShownTexts } from '../../files/shown-texts.ts';
import { RESTORED_SCHEME } from '../../../../manifest/context-key-names.ts';
import { count, plural } from '../../../../domain/text/language.ts';

/** The question before files change, beside what happens to each. */
export interface FilesQuestion {
  /** Of the diff. */
  readonly title: string;
  readonly question: string;
  /** Sentences above the names of the files. */
  readonly lines: readonly string[];
  /** On the button that does it. */
  readonly yes: string;
  /** A command began before its snapshot was whole. */
  readonly uncertain: boolean;
  /** Absolute: what could not be kept before a call that may have changed it. */
  readonly unkept: readonly string[];
  /** It can be done without any file. */
  readonly withoutFiles?: boolean;
}

/** Paths in the question; the others are in the diff. */
const NAMED = 12;
const NAMED_CONFLICTS = 5;
/** Files in the diff; the editor would stand still over more. */
const SHOWN = 1000;

/** Previews that were shown. VS Code keeps documents after their editor closes, so each preview has documents of its own. */
let previewCount = 0;

/**
 * Shows what would become of files as a diff, and asks. Gives what is to be restored; `undefined`: nothing.
 * Without files the question alone is asked.
 */
export async function confirmedFiles(
  previews: readonly RestorePreview[],
  question: FilesQuestion,
): Promise<readonly RestorePreview[] | undefined> {
  if (previews.length === 0) return ask(previews, question);
  const texts = new ShownTexts(RESTORED_SCHEME);
  previewCount += 1;
  const preview = String(previewCount);
  try {
    await vscode.commands.executeCommand(
      'vscode.changes',
      question.title,
      previews.slice(0, SHOWN).map((file) => {
        const at = path.join(file.root, file.path);
        return [
          vscode.Uri.file(at),
          texts.add(at, `now ${preview}`, shown(file.now)),
          texts.add(at, `then ${preview}`, shown(file.to)),
        ];
      }),
    );
    return await ask(previews, question);
  } finally {
    texts.dispose();
  }
}

async function ask(
  previews: readonly RestorePreview[],
  { question, lines, yes, uncertain, unkept, withoutFiles = false }: FilesQuestion,
): Promise<readonly RestorePreview[] | undefined> {
  const conflicts = previews.filter(({ outcome }) => outcome === 'conflict');
  const merged = previews.filter(({ outcome }) => outcome === 'merged').length;
  const others = previews.filter(({ outcome }) => outcome === 'others');
  const commands = previews.filter(({ outcome }) => outcome === 'commands');
  const left = [...commands, ...others];
  const own = previews.filter(isRestorable);
  const lost = previews.filter(({ outcome }) => outcome === 'lost');
  const safe = own.filter(({ outcome }) => outcome !== 'conflict');
  const choose = l10n.t('Choose from {0} Changed Otherwise…', files(left.length));
  const replace = l10n.t('{0} All, Replacing My Edits in {1}', yes, files(conflicts.length));
  const detail = [
    ...lines,
    ...[...own, ...lost, ...left].slice(0, NAMED).map((one) => `${WORDS[one.outcome]} ${one.path}`),
    ...(previews.length > NAMED
      ? [
          previews.length > SHOWN
            ? l10n.t(
                '… and {0} more; the first {1} are in the diff behind this',
                previews.length - NAMED,
                SHOWN,
              )
            : l10n.t('… and {0} more, in the diff behind this', previews.length - NAMED),
        ]
      : []),
    ...(merged > 0 ? [l10n.t('Your own edits in {0} stay.', files(merged))] : []),
    ...conflicts.slice(0, NAMED_CONFLICTS).map((one) => `${one.path}: ${one.why ?? ''}`),
    ...(commands.length > 0 ? [commandsLine(commands.length)] : []),
    ...(others.length > 0
      ? [
          l10n.t(
            '{0} changed otherwise: by you, another program or a command in the background. They stay unless you choose them, too.',
            files(others.length),
          ),
        ]
      : []),
    ...(uncertain
      ? [l10n.t('A call began before its snapshot was whole: look closely at what it changed.')]
      : []),
    ...unkeptLine(unkept),
  ];
  const chosen = await vscode.window.showWarningMessage(
    question,
    { modal: true, detail: detail.join('\n') },
    ...(safe.length > 0 || previews.length === 0 || (own.length === 0 && withoutFiles)
      ? [yes]
      : []),
    ...(conflicts.length > 0 ? [replace] : []),
    ...(left.length > 0 ? [choose] : []),
  );
  if (chosen === undefined) return undefined;
  if (chosen === choose) {
    const more = await chooseFiles(left, question);
    return more && [...safe, ...more];
  }
  return chosen === yes ? safe : own;
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
  const named = left
    .slice(0, NAMED_CONFLICTS)
    .map(({ path: name, why }) => `${name}: ${inWords(why)}`);
  const more = left.length > NAMED_CONFLICTS ? ' …' : '';
  return [l10n.t('Not restored: {0}{1}', named.join(' '), more)];
}

const WORDS = {
  restored: '✓',
  merged: l10n.t('✓ (merged)'),
  conflict: l10n.t('✗ (your edits)'),
  others: l10n.t('· (changed otherwise)'),
  commands: l10n.t('· (changed while a command ran)'),
  lost: l10n.t('✗ (not kept any more)'),
} as const;

/** The line about files that could not be kept before a call. */
export function unkeptLine(unkept: readonly string[]): readonly string[] {
  if (unkept.length === 0) return [];
  const named = [...new Set(unkept)].map((at) => vscode.workspace.asRelativePath(at));
  const more = named.length > NAMED_CONFLICTS ? ', …' : '';
  return [
    l10n.t(
      'Could not be kept before a call that may have changed it, so it is not taken back: {0}{1}',
      named.slice(0, NAMED_CONFLICTS).join(', '),
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
