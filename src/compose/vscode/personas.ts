import type { Disposable } from '../../domain/lifetime/disposable.ts';
import { Lifetime } from '../../domain/lifetime/lifetime.ts';
import { watchCustomizations } from '../../hosts/vscode/center/customization-files.ts';
import { ContextKeys } from '../../hosts/vscode/status-bar/context-keys.ts';
import type { Host } from '../../hosts/vscode/host.ts';
import type { PanelWindow } from '../../hosts/vscode/window.ts';
import { WindowPersonas } from '../../window/personas.ts';
import type { Engine } from '../engine.ts';

/** Reads the personas for the panel now, and whenever they may be others. */
export function followPersonas(
  { log, settings, workspace }: Host,
  { customizations, runs }: Pick<Engine, 'customizations' | 'runs'>,
  { setup }: Pick<PanelWindow, 'setup'>,
): Disposable {
  const lifetime = new Lifetime();
  const personas = lifetime.add(
    new WindowPersonas({
      log,
      found: async () => customizations.found(),
      begun: async () => runs.persona(setup.defaults().model),
    }),
  );
  const refresh = (): void => void personas.refresh();
  setup.follow({ personas });
  const keys = new ContextKeys();
  lifetime.add(personas.onChange(() => keys.set('hasPersonas', personas.count > 0)));
  for (const one of [
    ...watchCustomizations(refresh),
    settings.onChanged((keys) => {
      if (keys.has('personas')) refresh();
    }),
    workspace.onTrusted(refresh),
    workspace.onRootsChanged(refresh),
  ])
    lifetime.add(one);
  refresh();
  return lifetime;
}
