import { told } from '../../../src/domain/text/told.ts';
import { MessageInput, type MessageInputParts } from '../../../src/panel/input/message-input.ts';
import type { MentionSource } from '../../../src/panel/input/source.ts';
import type { PanelCode, PanelInput } from '../../../src/panel/services.ts';
import { mentionRow, tokensOfCharacters } from '../../../src/panel/input/source.ts';
import { fuzzyScore } from '../../../src/domain/text/fuzzy-score.ts';
import { fault } from '../../../src/domain/failure.ts';
import type { Stage } from './stage.ts';

/** What the stage's input finds; absent: a few files. */
export type StageInput = Partial<MessageInputParts>;

const FILES: Readonly<Record<string, string>> = {
  'src/app.ts': 'export const app = 1;\n',
  'src/panel/panel-host.ts': 'x'.repeat(8000),
  'docs/read me.md': '# Read me\n',
};

/** A source of files that are a few texts. */
export function stageFiles(stage: Stage): MentionSource {
  return {
    id: 'file',
    trigger: '@',
    search: async (query) =>
      Object.keys(FILES).flatMap((path) => {
        const score = query === '' ? 1 : fuzzyScore(query, path);
        const label = path.split('/').at(-1) ?? path;
        return score === undefined
          ? []
          : [mentionRow({ source: 'file', ref: path, label, detail: path, icon: 'file' }, score)];
      }),
    take: async (ref) => {
      const text = FILES[ref];
      if (text === undefined) throw fault('not_found', told`${ref} is gone.`);
      return [{ type: 'text', text }];
    },
    weigh: async (ref) => tokensOfCharacters(FILES[ref]?.length ?? 0),
    open: async (ref) => void stage.calls.push(`openMention ${ref}`),
  };
}

export function stageInput(stage: Stage): PanelInput {
  let input: MessageInput | undefined;
  const made = (): MessageInput => {
    input ??= new MessageInput({
      mentions: [stageFiles(stage)],
      rows: [],
      commands: [],
      locate: async (files) =>
        files.flatMap((path) => {
          const label = path.split('/').at(-1) ?? path;
          return /\.\w+$/u.test(path)
            ? [{ source: 'file', ref: path, label, detail: path, icon: 'file', tokens: null }]
            : [];
        }),
      clock: stage.clock,
      log: {
        debug: () => undefined,
        info: () => undefined,
        warn: () => undefined,
        error: () => undefined,
      },
      ...stage.input,
    });
    return input;
  };
  return {
    complete: async (...given) => made().complete(...given),
    weigh: async (mentions) => made().weigh(mentions),
    open: async (mention) => made().open(mention),
    locate: async (...given) => made().locate(...given),
    fill: async (ref) => made().fill(ref),
    take: async (...given) => made().take(...given),
  };
}

/** Code blocks and files as a host has them. */
export function stageCode(stage: Stage): PanelCode {
  return {
    find: async (paths) => {
      stage.calls.push(`find ${paths.join(' ')}`);
      return paths.map((path) => stage.there.has(path));
    },
    use: async (how, text, info) => void stage.calls.push(`${how} ${info} ${text}`),
    diagram: async (text) => void stage.calls.push(`diagram ${text}`),
    loadDiagramCode: async () => stage.diagramCode,
    apply: async ({ text, info, before, messageId }) =>
      void stage.calls.push(`apply ${info} ${text} ${before} ${messageId}`),
  };
}
