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
  return servers.flatMap(({ name, state, reason }) =>
    state === 'failed'
      ? [
          {
            server: name,
            said: `The MCP server “${name}” does not run: ${reason ?? 'it could not be started.'}`,
          },
        ]
      : [],
  );
}
