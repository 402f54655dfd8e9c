import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Mode } from '../../../core/tool-call/tool-call.ts';
import { MODE_WORDS, MODES } from '../../../domain/permissions/permission-mode.ts';
import type { ModelInfo } from '../../../domain/models/model.ts';
import type { CommandHandlers } from './register.ts';
import { choosePersona } from './personas.ts';
import type { CommandServices } from './services.ts';
import { numeral } from '../../../domain/text/language.ts';
import { priceWords, shortPrices } from '../../../domain/text/price-words.ts';

/** Commands that choose what the session on screen, or new ones, run with. */
export function optionCommands(services: CommandServices) {
  return {
    'belay.chooseModel': async () => {
      await services.models.look();
      await pickModel(services, services.models.list());
    },
    'belay.choosePersona': async () =>
      choosePersona(services, titleFor(services, l10n.t('Choose Persona'))),
    'belay.nextMode': () => services.view.reveal('next_mode'),
    'belay.chooseMode': async () => {
      const present = optionsNow(services)?.mode ?? services.host.settings.get('permissions.mode');
      const offered = services.host.workspace.trusted ? MODES : (['read', 'plan'] as const);
      const chosen = await vscode.window.showQuickPick(
        offered.map((mode) => ({
          label: l10n.t(MODE_WORDS[mode].name),
          description: mode === present ? l10n.t('chosen') : '',
          detail: l10n.t(MODE_WORDS[mode].does),
          value: mode,
        })),
        {
          title: titleFor(services, l10n.t('Choose Mode')),
          ...(services.host.workspace.trusted
            ? {}
            : { placeHolder: l10n.t('This workspace is not trusted: Belay only reads in it') }),
        },
      );
      if (chosen !== undefined) await apply(services, { mode: chosen.value });
    },
  } satisfies Partial<CommandHandlers>;
}

type Choosing = Pick<CommandServices, 'engine' | 'host' | 'panel' | 'view'>;

/** Asks for one of these models, for the session on screen or for new ones. */
export async function pickModel(services: Choosing, models: readonly ModelInfo[]): Promise<void> {
  const model = await chooseModel(services, models, titleFor(services, l10n.t('Choose Model')));
  if (model !== undefined) await apply(services, { model });
}

/** Asks for one of these models; `undefined`: the person gave up. */
export async function chooseModel(
  services: Choosing,
  models: readonly ModelInfo[],
  title: string,
): Promise<string | undefined> {
  const present = optionsNow(services)?.model ?? services.host.settings.get('model.name');
  const chosen = await vscode.window.showQuickPick(
    models.map((model) => ({
      label: model.name,
      description: [
        ...shortPrices(priceWords(model.prices)),
        numeral(model.contextWindow, { notation: 'compact' }),
        model.provider,
        ...(model.id === present ? [l10n.t('chosen')] : []),
      ].join(' · '),
      value: model.id,
    })),
    { title, matchOnDescription: true },
  );
  return chosen?.value;
}

function optionsNow({ engine, view }: Choosing): { model: string; mode: Mode } | undefined {
  return view.sessionId === undefined ? undefined : engine.agent.sessions.optionsOf(view.sessionId);
}

function titleFor({ view }: Choosing, what: string): string {
  return view.sessionId === undefined
    ? l10n.t('Belay: {0} for New Sessions', what)
    : l10n.t('Belay: {0} for This Session', what);
}

/** The session on screen gets the option; without one, it becomes the person's setting. */
async function apply(
  { host, panel, view }: Choosing,
  option: { readonly model: string } | { readonly mode: Mode },
): Promise<void> {
  if ('model' in option) await host.recentModels.add(option.model);
  if (view.sessionId !== undefined) {
    await panel.choose(view.sessionId, option);
    return;
  }
  const [key, value] =
    'model' in option ? ['model.name', option.model] : ['permissions.mode', option.mode];
  await vscode.workspace
    .getConfiguration('belay')
    .update(key, value, vscode.ConfigurationTarget.Global);
}
