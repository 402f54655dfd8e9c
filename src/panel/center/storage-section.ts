import * as l10n from '@vscode/l10n';
import path from 'node:path';
import type { CheckpointStorage, CleanUp } from '../../core/restore/storage/checkpoint-storage.ts';
import {
  cleanedUpText,
  storageLines,
  storageTitle,
} from '../../core/restore/storage/storage-text.ts';
import type { CenterHandlers } from '../../protocol/center/requests.ts';
import type { StoredPlace } from '../../protocol/center/view.ts';
import { spoken } from '../../domain/text/language.ts';

export interface StorageSectionParts {
  /** Absent: nothing of the workspace is recorded here. */
  readonly checkpoints: Pick<CheckpointStorage, 'facts' | 'cleanUp'> | undefined;
  readonly sessions: () => Promise<number>;
  readonly folders: { readonly data: string; readonly shared: string; readonly logs: string };
  /** Bytes by the name of each entry of a folder. */
  readonly sizes: (folder: string) => Promise<ReadonlyMap<string, number>>;
  /** Asks if the person really wants it. */
  readonly confirm: (what: CleanUp) => Promise<boolean>;
}

/** Names of what is kept for a workspace, by the beginning of the entry in its folder. */
const ENTRIES = [
  ['belay', l10n.t('Sessions, messages, pending changes')],
  ['backups', l10n.t('Backups of them')],
  ['snapshots', l10n.t('Checkpoints: copies of your files')],
  ['outputs', l10n.t('Long outputs of commands')],
] as const;

/** All that Belay keeps on this machine: where, how much, and the ways to be rid of it. */
export function storageSection(
  parts: StorageSectionParts,
): Pick<CenterHandlers, 'readStorage' | 'cleanUp'> {
  const { checkpoints, sessions, confirm } = parts;
  return {
    readStorage: async () => {
      const facts = await checkpoints?.facts();
      return {
        places: await placesOf(parts),
        sessions: await sessions(),
        checkpoints:
          facts === undefined
            ? null
            : {
                title: storageTitle(facts),
                lines: storageLines(facts, (at) => new Date(at).toLocaleString(spoken())),
              },
      };
    },
    cleanUp: async (what) => {
      if (checkpoints === undefined || !(await confirm(what))) return null;
      return { said: cleanedUpText(await checkpoints.cleanUp(what)) };
    },
  };
}

async function placesOf({ folders, sizes }: StorageSectionParts): Promise<readonly StoredPlace[]> {
  const { data, shared, logs } = folders;
  const [own, common, log] = await Promise.all([data, shared, logs].map(sizes));
  const left = new Map(own);
  const named = ENTRIES.flatMap(([start, name]): readonly StoredPlace[] => {
    const entries = [...left].filter(([entry]) => entry.startsWith(start));
    for (const [entry] of entries) left.delete(entry);
    const bytes = sum(entries.map(([, size]) => size));
    const place = start === 'belay' ? path.join(data, 'belay.db') : path.join(data, start);
    return bytes === 0 ? [] : [{ name, path: place, bytes }];
  });
  return [
    ...named,
    {
      name: l10n.t('Other working files of this workspace'),
      path: data,
      bytes: sum(left.values()),
    },
    { name: l10n.t('For all workspaces'), path: shared, bytes: sum(common?.values() ?? []) },
    { name: l10n.t('Log'), path: logs, bytes: sum(log?.values() ?? []) },
  ].filter(({ bytes }) => bytes > 0);
}

const sum = (numbers: Iterable<number>): number =>
  [...numbers].reduce((total, one) => total + one, 0);
