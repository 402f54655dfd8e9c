import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/disposable.ts';
import type { ToolRow } from '../../../core/tool-call/offered-tools.ts';
import { Lifetime } from '../../../domain/lifetime.ts';
import { disabledAfter, moduleNote, modulesOf, toolNote } from '../../../window/tool-rows.ts';
import type { ToolModule } from '../../../window/tool-rows.ts';

export interface ToolsViewParts {
  /** Every tool there is, offered or not. */
  readonly rows: () => Promise<readonly ToolRow[]>;
  /** Tools came, went, or changed their state. */
  readonly onChange: (listener: () => void) => Disposable;
  /** Says something that the person must not miss. */
  readonly tell: (message: string) => void;
}

type Node = ToolModule | ToolRow;

const isModule = (node: Node): node is ToolModule => 'tools' in node;

/**
 * The view "Tools": each tool with its module, level and state, and a box that switches it on and off. The
 * box writes the person's own setting; what a workspace switches off stays off.
 */
export class ToolsView implements vscode.TreeDataProvider<Node>, Disposable {
  readonly #parts: ToolsViewParts;
  readonly #lifetime = new Lifetime();
  readonly #changed = this.#lifetime.add(new vscode.EventEmitter<void>());
  readonly onDidChangeTreeData = this.#changed.event;

  constructor(parts: ToolsViewParts) {
    this.#parts = parts;
    const view = this.#lifetime.add(
      vscode.window.createTreeView<Node>('belay.tools', {
        treeDataProvider: this,
        manageCheckboxStateManually: true,
      }),
    );
    this.#lifetime.add(parts.onChange(() => this.#changed.fire()));
    this.#lifetime.add(
      view.onDidChangeCheckboxState(({ items }) => {
        void this.#switch(
          items.flatMap(([node, state]) => {
            const on = state === vscode.TreeItemCheckboxState.Checked;
            const tools = isModule(node) ? node.tools : [node];
            return tools.map(({ name }) => ({ name, on }));
          }),
        );
      }),
    );
  }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node === undefined) return [...modulesOf(await this.#parts.rows())];
    return isModule(node) ? [...node.tools] : [];
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return isModule(node) ? moduleItem(node) : toolItem(node);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #switch(
    switched: readonly { readonly name: string; readonly on: boolean }[],
  ): Promise<void> {
    const section = vscode.workspace.getConfiguration('belay');
    const found = section.inspect<readonly string[]>('tools.disabled');
    const before = Array.isArray(found?.globalValue) ? found.globalValue : [];
    const after = disabledAfter(before, switched);
    try {
      await section.update('tools.disabled', after, vscode.ConfigurationTarget.Global);
    } catch (error) {
      this.#parts.tell(`The setting belay.tools.disabled could not be written: ${String(error)}`);
      return;
    }
    const elsewhere = [found?.workspaceValue, found?.workspaceFolderValue].flatMap(
      (value) => value ?? [],
    );
    const kept = switched.filter(({ name, on }) => on && elsewhere.includes(name));
    if (kept.length > 0) {
      const names = kept.map(({ name }) => name).join(', ');
      this.#parts.tell(`${names} stays off: the settings of this workspace switch it off.`);
    }
    this.#changed.fire();
  }
}

function moduleItem(module: ToolModule): vscode.TreeItem {
  const item = new vscode.TreeItem(module.name, vscode.TreeItemCollapsibleState.Expanded);
  item.id = module.name;
  item.description = moduleNote(module);
  item.checkboxState = boxOf(module.tools.some(({ state }) => state !== 'off'));
  return item;
}

function toolItem(row: ToolRow): vscode.TreeItem {
  const item = new vscode.TreeItem(row.name);
  item.id = `${row.module}/${row.name}`;
  item.description = toolNote(row);
  item.tooltip = `${row.description}\n\nModule ${row.module} · level ${row.level} · ${toolNote(row)}`;
  // Without it the whole tooltip would be read out.
  item.accessibilityInformation = { label: `${row.name}, ${toolNote(row)}` };
  item.checkboxState = boxOf(row.state !== 'off');
  return item;
}

const boxOf = (on: boolean): vscode.TreeItemCheckboxState =>
  on ? vscode.TreeItemCheckboxState.Checked : vscode.TreeItemCheckboxState.Unchecked;
