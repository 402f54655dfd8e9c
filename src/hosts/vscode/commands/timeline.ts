import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type TimelineFilter,
  filteredEvents,
  timelineParts,
  timelineText,
} from '../../../core/session/timeline.ts';
import type { EventCategory, RunEvent } from '../../../domain/event.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import type { CommandHandlers } from './register.ts';
import type { CommandServices } from './services.ts';

/** Events a timeline shows: the newest. */
const SHOWN = 5000;

/** Shows the events of the session on screen as a document. */
export function timelineCommands(services: CommandServices) {
  const { view, sessions } = services;
  const { transcripts } = services.engine.store;
  return {
    'belay.showTimeline': async () => {
      const id = view.sessionId;
      if (id === undefined) {
        const message = told`There is no session on screen yet. Open one, or send a message first.`;
        throw fault('not_found', message);
      }
      const title = sessions.find(id)?.title ?? l10n.t('Session');
      const events = await transcripts.events(id, undefined, SHOWN);
      const wanted = await askForParts(events);
      if (wanted === undefined) return;
      const content = timelineText(title, filteredEvents(events, wanted));
      const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
      await vscode.window.showTextDocument(document, { preview: true });
    },
  } satisfies Partial<CommandHandlers>;
}

type PartItem = vscode.QuickPickItem & {
  readonly category?: EventCategory;
  readonly run?: string;
};

/** The kinds and runs that the person wants to see: all unless they take some away; `undefined`: nothing after all. */
async function askForParts(events: readonly RunEvent[]): Promise<TimelineFilter | undefined> {
  const { categories, runs } = timelineParts(events);
  const all = { categories: new Set(categories.keys()), runs: new Set(runs.keys()) };
  if (categories.size + runs.size < 3) return all;
  const heading = (label: string): PartItem => ({
    label,
    kind: vscode.QuickPickItemKind.Separator,
  });
  const several = runs.size > 1;
  const items: PartItem[] = [
    heading(l10n.t('Kinds')),
    ...[...categories].map(([category, count]) => ({
      label: category,
      description: String(count),
      picked: true,
      category,
    })),
    ...(several ? [heading(l10n.t('Runs'))] : []),
    ...(several ? [...runs] : []).map(([run, count]) => {
      const started = events.find(({ runId }) => runId === run)?.at ?? 0;
      const label = l10n.t('Run of {0}', new Date(started).toLocaleString(vscode.env.language));
      return { label, description: String(count), picked: true, run };
    }),
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Belay: Show Timeline'),
    placeHolder: l10n.t('Kinds and runs to show'),
    canPickMany: true,
  });
  if (chosen === undefined) return undefined;
  return {
    categories: new Set(chosen.flatMap(({ category }) => category ?? [])),
    runs: several ? new Set(chosen.flatMap(({ run }) => run ?? [])) : all.runs,
  };
}
