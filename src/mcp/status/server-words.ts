import type { McpServerView } from './server-view.ts';

export function serverWords({ state, reason, tools }: McpServerView, trusted: boolean): string {
  switch (state) {
    case 'ready':
      return `connected, ${tools} ${tools === 1 ? 'tool' : 'tools'}`;
    case 'starting':
      return 'connecting…';
    case 'failed':
      return reason ?? 'It could not be started.';
    case 'disabled':
      return reason ?? 'switched off in the settings';
    case 'stopped':
      return (
        reason ??
        (trusted ? 'not started yet' : 'not started, because this workspace is not trusted')
      );
    default:
      return state satisfies never;
  }
}

/** The servers that do not run although they should, with a sentence each. */
export function serverProblems(
  servers: readonly McpServerView[],
): readonly { readonly server: string; readonly said: string }[] {
  return servers.flatMap(({ name, state, reason = 'It could not be started.' }) => {
    if (state !== 'failed') return [];
    // A fault of a definition, or of a whole file of them, says itself where it is.
    const isWhole = reason.startsWith('The MCP server “') || reason.startsWith(`${name} `);
    const said = isWhole ? reason : `The MCP server “${name}” does not run: ${reason}`;
    return [{ server: name, said }];
  });
}
