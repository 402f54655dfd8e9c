import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Tool } from '../../../src/core/tool-call/tool-call.ts';
import type { LocalPages } from '../../support/web/local-pages.ts';

/** Where a case happens, and what makes its files and commands its own. */
export interface Place {
  readonly workspace: string;
  /** A folder beside the workspace. */
  readonly outside: string;
  readonly id: number;
  readonly pages: LocalPages;
}

/** A kind of question: the call that it is about, and how the world tells whether it happened. */
export interface AskedCall {
  readonly prepare?: (place: Place) => void;
  /** A program that runs in the background before the question. */
  readonly program?: string;
  /** `program`: its id. */
  readonly call: (place: Place, program?: string) => readonly [tool: string, input: unknown];
  readonly happened: (place: Place) => boolean;
  /** Tells the rule that a yes can be kept as. */
  readonly keeps?: RegExp;
}

/** A tool of a server: it makes the file that it is given. */
export const HUB_TOOL: Tool = {
  name: 'hub__make',
  description: 'Makes a file.',
  inputSchema: { type: 'object', properties: { file: { type: 'string' } } },
  sideEffects: true,
  level: 'user',
  module: 'hub',
  permission: 'execute',
  server: 'hub',
  serverTool: 'make',
  hash: 'h1',
  check: (input) => ({ input }),
  run: async ({ file }) => {
    if (typeof file === 'string') writeFileSync(file, 'made by the server');
    return { content: [{ type: 'text', text: 'made' }] };
  },
};

const at = ({ workspace }: Place, name: string): string => path.join(workspace, name);

/** Every kind of call that a person is asked about. */
export const ASKED_CALLS: Readonly<Record<string, AskedCall>> = {
  'a command': {
    call: ({ id }) => ['run_command', { command: `touch ran-${id}` }],
    happened: (place) => existsSync(at(place, `ran-${place.id}`)),
    keeps: /"command":"touch ran-/u,
  },
  'a command that no rule can allow': {
    call: ({ id }) => ['run_command', { command: `touch "$(printf odd-${id})"` }],
    happened: (place) => existsSync(at(place, `odd-${place.id}`)),
  },
  'input to a program in the background': {
    program: 'read -r name && touch "$name"',
    call: ({ id }, program) => [
      'background_command',
      { action: 'write', id: program, input: `written-${id}` },
    ],
    happened: (place) => existsSync(at(place, `written-${place.id}`)),
  },
  'the tests of the project': {
    prepare: (place) =>
      writeFileSync(
        at(place, 'package.json'),
        JSON.stringify({ name: 'x', scripts: { test: `touch tested-${place.id}` } }),
      ),
    call: () => ['run_tests', {}],
    happened: (place) => existsSync(at(place, `tested-${place.id}`)),
  },
  'an edit outside the workspace': {
    call: ({ outside, id }) => [
      'write_file',
      { path: path.join(outside, `new-${id}.txt`), content: 'one\ntwo\n' },
    ],
    happened: ({ outside, id }) => existsSync(path.join(outside, `new-${id}.txt`)),
    keeps: /"path":".*new-/u,
  },
  'an edit of configuration that is run': {
    call: ({ id }) => ['write_file', { path: `.husky/pre-push-${id}`, content: 'npm test\n' }],
    happened: (place) => existsSync(at(place, `.husky/pre-push-${place.id}`)),
  },
  'an operation on whole files': {
    prepare: ({ outside, id }) => writeFileSync(path.join(outside, `old-${id}.txt`), 'old'),
    call: ({ outside, id }) => [
      'manage_files',
      { operations: [{ kind: 'delete', path: path.join(outside, `old-${id}.txt`) }] },
    ],
    happened: ({ outside, id }) => !existsSync(path.join(outside, `old-${id}.txt`)),
  },
  'a patch of several files': {
    call: ({ id }) => [
      'apply_patch',
      {
        patch: `*** Begin Patch\n*** Add File: .husky/a-${id}\n+a\n*** Add File: .husky/b-${id}\n+b\n*** End Patch`,
      },
    ],
    happened: (place) =>
      existsSync(at(place, `.husky/a-${place.id}`)) &&
      readFileSync(at(place, `.husky/b-${place.id}`), 'utf8') === 'b\n',
  },
  'a tool of a server': {
    call: ({ outside, id }) => ['hub__make', { file: path.join(outside, `hub-${id}`) }],
    happened: ({ outside, id }) => existsSync(path.join(outside, `hub-${id}`)),
    keeps: /"server":"hub","serverTool":"make"/u,
  },
  'a page of the web': {
    call: ({ pages, id }) => ['fetch_url', { url: pages.at(`/page-${id}`) }],
    happened: ({ pages, id }) => pages.seen.some(({ url }) => url === `/page-${id}`),
  },
};
