import type { JsonObject } from '../../domain/json.ts';
import { objectsIn, textIn } from './display-fields.ts';

/** What a call is named from several of its arguments; what is absent is taken from the tool's face. */
export interface Naming {
  readonly icon?: string;
  readonly title?: string;
  readonly subject?: string;
}

/** What is done to files, by the kind of operation. */
const OPERATIONS: Readonly<Record<string, Required<Pick<Naming, 'icon' | 'title'>>>> = {
  create_folder: { icon: 'new-folder', title: 'Create folder' },
  rename: { icon: 'arrow-right', title: 'Move' },
  copy: { icon: 'copy', title: 'Copy' },
  delete: { icon: 'trash', title: 'Delete' },
};

/** The icons that a naming can bring. */
export const NAMING_ICONS: readonly string[] = Object.values(OPERATIONS).map(({ icon }) => icon);

/** The icon of one operation on files. */
export const operationIcon = (kind: string): string =>
  Object.hasOwn(OPERATIONS, kind) ? (OPERATIONS[kind]?.icon ?? 'files') : 'files';

/** "Move a.ts → b.ts", "Delete a.ts, b.ts", "Change files a.ts, b.ts". */
export function operated(input: JsonObject): Naming {
  const operations = objectsIn(input, 'operations');
  const [first] = operations;
  const kind = first === undefined ? '' : textIn(first, 'kind');
  const alike = operations.every((operation) => textIn(operation, 'kind') === kind);
  const known = alike && Object.hasOwn(OPERATIONS, kind) ? OPERATIONS[kind] : undefined;
  const [one] = operations.length === 1 ? operations : [];
  const to = one === undefined ? '' : textIn(one, 'to');
  return {
    ...known,
    ...(to === '' ? {} : { subject: `${textIn(one ?? {}, 'path')} → ${to}` }),
  };
}

/** The files that a patch names, in either of its formats. */
export function patched(input: JsonObject): Naming {
  const patch = textIn(input, 'patch');
  const names = [
    ...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gmu),
    ...patch.matchAll(/^\+\+\+ (?:b\/)?([^\t\n]+)/gmu),
  ].flatMap(([, name]) => (name === undefined || name === '/dev/null' ? [] : [name.trim()]));
  return { subject: [...new Set(names)].join(', ') };
}

/** The step that is worked on. */
export function planned(input: JsonObject): Naming {
  const items = objectsIn(input, 'items');
  const active = items.find((item) => textIn(item, 'status') === 'active');
  return { subject: active === undefined ? '' : textIn(active, 'text') };
}

/** The first question, and how many more there are. */
export function asked(input: JsonObject): Naming {
  const more = objectsIn(input, 'more').length;
  const question = textIn(input, 'question');
  return more === 0 ? {} : { subject: `${question} (and ${more} more)` };
}

/** "git log main..topic src/a.ts" */
export function inspected(input: JsonObject): Naming {
  const action = textIn(input, 'action');
  const about = [textIn(input, 'ref'), textIn(input, 'path')].filter((text) => text !== '');
  if (action === 'message') return { title: 'Changes for a commit message', subject: '' };
  return action === '' ? {} : { title: `git ${action}`, subject: about.join(' ') };
}

/** Without a task they are listed. */
export function tasked(input: JsonObject): Naming {
  return Object.hasOwn(input, 'task') ? {} : { title: 'List tasks' };
}
