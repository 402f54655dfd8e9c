import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../rig/processes.ts';

/** A VS Code that takes what it is given and calls nothing back. */
const FAKE = `
  const Module = require('node:module');
  const nothing = { dispose() {} };
  const vscode = {
    Uri: { joinPath: (base, ...parts) => ({ fsPath: [base.fsPath, ...parts].join('/') }) },
    commands: { registerCommand: () => nothing },
    window: {
      registerWebviewViewProvider: () => nothing,
      createTreeView: () => nothing,
      tabGroups: { all: [] },
    },
  };
  const load = Module._load;
  Module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const from = performance.now();
  const light = require(process.argv[1]).activate({
    globalStorageUri: { fsPath: process.argv[2] },
    storageUri: { fsPath: process.argv[2] + '/0123456789abcdef0123456789abcdef/belay.belay' },
    workspaceState: { get: () => undefined },
  });
  const milliseconds = performance.now() - from;
  const bytes = process.memoryUsage().heapUsed - before;
  const sqlite = process.moduleLoadList.some((name) => name.includes('sqlite'));
  console.log(JSON.stringify({ milliseconds, bytes, sqlite, loaded: light.isLoaded() }));
`;

/** What the first step of the built extension takes where nothing waits, its code being read included. */
export interface LightCost {
  readonly milliseconds: number;
  readonly bytes: number;
  /** Whether SQLite was loaded. */
  readonly sqlite: boolean;
  /** Whether anything else of Belay was. */
  readonly loaded: boolean;
}

/** Activates `dist/extension.cjs` once in a process of its own, over a VS Code that does nothing. */
export function lightStart(): LightCost {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'belay-light-'));
  try {
    const extension = path.join(root, 'dist/extension.cjs');
    const out = execFileSync(process.execPath, ['--expose-gc', '-e', FAKE, extension, folder]);
    return JSON.parse(String(out)) as LightCost;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
