import * as vscode from 'vscode';
import type { CleanUp } from '../../../core/restore/storage/checkpoint-storage.ts';
import {
  cleanedUpText,
  storageLines,
  storageTitle,
} from '../../../core/restore/storage/storage-text.ts';
import { openSettings } from '../settings/settings.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';

const CLEAN_UP = 'Clean Up…';
const SETTINGS = 'Open Settings';
const DELETE = 'Delete';
/** Days that are proposed. */
const SOME_DAYS = '7';

/** How much checkpoints take, what is not in them, and ways to be rid of them. */
export function checkpointCommands(
  services: CommandServices,
): Pick<CommandHandlers, 'belay.showCheckpointStorage'> {
  return {
    'belay.showCheckpointStorage': async () => {
      const storage = services.engine.checkpoints?.storage;
      if (storage === undefined) return;
      const facts = await storage.facts();
      const lines = storageLines(facts, (at) => new Date(at).toLocaleString());
      const chosen = await vscode.window.showInformationMessage(
        storageTitle(facts),
        { modal: true, detail: lines.join('\n') },
        CLEAN_UP,
        SETTINGS,
      );
      if (chosen === SETTINGS) await openSettings('checkpoints.*');
      if (chosen !== CLEAN_UP) return;
      const what = await chooseCleanUp();
      if (what === undefined || !(await confirmed(what))) return;
      const done = await storage.cleanUp(what);
      void vscode.window.showInformationMessage(cleanedUpText(done));
    },
  };
}

async function chooseCleanUp(): Promise<CleanUp | undefined> {
  const chosen = await vscode.window.showQuickPick(
    [
      {
        label: 'Of sessions that are gone',
        detail: 'What no session needs any more',
        kind: 'gone' as const,
      },
      {
        label: 'Older than some days…',
        detail: 'Files cannot be restored to before that',
        kind: 'older' as const,
      },
      {
        label: 'Everything',
        detail: 'No file can be restored to before now',
        kind: 'everything' as const,
      },
    ].map(({ kind, ...item }) => ({ ...item, what: kind })),
    { title: 'Belay: Clean Up Checkpoints' },
  );
  if (chosen === undefined) return undefined;
  if (chosen.what !== 'older') return { kind: chosen.what };
  const days = await vscode.window.showInputBox({
    title: 'Belay: Clean Up Checkpoints',
    prompt: 'Delete what is older than this many days',
    value: SOME_DAYS,
    validateInput: (text) => (/^\d{1,4}$/u.test(text) ? undefined : 'A whole number of days.'),
  });
  return days === undefined ? undefined : { kind: 'older', days: Number(days) };
}

async function confirmed(what: CleanUp): Promise<boolean> {
  const chosen = await vscode.window.showWarningMessage(
    questionOf(what),
    {
      modal: true,
      detail: 'Your files and conversations stay as they are. This cannot be undone.',
    },
    DELETE,
  );
  return chosen === DELETE;
}

function questionOf(what: CleanUp): string {
  switch (what.kind) {
    case 'gone':
      return 'Delete what is left of sessions that are gone?';
    case 'older':
      return `Delete all checkpoints older than ${what.days} days?`;
    case 'everything':
      return 'Delete all checkpoints of this workspace?';
    default:
      return what satisfies never;
  }
}
