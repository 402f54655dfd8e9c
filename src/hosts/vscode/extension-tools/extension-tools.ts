import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { abortError } from '../../../domain/lifetime/abort.ts';
import type { Log } from '../../../core/ports/log.ts';
import { cleanText } from '../../../domain/text/honest-text.ts';
import type { Tool } from '../../../core/tool-call/tool-call.ts';
import { fault } from '../../../domain/failure.ts';
import { inEnglish, told } from '../../../domain/text/told.ts';
import { canonicalJson } from '../../../domain/data/json.ts';
import { type ListedTool, readTools } from '../../../mcp/tools/listed-tool.ts';
import { inputSchemaOf } from '../../../mcp/tools/tool-schema.ts';
import { tokenOf } from './cancellation.ts';
import { extensionToolName } from '../../../window/extension-tool-name.ts';
import { extensionOutput } from './tool-output.ts';

/** The module of all of them. */
const MODULE = 'extensions';
/** Tools offered; what else extensions bring is named in the log. */
const MOST = 128;
/** Characters kept of a description: it is data of a stranger. */
const LONGEST_DESCRIPTION = 4000;

const OWN_ID = 'belay.belay';

/** Which extension brings a tool, and how it is called for people. */
interface Owner {
  readonly extension: string;
  readonly title: string;
}

/**
 * The tools that other extensions offer to language models, as they are at this moment: extensions come
 * and go. VS Code's own, which belong to no extension, steer its own chat and are left out.
 */
export function extensionTools(log: Log): readonly Tool[] {
  const owners = contributed();
  const ours = vscode.lm.tools.filter(({ name }) => owners.has(name));
  const warn = (problem: string): void => log.warn(`Tools of extensions: ${problem}`);
  const listed = readTools(ours, (problem) => warn(inEnglish(problem)));
  if (listed.length > MOST) warn(`of ${listed.length} the first ${MOST} are offered.`);
  return listed.slice(0, MOST).flatMap((tool) => {
    const owner = owners.get(tool.name);
    return owner === undefined ? [] : [toolOf(tool, owner)];
  });
}

/** By the tool's name. Of two extensions that declare the same name VS Code takes one; so do we. */
function contributed(): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>();
  for (const { id, packageJSON } of vscode.extensions.all) {
    if (id === OWN_ID) continue;
    for (const { name, displayName } of declaredIn(packageJSON)) {
      if (typeof name !== 'string' || owners.has(name)) continue;
      owners.set(name, {
        extension: id,
        title: typeof displayName === 'string' ? displayName : name,
      });
    }
  }
  return owners;
}

interface DeclaredTool {
  readonly name?: unknown;
  readonly displayName?: unknown;
}

function declaredIn(packageJson: unknown): readonly DeclaredTool[] {
  const { contributes } = packageJson as {
    readonly contributes?: { languageModelTools?: unknown };
  };
  const declared = contributes?.languageModelTools;
  return Array.isArray(declared)
    ? declared.filter((one): one is DeclaredTool => typeof one === 'object' && one !== null)
    : [];
}

function toolOf(listed: ListedTool, { extension, title }: Owner): Tool {
  const { name } = listed;
  const definition = canonicalJson({ extension, ...listed });
  return {
    name: extensionToolName(extension, name),
    description: descriptionOf(listed, extension),
    inputSchema: inputSchemaOf(listed.inputSchema),
    sideEffects: true,
    level: 'user',
    module: MODULE,
    permission: 'execute',
    outbound: true,
    rare: true,
    hash: createHash('sha256').update(definition).digest('hex'),
    // A yes is kept for exactly this input, to the tool as it describes itself.
    starts: (input) =>
      Promise.resolve({
        lines: [],
        code: { subject: `this input of ${title}`, text: canonicalJson([definition, input]) },
      }),
    // VS Code checks the input against the schema; what it says against it goes to the model.
    check: (input) => ({ input }),
    preview: (input) =>
      Promise.resolve({
        title: `Use ${title} of the extension ${extension}`,
        detail: JSON.stringify(input, null, 2),
      }),
    run: async (input, { signal }) => {
      if (!vscode.lm.tools.some((tool) => tool.name === name)) {
        const message = told`The extension ${extension} no longer offers ${name}: it was disabled, removed or updated. Go another way.`;
        throw fault('not_found', message);
      }
      const stopping = tokenOf(signal);
      try {
        const options = { input, toolInvocationToken: undefined };
        const result = await vscode.lm.invokeTool(name, options, stopping.token);
        return extensionOutput(result.content);
      } catch (error) {
        if (signal.aborted) throw abortError();
        const reason = error instanceof Error ? error.message : String(error);
        const message = told`${name} of the extension ${extension} failed: ${reason}`;
        throw fault('tool', message);
      } finally {
        stopping.dispose();
      }
    },
  };
}

function descriptionOf({ description }: ListedTool, extension: string): string {
  const text = cleanText(description).trim();
  const said = text === '' ? 'It is not described.' : text;
  const cut = said.length > LONGEST_DESCRIPTION ? `${said.slice(0, LONGEST_DESCRIPTION)}…` : said;
  return `A tool of the extension ${extension}: ${cut}`;
}
