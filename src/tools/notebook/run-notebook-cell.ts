import { told } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { CellOutput, CellRun, Notebooks } from '../../core/ports/editor/notebooks.ts';
import type { Tool, ToolContext, ToolPreview } from '../../core/tool-call/tool-call.ts';
import { fault } from '../../domain/failure.ts';
import type { ResultContent } from '../../domain/message.ts';
import { defineTool } from '../define-tool.ts';
import { runNotebookCellFace } from './run-notebook-cell-face.ts';
import { PATH_NAMES, renamed } from '../other-spellings.ts';
import type { ToolParts } from '../tool-parts.ts';
import { absolutePath, shownPath } from '../workspace-path.ts';

/** Seconds a cell may run when the call names no limit. */
const DEFAULT_TIMEOUT = 120;
const MOST_IMAGES = 10;

const schema = z.strictObject({
  path: z.string().check(z.minLength(1), z.describe('notebook, e.g. "analysis.ipynb"')),
  cell: z.int().check(z.gte(1), z.describe('its number, as read_file shows it')),
  timeout: z.optional(
    z.int().check(z.gte(1), z.lte(3600), z.describe(`seconds; default ${DEFAULT_TIMEOUT}`)),
  ),
});

type Input = z.output<typeof schema>;

/** The person's yes: the cell runs with exactly this source. */
const accepted = new WeakMap<ToolPreview, string>();

export function runNotebookCellTool(parts: ToolParts): Tool {
  const { notebooks } = parts;
  return defineTool(runNotebookCellFace, {
    description:
      'Runs a code cell of a notebook in the kernel that the person chose, and gives its outputs.',
    schema,
    accept: (input) => renamed(input, { ...PATH_NAMES, cell_number: 'cell', number: 'cell' }),
    sideEffects: true,
    level: 'user',
    module: 'notebook',
    permission: 'execute',
    rare: true,
    available: async () => (await notebooks?.available()) ?? false,
    timeoutMs: ({ timeout = DEFAULT_TIMEOUT }) => timeout * 1000,
    touches: ({ path }, roots) => [{ path: absolutePath(path, roots), access: 'write' }],
    starts: async ({ path, cell }, roots) => {
      const place = absolutePath(path, roots);
      const text = (await notebooks?.source(place, cell)) ?? '';
      return { lines: [], code: { subject: `cell ${cell} of ${shownPath(place, roots)}`, text } };
    },
    preview: async (input, context) => {
      const { shown, source } = await cellOf(parts, input, context);
      const preview = { title: l10n.t('Run cell {0} of {1}', input.cell, shown), detail: source };
      accepted.set(preview, source);
      return preview;
    },
    run: async (input, context) => {
      const cell = await cellOf(parts, input, context);
      const agreed = context.preview === undefined ? undefined : accepted.get(context.preview);
      if (agreed !== undefined && agreed !== cell.source) {
        const message = told`Cell ${String(input.cell)} of ${cell.shown} was changed after you asked to run it, so it was not run. Read it again.`;
        throw fault('invalid', message);
      }
      const ran = await cell.notebooks.run(cell.path, input.cell, context.signal);
      if (!ran.started) {
        const message = told`No kernel ran cell ${String(input.cell)} of ${cell.shown}, so nothing happened: none may be selected for this notebook. Ask the person to select one in its editor (Notebook: Select Notebook Kernel), then try again.`;
        throw fault('tool', message);
      }
      const images = ran.outputs.filter(({ kind }) => kind === 'image').length;
      return {
        content: contentOf(input, cell.shown, ran),
        ...(ran.success === false ? { isError: true } : {}),
        files: [{ path: cell.path }],
        display: {
          kind: 'cell',
          path: cell.shown,
          cell: input.cell,
          success: ran.success !== false,
          outputs: ran.outputs.length,
          images,
        },
      };
    },
  });
}

async function cellOf(
  { disk: { files }, notebooks }: ToolParts,
  { path: asked, cell }: Input,
  { roots, judged }: ToolContext,
): Promise<{
  readonly notebooks: Notebooks;
  readonly path: string;
  readonly shown: string;
  readonly source: string;
}> {
  const path = absolutePath(asked, roots);
  const shown = shownPath(path, roots);
  if (notebooks === undefined) {
    throw fault('config', told`There is no editor here to run notebooks.`);
  }
  const stat = await files.stat(judged?.get(path) ?? (await files.realpath(path)));
  if (stat === undefined) {
    throw fault('not_found', told`${shown} does not exist. Look for it with find_files.`);
  }
  return { notebooks, path, shown, source: await notebooks.source(path, cell) };
}

function contentOf({ cell }: Input, shown: string, ran: CellRun): readonly ResultContent[] {
  const how = ran.success === false ? 'failed' : 'ran';
  const order = ran.order === undefined ? '' : ` (run ${ran.order})`;
  const head = `Cell ${cell} of ${shown} ${how}${order}.${ran.outputs.length === 0 ? ' It has no output.' : ''}`;
  const images = ran.outputs.filter((output) => output.kind === 'image').slice(0, MOST_IMAGES);
  const texts = ran.outputs.map((output) => textOf(output)).filter((text) => text !== '');
  return [
    { type: 'text', text: [head, ...texts].join('\n') },
    ...images.map(({ mediaType, data }) => ({ type: 'binary' as const, mediaType, data })),
  ];
}

function textOf(output: CellOutput): string {
  switch (output.kind) {
    case 'text':
    case 'error':
      return output.text.replace(/\n$/u, '');
    case 'image':
      return `[image, ${output.mediaType}]`;
    case 'other':
      return `[${output.mediaType}, shown in the notebook]`;
    default:
      return output satisfies never;
  }
}
