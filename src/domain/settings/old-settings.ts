import { told, type Told } from '../text/told.ts';
import type { SettingKey } from './settings.ts';

/** Keys of settings before they became properties of `belay.budget` and `belay.advanced`. */
export const OLD_SETTINGS: Readonly<Record<string, SettingKey>> = {
  'budget.runCost': 'budget.usdPerRun',
  'budget.runTokens': 'budget.tokensPerRun',
  'budget.runMinutes': 'budget.minutesPerRun',
  'budget.sessionCost': 'budget.usdPerSession',
  'budget.sessionTokens': 'budget.tokensPerSession',
  'budget.sessionMinutes': 'budget.minutesPerSession',
  'budget.dailyCost': 'budget.usdPerDay',
  'budget.dailyTokens': 'budget.tokensPerDay',
  'budget.dailyMinutes': 'budget.minutesPerDay',
  'budget.monthlyCost': 'budget.usdPerMonth',
  'budget.monthlyTokens': 'budget.tokensPerMonth',
  'budget.monthlyMinutes': 'budget.minutesPerMonth',
  'model.retryAttempts': 'advanced.modelRetries',
  'model.retryBase': 'advanced.modelRetryDelaySeconds',
  'model.retryAfterLimit': 'advanced.maxRetryAfterSeconds',
  'model.firstByteTimeout': 'advanced.firstByteTimeoutSeconds',
  'model.idleTimeout': 'advanced.streamIdleTimeoutSeconds',
  'model.progressTimeout': 'advanced.streamProgressTimeoutSeconds',
  'loop.softTimeLimit': 'advanced.softTimeLimitSeconds',
  'loop.hardTimeLimit': 'advanced.hardTimeLimitSeconds',
  'loop.parallelCalls': 'advanced.parallelToolCalls',
  'loop.parallelRuns': 'advanced.parallelRuns',
  'context.compactAtTokens': 'advanced.compactAtTokens',
  'context.keepMessages': 'advanced.keepMessages',
  'context.historyLimit': 'advanced.maxHistoryMessages',
  'tools.resultLimit': 'advanced.maxToolResultChars',
  'tools.timeout': 'advanced.toolTimeoutSeconds',
  'tools.retryBase': 'advanced.toolRetryDelaySeconds',
  'store.busyTimeout': 'advanced.databaseTimeoutSeconds',
  'agents.timeLimit': 'advanced.subAgentTimeLimitSeconds',
  'mcp.deferToolsAbove': 'advanced.deferMcpToolsAbovePercent',
};

/** Characters of an old value that the notice shows. */
const MAX_VALUE_CHARS = 80;

/** Describes the settings that still have their old key, with the new key and value of each; `undefined` if there are none. */
export function describeOldSettings(read: (key: string) => unknown): Told | undefined {
  const lines = Object.entries(OLD_SETTINGS).flatMap(([old, present]) => {
    const value = read(old);
    if (value === undefined) return [];
    const shown = (JSON.stringify(value) ?? '').slice(0, MAX_VALUE_CHARS);
    const [object, property] = present.split('.');
    return [`belay.${old} → "belay.${object}": { "${property}": ${shown} }`];
  });
  return lines.length === 0
    ? undefined
    : told`These settings have new names and are ignored until you rename them: ${lines.join('; ')}.`;
}
