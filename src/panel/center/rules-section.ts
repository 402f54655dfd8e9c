import { placedText, ruleText, sourceText } from '../../core/permissions/rules/rule-text.ts';
import { inWords, told } from '../../domain/text/told.ts';
import * as l10n from '@vscode/l10n';
import { type Json, type JsonObject, isJsonObject } from '../../domain/data/json.ts';
import type { Permissions } from '../../core/permissions/permissions.ts';
import type { Mode, Tool } from '../../core/tool-call/tool-call.ts';
import { fault } from '../../domain/failure.ts';
import { MODE_WORDS } from '../../domain/permissions/permission-mode.ts';
import { readRule } from '../../core/permissions/rules/read-rule.ts';
import type { KnownRule, PermissionRule } from '../../domain/permissions/permission-rule.ts';
import type { RuleRow, RulesView, RuleTestView } from '../../protocol/permission-view.ts';
import type { PanelRules } from '../services.ts';

export interface RulesSectionParts {
  readonly permissions: Pick<Permissions, 'rules' | 'decide'>;
  readonly tools: () => Promise<readonly Tool[]>;
  readonly roots: () => readonly string[];
  readonly modeOf: (sessionId: string) => Mode;
}

/** The rules for their section, and the answer to "what would happen with …". */
export class RulesSection implements PanelRules {
  readonly #parts: RulesSectionParts;

  constructor(parts: RulesSectionParts) {
    this.#parts = parts;
  }

  async list(sessionId: string | null): Promise<RulesView> {
    const { permissions, tools, roots } = this.#parts;
    const { rules, notes } = await permissions.rules.list(sessionId ?? undefined, roots());
    const offered = await tools();
    return {
      rows: rules.map(rowOf),
      notes: notes.map(inWords),
      mayChange: permissions.rules.mayChange,
      tools: offered.map(({ name }) => name),
      folder: roots()[0] ?? null,
    };
  }

  async add(raw: unknown): Promise<void> {
    await this.#parts.permissions.rules.add([ruleOf(raw)]);
  }

  async remove(sessionId: string | null, raw: readonly unknown[]): Promise<void> {
    for (const one of raw)
      await this.#parts.permissions.rules.remove(ruleOf(one), sessionId ?? undefined);
  }

  async switch(raw: unknown, off: boolean): Promise<void> {
    await this.#parts.permissions.rules.switch(ruleOf(raw), off);
  }

  async test(sessionId: string | null, name: string, argument: string): Promise<RuleTestView> {
    const { permissions, tools, roots, modeOf } = this.#parts;
    const tool = (await tools()).find((one) => one.name === name);
    const mode = modeOf(sessionId ?? '');
    if (tool === undefined)
      return {
        verdict: 'refuse',
        mode,
        rule: null,
        reason: l10n.t('There is no tool {0} here.', name),
      };
    const decision = await permissions
      .decide(tool, {
        part: { type: 'tool_call', id: '', name, input: inputFor(tool, argument) },
        context: { sessionId: sessionId ?? '', roots: roots() },
      })
      .catch((error: unknown) => {
        const message = told`What ${name} would do with this cannot be told. Give its arguments as a JSON object.`;
        throw fault('invalid', message, { cause: error });
      });
    const { rule } = decision;
    const said =
      decision.verdict === 'allow' ? undefined : decision.reasons?.map(inWords).join(' ');
    return {
      verdict: decision.verdict,
      mode,
      rule: rule === undefined ? null : inWords(placedText(rule)),
      reason: said ?? withoutReason(decision.verdict, mode, rule),
    };
  }
}

function withoutReason(verdict: string, mode: Mode, rule: KnownRule | undefined): string {
  if (rule !== undefined) return l10n.t('The rule decides.');
  return verdict === 'allow'
    ? l10n.t('In mode {0} this needs no question.', l10n.t(MODE_WORDS[mode].name))
    : l10n.t('In mode {0} this is asked, and no rule decides it.', l10n.t(MODE_WORDS[mode].name));
}

function rowOf(known: KnownRule): RuleRow {
  const { rule, origin } = known;
  const idle = rule.off === true || (origin === 'workspace' && rule.effect === 'allow');
  return { rule, origin, source: inWords(sourceText(known)), text: inWords(ruleText(rule)), idle };
}

function ruleOf(raw: unknown): PermissionRule {
  const read = readRule(raw);
  if ('rule' in read) return read.rule;
  throw fault('invalid', told`${read.problem} Nothing was changed.`);
}

/** Arguments that people name by their value alone, in the order in which a tool is looked at. */
const NAMED = ['command', 'path', 'paths', 'url', 'query', 'pattern'];

/** The call that a person means: the argument where the tool takes it, what else it needs empty. */
function inputFor(tool: Tool, argument: string): JsonObject {
  const text = argument.trim();
  const schema = tool.inputSchema as {
    readonly properties?: Readonly<Record<string, JsonObject>>;
    readonly required?: readonly string[];
  };
  const properties = schema.properties ?? {};
  const needed = Object.fromEntries(
    (schema.required ?? []).map((name) => [name, emptyOf(properties[name])]),
  );
  const given = text.startsWith('{') ? objectIn(text) : undefined;
  const own = NAMED.filter((name) => Object.hasOwn(properties, name));
  const guesses =
    given === undefined
      ? [
          ...own.map((name) => ({ ...needed, [name]: text })),
          ...NAMED.map((name) => ({ [name]: text })),
        ]
      : [given, { ...needed, ...given }];
  for (const guess of guesses) {
    const checked = tool.check(guess);
    if ('input' in checked) return checked.input;
  }
  return guesses[0] ?? needed;
}

function emptyOf(schema: JsonObject | undefined): Json {
  switch (schema?.['type']) {
    case 'array':
      return [];
    case 'object':
      return {};
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    default:
      return '';
  }
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
