import type { PanelEditor } from '../../../src/panel/services.ts';

/** An editor that only notes what it was asked for. */
export function stageEditor(calls: string[]): PanelEditor {
  const done = async (name: string): Promise<void> => {
    calls.push(name);
  };
  return {
    openEdits: (callId, edits) =>
      done(`openEdits ${callId} ${edits.map(({ path }) => path).join(' ')}`),
    runCommand: done,
    openCenter: ({ section, item }) => done(`openCenter ${section} ${item ?? ''}`.trim()),
    openFile: ({ path, line }) => done(`openFile ${path} ${line ?? ''}`.trim()),
    openExternal: (url) => done(`openExternal ${url}`),
    openApp: ({ server, uri, callId }) => done(`openApp ${server} ${uri} ${callId}`),
    openResource: ({ server, uri, text }) => done(`openResource ${server} ${uri} ${text}`),
    openSettings: (query) => done(`openSettings ${query}`),
    copy: (text) => done(`copy ${text}`),
    restore: (action, sessionId, messageId) =>
      done(`${action} ${sessionId} ${messageId ?? ''}`.trim()),
    pickFiles: async () => [],
    openSession: (id, beside) => done(`openSession ${id} ${beside ? 'beside' : ''}`.trim()),
    exportSession: (id) => done(`export ${id}`),
    importSession: async () => undefined,
  };
}
