import * as l10n from '@vscode/l10n';
import { count } from '../../domain/text/language.ts';
import { inEnglish, inWords, joined, told } from '../../domain/text/told.ts';
import type { McpServerView } from './server-view.ts';

/** Its state in the words of the person. */
export function serverWords({ state, reason, tools }: McpServerView, trusted: boolean): string {
  switch (state) {
    case 'ready':
      return l10n.t('connected, {0}', count(tools, 'tool'));
    case 'starting':
      return l10n.t('connecting…');
    case 'failed':
      return inWords(reason ?? UNKNOWN);
    case 'disabled':
      return inWords(reason ?? told`switched off in the settings`);
    case 'stopped':
      return inWords(
        reason ??
          (trusted
            ? told`not started yet`
            : told`not started, because this workspace is not trusted`),
      );
    default:
      return state satisfies never;
  }
}

const UNKNOWN = told`It could not be started.`;

/** The servers that do not run although they should, with a sentence each. */
export function serverProblems(
  servers: readonly McpServerView[],
): readonly { readonly server: string; readonly said: string }[] {
  return servers.flatMap(({ name, state, reason = UNKNOWN, problems }) => {
    if (state !== 'failed') return [];
    // A fault of a definition, or of a whole file of them, says itself where it is.
    const isWhole = problems.length > 0 && inEnglish(reason) === inEnglish(joined(problems, ' '));
    const said = isWhole ? reason : told`The MCP server “${name}” does not run: ${reason}`;
    return [{ server: name, said: inWords(said) }];
  });
}
