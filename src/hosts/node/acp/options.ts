import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { SessionOptions } from '../../../core/run/agent-service.ts';
import { MODES, MODE_WORDS, modeFrom } from '../../../domain/permissions/permission-mode.ts';
import type { AcpRoom } from './room.ts';

/** The permission modes, as a client offers them. */
export function modesOf({ service }: AcpRoom, sessionId: string): SessionModeState {
  return {
    currentModeId: service.sessions.optionsOf(sessionId).mode,
    availableModes: MODES.map((id) => ({
      id,
      name: MODE_WORDS[id].name,
      description: MODE_WORDS[id].does,
    })),
  };
}

/** The options of a session that an editor offers. */
export function configOf(room: AcpRoom, sessionId: string): SessionConfigOption[] {
  const { model } = room.service.sessions.optionsOf(sessionId);
  const { currentModeId, availableModes } = modesOf(room, sessionId);
  const models = room.models();
  const known = models.some(({ id }) => id === model)
    ? models
    : [{ id: model, name: model }, ...models];
  return [
    {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      currentValue: currentModeId,
      options: availableModes.map(({ id, name, description = null }) => ({
        value: id,
        name,
        description,
      })),
    },
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: model,
      options: known.map(({ id, name }) => ({ value: id, name })),
    },
  ];
}

/** The options that a client's choice stands for; `undefined`: there is no such choice. */
export function chosen(
  room: AcpRoom,
  configId: string,
  value: unknown,
): SessionOptions | undefined {
  const mode = configId === 'mode' ? modeFrom(value) : undefined;
  if (mode !== undefined) return { mode };
  const model = room.models().find(({ id }) => id === value);
  return configId === 'model' && model !== undefined ? { model: model.id } : undefined;
}
