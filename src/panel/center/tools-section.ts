import type { ToolRow } from '../../core/tool-call/offered-tools.ts';
import type { CenterHandlers } from '../../protocol/center/requests.ts';
import { makeVisible } from '../../domain/text/honest-text.ts';
import { toolModules, toolNote } from '../../window/tool-rows.ts';

export interface ToolsSectionParts {
  readonly rows: () => Promise<readonly ToolRow[]>;
  /** Writes the person's setting; rejects with a sentence where a workspace has the last word. */
  readonly switchTools: (tools: readonly string[], on: boolean) => Promise<void>;
}

/** The tools that the model is offered, by module. */
export function toolsSection({
  rows,
  switchTools,
}: ToolsSectionParts): Pick<CenterHandlers, 'readTools' | 'switchTools'> {
  return {
    readTools: async () => ({
      modules: [...toolModules(await rows())].map(([name, tools]) => ({
        name: makeVisible(name),
        tools: tools.map((row) => ({
          name: row.name,
          description: makeVisible(row.description.split('\n', 1)[0] ?? '').slice(0, 300),
          on: row.state !== 'off',
          note: toolNote(row),
        })),
      })),
    }),
    switchTools: async ({ tools, on }) => {
      await switchTools(tools, on);
      return null;
    },
  };
}
