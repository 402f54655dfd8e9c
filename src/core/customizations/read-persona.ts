import { told, type Told } from '../../domain/text/told.ts';
import { wordsOf } from '../../domain/text/words.ts';
import { isJsonObject } from '../../domain/data/json.ts';
import type { Level } from '../tool-call/tool-call.ts';
import type { Field, FileProblem, FrontMatter } from './front-matter.ts';
import { ignoredFields, listOf, readFrontMatter, textOf } from './front-matter.ts';
import type { Persona } from './persona.ts';
import { type FoundFile, common, shortDescription } from './read-files.ts';

const LEVELS: readonly Level[] = ['guest', 'user', 'admin', 'owner'];

/** Spellings of a field; the first is ours. */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  modules: ['modules', 'allowed_modules', 'allowedModules', 'allowed-modules'],
  maxTokens: ['maxTokens', 'max_tokens', 'max-tokens'],
  topP: ['topP', 'top_p', 'top-p'],
};

/** Those of the second line are other clients', without a meaning for what a persona may do. */
const FIELDS = new Set([
  ...wordsOf(`name description model tools level temperature prompt default instructions
    argument-hint target color version author license`),
  ...Object.values(SPELLINGS).flat(),
]);

/** Things that a persona of the workspace must not say. */
export interface PersonaRules {
  /** True for a model of one of the person's providers. */
  readonly knowsModel: (name: string) => boolean;
}

/** Understands a file of a persona; what it cannot say here is a problem, and has no effect. */
export function readPersona(file: FoundFile, rules: PersonaRules): Persona {
  return personaOf(file, readFrontMatter(file.content ?? ''), rules, file.source);
}

/** A persona of the person's settings. */
export function settingPersona(raw: unknown, index: number, rules: PersonaRules): Persona {
  const given = isJsonObject(raw) ? raw : {};
  const problems: FileProblem[] = isJsonObject(raw)
    ? []
    : [{ line: index + 1, kind: 'not_understood', about: JSON.stringify(raw).slice(0, 60) }];
  const fields = new Map<string, Field>(
    Object.entries(given).flatMap(([key, value]): readonly (readonly [string, Field])[] => {
      const line = index + 1;
      const isText = typeof value === 'string';
      if (key === 'instructions') {
        if (isText) return [];
      } else if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
        return [[key, { value, line }]];
      } else if (isText || typeof value === 'number' || typeof value === 'boolean') {
        return [[key, { value: String(value), line }]];
      }
      problems.push({ line, kind: 'bad_value', about: key });
      return [];
    }),
  );
  const { instructions } = given;
  const body = typeof instructions === 'string' ? instructions.trim() : '';
  const file = { path: '', source: 'user', state: 'on', why: '', content: body } as const;
  const name = `persona-${index + 1}`;
  return personaOf({ ...file, name }, { fields, body, problems }, rules, 'settings');
}

/** Tells what is ignored in the setting `personas`. Models are not checked: they may not be known yet. */
export function personaProblems(personas: readonly unknown[]): readonly Told[] {
  return personas.flatMap((raw, index) => {
    const { name, problems } = settingPersona(raw, index, { knowsModel: () => true });
    return problems.map(({ kind, about }) => {
      if (kind === 'not_understood')
        return told`belay.personas: ${about} is not a persona, and is ignored.`;
      if (kind === 'ignored')
        return told`belay.personas: ${name} has an unknown field ${about}, which is ignored.`;
      return about === 'level'
        ? told`belay.personas: the level of ${name} is not one of ${LEVELS.join(', ')}, so guest is used.`
        : told`belay.personas: ${about} of ${name} has a wrong value, which is ignored.`;
    });
  });
}

function personaOf(
  file: FoundFile,
  head: FrontMatter,
  rules: PersonaRules,
  source: Persona['source'],
): Persona {
  const problems: FileProblem[] = [];
  const isTheirs = source === 'workspace';
  const complain = (kind: FileProblem['kind'], name: string, about = name): undefined => {
    problems.push({ line: head.fields.get(spelt(head, name))?.line ?? null, kind, about });
  };
  const number = (name: string, least: number, most: number): number | undefined => {
    const text = textOf(head, spelt(head, name));
    if (text === '') return undefined;
    const value = Number(text);
    return value >= least && value <= most ? value : complain('bad_value', name);
  };
  const replaces = textOf(head, 'prompt') === 'replace';
  if (!['', 'replace', 'extend'].includes(textOf(head, 'prompt'))) complain('bad_value', 'prompt');
  if (replaces && isTheirs) complain('narrows_only', 'prompt');
  const model = textOf(head, 'model');
  const isKnown = model === '' || rules.knowsModel(model);
  if (!isKnown) complain('no_model', 'model', model);
  const level = levelOf(head);
  if (level === undefined && head.fields.has('level')) complain('bad_value', 'level');
  const place = textOf(head, 'default');
  const isPlace = !isTheirs || ['', 'true', 'false'].includes(place);
  if (!isPlace) complain('narrows_only', 'default');
  const maxTokens = number('maxTokens', 1, 10_000_000);
  const limits = {
    tools: listOf(head, 'tools'),
    modules: listOf(head, spelt(head, 'modules')),
    maxTokens: maxTokens === undefined ? undefined : Math.floor(maxTokens),
    // A level that is not understood must not leave more than was meant.
    level: level ?? (head.fields.has('level') ? ('guest' as const) : undefined),
    temperature: number('temperature', 0, 2),
    topP: number('topP', 0, 1),
  };
  return {
    ...common(file, head, [...problems, ...ignoredFields(head, FIELDS)]),
    kind: 'persona',
    source,
    description: shortDescription(head),
    replaces: replaces && !isTheirs,
    model: isKnown ? model : '',
    ...given(limits),
    default: isPlace && place !== 'false' ? place : '',
  };
}

function levelOf(head: FrontMatter): Level | undefined {
  const text = textOf(head, 'level');
  return LEVELS.find((one) => one === text);
}

/** The spelling of a field that a head has. */
const spelt = (head: FrontMatter, name: string): string =>
  SPELLINGS[name]?.find((one) => head.fields.has(one)) ?? name;

type Given<Fields> = { readonly [Name in keyof Fields]?: NonNullable<Fields[Name]> };

function given<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given<Fields>;
}
