import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { JsonObject } from '../../../domain/data/json.ts';
import { Lifetime } from '../../../domain/lifetime/lifetime.ts';
import type { CommandId } from '../../../manifest/commands.ts';
import { CHAT_PARTICIPANT } from '../../../manifest/context-key-names.ts';
import { LENT_TOOL_NAMES, type LentTool, lentName } from '../../../manifest/lent-tool-names.ts';
import { ProblemActions } from '../asks/problem-actions.ts';

/** Answers what other parts of VS Code ask of Belay. */
export interface NativeSurfaces {
  /** `@belay` in VS Code's own chat. */
  chat(...given: Parameters<vscode.ChatRequestHandler>): Promise<vscode.ChatResult>;
  /** A tool that another extension's agent calls. Never fails: what went wrong is the text. */
  lend(
    tool: LentTool,
    input: JsonObject,
    token: vscode.CancellationToken,
  ): Promise<{ readonly text: string; readonly isError: boolean }>;
}

const ADD_SERVER: CommandId = 'belay.addMcpServer';
const OPEN_PROMPT: CommandId = 'belay.openPrompt';

/** Registers what VS Code finds Belay by outside of its panel; `ready` loads what is behind, with the first use. */
export function openNativeDoors(
  ready: () => Promise<NativeSurfaces | undefined>,
  icon: vscode.Uri,
): vscode.Disposable {
  const lifetime = new Lifetime();
  // A link only shows: an MCP server to be added, or a text in the input.
  lifetime.add(
    vscode.window.registerUriHandler({
      handleUri: ({ path, query }) =>
        void vscode.commands.executeCommand(path === '/prompt' ? OPEN_PROMPT : ADD_SERVER, {
          path,
          query,
        }),
    }),
  );
  lifetime.add(
    vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, new ProblemActions(), {
      providedCodeActionKinds: ProblemActions.kinds,
    }),
  );
  for (const tool of LENT_TOOL_NAMES) tryTo(() => lifetime.add(lend(tool, ready)));
  tryTo(() => {
    const participant = vscode.chat.createChatParticipant(CHAT_PARTICIPANT, async (...given) => {
      const surfaces = await ready();
      return surfaces?.chat(...given) ?? { errorDetails: { message: notLoaded() } };
    });
    participant.iconPath = icon;
    lifetime.add(participant);
  });
  return { dispose: () => lifetime.dispose() };
}

/** Editors that are built upon VS Code may have no chat, or no tools; Belay is there all the same. */
function tryTo(register: () => unknown): void {
  try {
    register();
  } catch {
    // Nobody asks for Belay there.
  }
}

/** The person was told why. */
const notLoaded = (): string => l10n.t('Belay could not be loaded in this window.');

function lend(tool: LentTool, ready: () => Promise<NativeSurfaces | undefined>): vscode.Disposable {
  return vscode.lm.registerTool<JsonObject>(lentName(tool), {
    invoke: async ({ input }, token) => {
      const surfaces = await ready();
      if (surfaces === undefined) throw new Error(notLoaded());
      const { text, isError } = await surfaces.lend(tool, input, token);
      if (isError) throw new Error(text);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  });
}
