import * as l10n from '@vscode/l10n';
import path from 'node:path';
import * as vscode from 'vscode';
import { bytesFromBase64 } from '../../../domain/data/base64.ts';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import type { ResourceToOpen } from '../../../panel/services.ts';

const SCHEME = 'belay-resource';
/** Documents kept for editors that are open; the oldest go. */
const MOST = 100;
/** Bytes of a document. */
const LARGEST = 20 * 2 ** 20;

const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'application/json': '.json',
  'text/html': '.html',
  'text/markdown': '.md',
  'text/plain': '.txt',
};

export interface ServerResourceParts {
  /** Reads a resource of a server, as the protocol gives it. Rejects with `BelayError`. */
  readonly read: (server: string, uri: string, signal: AbortSignal) => Promise<readonly unknown[]>;
  /** Opens a file of the workspace. */
  readonly openFile: (path: string) => Promise<void>;
  readonly openExternal: (url: string, shown: string) => Promise<void>;
}

/** Milliseconds for a server to give a resource. */
const READ_TIME = 30_000;

/** Resources of MCP servers as documents that can only be read: nothing of them is written to the disk. */
export class ServerResources implements Disposable {
  readonly #parts: ServerResourceParts;
  readonly #files = new Map<string, Uint8Array>();
  readonly #registration: Disposable;
  #count = 0;

  constructor(parts: ServerResourceParts) {
    this.#parts = parts;
    this.#registration = vscode.workspace.registerFileSystemProvider(SCHEME, this.#provider(), {
      isReadonly: true,
      isCaseSensitive: true,
    });
  }

  dispose(): void {
    this.#registration.dispose();
    this.#files.clear();
  }

  /** Opens what came with a result, a file of the workspace, a page with the person's yes, or what the server gives. */
  async open({ server, uri, name, mediaType, text }: ResourceToOpen): Promise<void> {
    if (text !== undefined) return this.#show(name, mediaType, new TextEncoder().encode(text));
    if (/^file:/iu.test(uri)) return this.#parts.openFile(vscode.Uri.parse(uri, true).fsPath);
    if (/^https?:/iu.test(uri)) return this.#parts.openExternal(uri, name);
    const contents = await this.#parts.read(server, uri, AbortSignal.timeout(READ_TIME));
    const found = contents.find((one) => isJsonObject(one));
    const given = found?.['mimeType'];
    const type = typeof given === 'string' ? given : mediaType;
    const { text: body, blob } = found ?? {};
    const bytes =
      typeof body === 'string'
        ? new TextEncoder().encode(body)
        : typeof blob === 'string'
          ? bytesFromBase64(blob)
          : undefined;
    if (bytes === undefined)
      throw fault('not_found', told`The MCP server “${server}” gave nothing for ${uri}.`);
    await this.#show(name, type, bytes);
  }

  async #show(name: string, mediaType: string, bytes: Uint8Array): Promise<void> {
    if (bytes.length > LARGEST) throw fault('invalid', told`“${name}” is too large to be shown.`);
    this.#count += 1;
    const plain = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').slice(-80) || 'resource';
    const ending = path.extname(plain) === '' ? (ENDINGS[mediaType] ?? '.txt') : '';
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.#count}/${plain}${ending}` });
    this.#files.set(uri.path, bytes);
    const [oldest] = this.#files.keys();
    if (this.#files.size > MOST && oldest !== undefined) this.#files.delete(oldest);
    await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
  }

  #provider(): vscode.FileSystemProvider {
    const find = ({ path: at }: vscode.Uri): Uint8Array => {
      const bytes = this.#files.get(at);
      if (bytes === undefined) throw vscode.FileSystemError.FileNotFound(at);
      return bytes;
    };
    const refuse = (): never => {
      throw vscode.FileSystemError.NoPermissions(l10n.t('It can only be read.'));
    };
    return {
      onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
      watch: () => ({ dispose: () => undefined }),
      stat: (uri) => ({
        type: vscode.FileType.File,
        ctime: 0,
        mtime: 0,
        size: find(uri).length,
        permissions: vscode.FilePermission.Readonly,
      }),
      readFile: find,
      readDirectory: () => [],
      createDirectory: refuse,
      writeFile: refuse,
      delete: refuse,
      rename: refuse,
    };
  }
}
