import { ApprovalQueue } from '../../../src/window/approvals/approval-queue.ts';
import { PanelHost } from '../../../src/panel/panel-host.ts';
import { RulesSection } from '../../../src/panel/center/rules-section.ts';
import type { PanelEditor, PanelInput, PanelReviewing } from '../../../src/panel/services.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { silentLog } from '../memory-recorder.ts';
import { TestEngine, type TestEngineOptions } from './test-engine.ts';

const nothing = async (): Promise<void> => undefined;

export interface EnginePanel {
  readonly test: TestEngine;
  readonly desk: ApprovalQueue;
  /** Rules of the person's settings. */
  readonly rules: unknown[];
  /** A panel host in front of the engine; each one is a window that was loaded anew. */
  readonly panel: () => PanelHost;
}

/** The whole engine with its store in mode Ask, a desk instead of a scripted person, and panel hosts in front of it. */
export async function openEnginePanel(
  options: TestEngineOptions,
  editor: Partial<PanelEditor> = {},
  input: (test: TestEngine) => Partial<PanelInput> = () => ({}),
  reviewing?: (test: TestEngine) => PanelReviewing,
): Promise<EnginePanel> {
  const desk = new ApprovalQueue();
  const rules: unknown[] = [];
  const test = await TestEngine.open({
    ...options,
    settings: { 'permissions.mode': 'ask', 'permissions.rules': rules, ...options.settings },
    host: {
      approver: desk,
      human: desk,
      writeSetting: async (_key, written) =>
        void rules.splice(0, rules.length, ...(written as readonly unknown[])),
      ...options.host,
    },
  });
  const { agent, broker, store, catalog, permissions, registry } = test.engine;
  let last: string | undefined;
  const roots = (): readonly string[] => [test.workspace];
  const panel = (): PanelHost =>
    new PanelHost({
      agent,
      broker,
      records: {
        transcripts: store.transcripts,
        runs: store.runs,
        blobs: store.blobs,
        todos: test.engine.todos,
        journals: test.engine.journals,
        followUps: test.engine.runs.followUps,
      },
      sessions: {
        list: () => store.transcripts.sessions(),
        refresh: async () => undefined,
        hide: () => undefined,
        onChange: () => ({ dispose: () => undefined }),
      },
      desk,
      later: {
        editor: editor as PanelEditor,
        input: input(test) as PanelInput,
        code: {
          find: async () => [],
          use: nothing,
          diagram: nothing,
          loadDiagramCode: async () => '',
          apply: nothing,
        },
        providers: {
          act: nothing,
          favour: nothing,
          chosen: nothing,
        },
        rules: new RulesSection({
          permissions,
          tools: async () => test.engine.tools.offered(),
          roots,
          modeOf: (sessionId) => registry.optionsOf(sessionId).mode,
        }),
        ...(reviewing === undefined ? {} : { reviewing: async () => reviewing(test) }),
      },
      setup: {
        hasKey: () => true,
        trusted: () => true,
        hasWorkspace: () => true,
        models: () => catalog.models,
        choice: { demo: 'demo' },
        defaults: () => ({ model: 'claude-sonnet-4-5', mode: 'ask', thinking: 'off', persona: '' }),
        onChange: () => ({ dispose: () => undefined }),
      },
      memory: {
        lastSession: () => last,
        setLastSession: (id) => {
          last = id;
        },
        saved: () => undefined,
        save: () => undefined,
        become: () => undefined,
        settled: async () => undefined,
        changesUnfolded: () => false,
        unfoldChanges: () => undefined,
      },
      clock: new SystemClock(),
      log: silentLog,
    });
  return { test, desk, rules, panel };
}
