import * as l10n from '@vscode/l10n';
import type { CustomCommand, Skill } from '../../../core/customizations/customization.ts';
import type { FoundCustomizations } from '../../../core/customizations/customizations.ts';
import {
  type CommandInput,
  commandInputs,
  fillCommand,
  takesArguments,
} from '../../../core/customizations/fill-command.ts';
import { RUNS } from '../../../core/customizations/read-files.ts';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import { fuzzyScore } from '../../../domain/text/fuzzy-score.ts';
import { MESSAGE_LIMIT } from '../../../protocol/limits.ts';
import type { CommandSource, FilledCommand, ScoredRow } from '../source.ts';
import { argumentText, readLine } from './prompt-line.ts';
import { textIn } from './server-offers.ts';

const MOST = 30;
/** Worth of rows of one command, the first one above. */
const TOP = 1000;

type Own = CustomCommand | Skill;

/** The person's own commands and skills, and those of the workspace: `/review src/a.ts`. */
export function ownCommandSource(found: () => Promise<FoundCustomizations>): CommandSource {
  return {
    id: 'own-command',
    trigger: '/',
    search: async (query) => {
      const all = await found();
      const line = /^(?<name>\S+)\s(?<rest>.*)$/su.exec(query)?.groups;
      if (line === undefined) return [...listRows(query, usable(all)), ...untrustedRow(query, all)];
      const own = usable(all).find(({ name }) => name === line['name']);
      return own === undefined ? [] : argumentRows(own, line['rest'] ?? '', query);
    },
    fill: async (ref) => {
      const read: unknown = JSON.parse(ref);
      if (!isJsonObject(read) || typeof read['own'] !== 'string') return undefined;
      const own = usable(await found()).find(({ path }) => path === read['own']);
      if (own === undefined) throw fault('not_found', told`This command is no longer there.`);
      return filled(own, textIn(read['line']));
    },
  };
}

/** Commands before skills of the same name. */
function usable({ commands, skills }: FoundCustomizations): readonly Own[] {
  const on = [...commands, ...skills.filter(({ invocable }) => invocable)].filter(
    ({ state }) => state === 'on',
  );
  return [...Map.groupBy(on, ({ name }) => name).values()].flatMap(([first]) => first ?? []);
}

function listRows(query: string, all: readonly Own[]): readonly ScoredRow[] {
  const rows = all.flatMap((own): ScoredRow[] => {
    const { name, kind, description, source } = own;
    const score = query === '' ? 0 : fuzzyScore(query, name);
    if (score === undefined) return [];
    const hint = own.kind === 'command' ? own.hint : '';
    const whose = source === 'user' ? l10n.t('your own') : l10n.t('of this workspace');
    const does: ScoredRow['does'] =
      kind === 'skill' || hint !== '' || takesArguments(own.text)
        ? { kind: 'insert', text: `/${name} ` }
        : { kind: 'fill', ref: refOf(own, '') };
    const label = hint === '' ? `/${name}` : `/${name} ${hint}`;
    const detail = [description, whose].filter((one) => one !== '').join(' · ');
    return [{ label, detail, icon: kind === 'skill' ? 'book' : 'note', score, does }];
  });
  return rows.slice(0, MOST);
}

/** Says why commands that a person may look for are not there. */
function untrustedRow(query: string, { commands, skills }: FoundCustomizations): ScoredRow[] {
  const names = [...commands, ...skills].flatMap(({ name, state }) =>
    state === 'untrusted' && name.startsWith(query) ? [`/${name}`] : [],
  );
  if (names.length === 0) return [];
  const label = l10n.t('Commands and skills of this workspace');
  const detail = l10n.t(
    'Not used: the workspace is not trusted. {0}',
    names.slice(0, 5).join(', '),
  );
  return [{ label, detail, icon: 'shield', score: -TOP, does: { kind: 'hint' } }];
}

const refOf = ({ path }: Own, line: string): string => JSON.stringify({ own: path, line });

const inputsOf = (own: Own): readonly CommandInput[] =>
  own.kind === 'command' ? commandInputs(own.text) : [];

/** Values of named arguments; where there is one and it is not named, the whole line. */
function namedIn(inputs: readonly CommandInput[], line: string): Readonly<Record<string, string>> {
  const given = readLine(`/ ${line}`)?.given ?? {};
  const [only, ...others] = inputs;
  const isPlain = only !== undefined && others.length === 0 && given[only.name] === undefined;
  return isPlain && line.trim() !== '' ? { [only.name]: line.trim() } : given;
}

/** Names of arguments that are missing; and the command itself, when it has what it needs. */
function argumentRows(own: Own, line: string, query: string): readonly ScoredRow[] {
  const inputs = inputsOf(own);
  const given = namedIn(inputs, line);
  const missing = inputs.filter(({ name }) => !given[name]);
  const hint = own.kind === 'command' ? own.hint : '';
  if (missing.length === 0) {
    const said = line.trim() || hint || own.description;
    const does = { kind: 'fill', ref: refOf(own, line.trim()) } as const;
    return [{ label: `/${own.name}`, detail: said, icon: 'play', score: TOP, does }];
  }
  const last = readLine(query)?.last;
  const before = readLine(query)?.before ?? `${query} `;
  const rows = missing.flatMap(({ name, said }, index): ScoredRow[] => {
    if (last === undefined || last.argument !== undefined || !name.startsWith(last.text)) return [];
    const does = {
      kind: 'insert',
      text: `/${before}${argumentText(name, '').slice(0, -2)}`,
    } as const;
    const detail = l10n.t('Required. {0}', said);
    return [{ label: name, detail, icon: 'symbol-parameter', score: TOP - index, does }];
  });
  const [next] = missing;
  if (rows.length > 0 || next === undefined) return rows;
  const detail = l10n.t('Is needed. {0}', next.said);
  return [
    { label: next.name, detail, icon: 'symbol-parameter', score: TOP, does: { kind: 'hint' } },
  ];
}

function filled(own: Own, line: string): FilledCommand {
  const text =
    own.kind === 'skill'
      ? `Use the skill "${own.name}"${line === '' ? '.' : `: ${line}`}`
      : fillCommand(own.text, line, namedIn(inputsOf(own), line));
  if (text.length > MESSAGE_LIMIT)
    throw fault(
      'invalid',
      told`This prompt has ${text.length} characters; a message may have ${MESSAGE_LIMIT}.`,
    );
  const note = l10n.t('These are the words of {0}: look at them before you send.', own.path);
  const runs = own.kind === 'command' && RUNS.test(own.text);
  const more = l10n.t('Its command lines (!`…`) are not run: they go as text.');
  return { text, attachments: [], note: runs ? `${note} ${more}` : note };
}
