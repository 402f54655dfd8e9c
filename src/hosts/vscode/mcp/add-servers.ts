import { wordsOf } from '../../../domain/failure.ts';
import { inWords } from '../../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isJsonObject } from '../../../domain/data/json.ts';
import { makeVisible } from '../../../domain/text/honest-text.ts';
import { type FoundServers, freeName } from '../../../mcp/clients/client-servers.ts';
import { readInstallLink } from '../../../mcp/clients/install-link.ts';
import { type ProposedServer, proposeServer, proposalText } from '../../../mcp/clients/proposal.ts';
import type { ServerOrigin } from '../../../mcp/config/config.ts';
import type { AddedServer, CommandServices } from '../commands/services.ts';
import { ShownTexts } from '../files/shown-texts.ts';
import { windowVariables, writtenServers } from './add-server.ts';
import { askForServer } from './ask-for-server.ts';

const TITLE = l10n.t('Belay: Add MCP Server');
const SCHEME = 'belay-mcp';

/** The guided way to new MCP servers: what was understood is shown whole, then written, then connected. */
export class AddServers {
  readonly #host: Pick<CommandServices['host'], 'workspace'>;
  readonly #add: CommandServices['center']['addServers'];
  readonly #texts = new ShownTexts(SCHEME);
  #busy = false;

  constructor({ host, center }: Pick<CommandServices, 'center' | 'host'>) {
    this.#host = host;
    this.#add = async (servers) => center.addServers(servers);
  }

  /** @param link what an install link says; anything else: the person is asked */
  async ask(link: unknown): Promise<void> {
    // One at a time: a page that opens link after link gets one question.
    if (this.#busy) return;
    this.#busy = true;
    try {
      const { path, query } = isJsonObject(link) ? link : {};
      const isLink = typeof path === 'string' && typeof query === 'string';
      const found = isLink ? readInstallLink({ path, query }) : await askForServer();
      if (found === undefined) return;
      if ('problem' in found)
        void vscode.window.showErrorMessage(makeVisible(inWords(found.problem)));
      else await this.#propose(found.servers, isLink);
    } finally {
      this.#busy = false;
    }
  }

  async #propose(found: FoundServers, isLink: boolean): Promise<void> {
    const servers = await proposals(found);
    if (servers === undefined) return;
    const unusable = servers.find(({ definition }) => definition.target === undefined);
    if (isLink && unusable !== undefined) {
      const [problem] = unusable.definition.problems;
      void vscode.window.showErrorMessage(
        makeVisible(
          l10n.t('The link was not followed: {0}', problem === undefined ? '' : wordsOf(problem)),
        ),
      );
      return;
    }
    const origin = await this.#decide(servers, isLink);
    if (origin === undefined) return;
    const named = await withNames(servers, origin);
    if (named === undefined) return;
    const added = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: l10n.t('Connecting to {0}…', named.map(({ name }) => makeVisible(name)).join(', ')),
      },
      async () =>
        this.#add(named.map(({ name, raw, secrets }) => ({ name, origin, raw, secrets }))),
    );
    for (const server of added) void tell(server);
  }

  /** Shows all of it in a document, and asks where it is to be written; `undefined`: nowhere. */
  async #decide(
    servers: readonly ProposedServer[],
    isLink: boolean,
  ): Promise<ServerOrigin | undefined> {
    const key = String(Date.now());
    const uri = this.#texts.add(`/${l10n.t('What is to be added')}.md`, key, proposalText(servers));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
    const names = servers.map(({ name }) => `“${makeVisible(name).slice(0, 60)}”`).join(', ');
    const user = {
      label: l10n.t('Add to your settings'),
      description: l10n.t('for all workspaces'),
      origin: 'user',
    } as const;
    const workspace = {
      label: l10n.t('Add to the settings of this workspace'),
      description: l10n.t('for everybody who works in it'),
      origin: 'workspace',
    } as const;
    const no = { label: l10n.t('Do not add'), description: '', origin: undefined } as const;
    const { roots, trusted } = this.#host.workspace;
    const yes = roots.length > 0 && trusted ? [user, workspace] : [user];
    const chosen = await vscode.window.showQuickPick(isLink ? [no, ...yes] : [...yes, no], {
      title: isLink ? l10n.t('{0}: a link asks for it', TITLE) : TITLE,
      placeHolder: l10n.t('Add {0}? All of it is shown in the editor.', names),
      ignoreFocusOut: true,
    });
    await close(uri);
    return chosen?.origin;
  }
}

async function tell({ name, isReady, said }: AddedServer): Promise<void> {
  const shown = makeVisible(name).slice(0, 60);
  if (isReady) {
    void vscode.window.showInformationMessage(l10n.t('The MCP server “{0}” is {1}.', shown, said));
    return;
  }
  const wanted = await vscode.window.showErrorMessage(
    l10n.t('The MCP server “{0}” was added and does not run: {1}', shown, said),
    l10n.t('Show Servers'),
  );
  if (wanted !== undefined) await vscode.commands.executeCommand('belay.openControlCenter', 'mcp');
}

/** Where secrets were found, the person says where they go; `undefined`: they gave up. */
async function proposals(found: FoundServers): Promise<readonly ProposedServer[] | undefined> {
  const variables = windowVariables();
  const kept = Object.entries(found).map(([name, entry]) =>
    proposeServer(name, entry, variables, true),
  );
  const secrets = kept.flatMap((server) =>
    server.secrets.filter(({ value }) => value !== undefined).map(({ where }) => where),
  );
  if (secrets.length === 0) return kept;
  const keep = {
    label: l10n.t("Keep in VS Code's secret storage"),
    description: l10n.t('recommended'),
    detail: l10n.t('The setting then says ${input:…}.'),
  };
  const leave = {
    label: l10n.t('Write into the settings as they are'),
    description: l10n.t('readable there'),
  };
  const chosen = await vscode.window.showQuickPick([keep, leave], {
    title: TITLE,
    placeHolder: l10n.t(
      'These look like secrets: {0}',
      makeVisible(secrets.join(', ')).slice(0, 200),
    ),
    ignoreFocusOut: true,
  });
  if (chosen === undefined) return undefined;
  if (chosen === keep) return kept;
  return Object.entries(found).map(([name, entry]) => proposeServer(name, entry, variables, false));
}

/** Servers of that author with the same names are replaced only with a yes; else new ones get a number. */
async function withNames(
  servers: readonly ProposedServer[],
  origin: ServerOrigin,
): Promise<readonly ProposedServer[] | undefined> {
  const taken = new Map(Object.entries(writtenServers(origin)));
  const named: ProposedServer[] = [];
  for (const server of servers) {
    const free = freeName(server.name, taken);
    let { name } = server;
    if (free !== name) {
      const replace = { label: l10n.t('Replace “{0}”', makeVisible(name)) };
      const both = { label: l10n.t('Keep both: add it as “{0}”', makeVisible(free)) };
      const chosen = await vscode.window.showQuickPick([both, replace], {
        title: TITLE,
        placeHolder: l10n.t('There is a server of this name'),
        ignoreFocusOut: true,
      });
      if (chosen === undefined) return undefined;
      if (chosen === both) name = free;
    }
    taken.set(name, server.raw);
    named.push({ ...server, name });
  }
  return named;
}

async function close(uri: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) =>
        input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
    );
  await vscode.window.tabGroups.close(tabs);
}
