import type { CustomCommand, Customization, Skill } from './customization.ts';
import {
  type FileProblem,
  type FrontMatter,
  ignoredFields,
  readFrontMatter,
  textOf,
} from './front-matter.ts';

/** A file as it was found, before it is understood. */
export type FoundFile = Pick<Customization, 'path' | 'source' | 'state' | 'why'> & {
  /** After its file or folder. */
  readonly name: string;
  /** `undefined`: it was not read. */
  readonly content: string | undefined;
};

/** Characters of a description that are shown, and given to the model. */
const LONGEST_DESCRIPTION = 400;
const LONGEST_NAME = 64;

const SKILL_FIELDS = new Set(
  `name description disable-model-invocation user-invocable license metadata compatibility version
   author argument-hint`.split(/\s+/u),
);
const COMMAND_FIELDS = new Set(['name', 'description', 'argument-hint', 'category', 'tags']);

export function readSkill(file: FoundFile): Skill {
  const head = readFrontMatter(file.content ?? '');
  const description = shortDescription(head);
  const nothing: FileProblem[] =
    file.content !== undefined && description === ''
      ? [{ line: null, kind: 'no_description', about: '' }]
      : [];
  return {
    ...common(file, head, [...nothing, ...ignoredFields(head, SKILL_FIELDS)]),
    kind: 'skill',
    description,
    offered: description !== '' && textOf(head, 'disable-model-invocation') !== 'true',
    invocable: textOf(head, 'user-invocable') !== 'false',
  };
}

export function readCommand(file: FoundFile): CustomCommand {
  const head = readFrontMatter(file.content ?? '');
  const line = (file.content ?? '').split('\n').findIndex((one) => RUNS.test(one));
  const runs: FileProblem[] = line < 0 ? [] : [{ line: line + 1, kind: 'not_run', about: '!' }];
  const first = head.body.split('\n', 1)[0]?.replace(/^#+\s*/u, '') ?? '';
  return {
    ...common(file, head, [...runs, ...ignoredFields(head, COMMAND_FIELDS)]),
    kind: 'command',
    description: oneLine(textOf(head, 'description') || first).slice(0, LONGEST_DESCRIPTION),
    hint: oneLine(textOf(head, 'argument-hint')).slice(0, LONGEST_NAME),
  };
}

/** A command line that other clients run before they send: here it is text. */
export const RUNS = /(?:^|\s)!`[^`]+`/u;

/** The fields that every kind of file has. */
export function common(file: FoundFile, head: FrontMatter, problems: readonly FileProblem[]) {
  const { path, source, state, why } = file;
  const name = plainName(textOf(head, 'name')) || plainName(file.name) || 'unnamed';
  return {
    path,
    source,
    state,
    why,
    name,
    text: head.body,
    problems: [...head.problems, ...problems],
  };
}

export const shortDescription = (head: FrontMatter): string =>
  oneLine(textOf(head, 'description')).slice(0, LONGEST_DESCRIPTION);

/** A name as it can be typed behind `/`. */
export function plainName(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{N}_.:-]+/gu, '-')
    .replaceAll(/^-+|-+$/gu, '')
    .slice(0, LONGEST_NAME);
}

export const oneLine = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();
