import * as l10n from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import type {
  BudgetAnswer,
  BudgetPerson,
  BudgetPorts,
  BudgetStop,
} from '../core/budget/budget-gate.ts';
import { BudgetGate } from '../core/budget/budget-gate.ts';
import { amountWords, dollars, periodWords, resetWords } from '../core/budget/budget-words.ts';
import { settingOf } from '../core/budget/caps.ts';
import type { BudgetOptions } from '../core/model-call/wrappers/budget.ts';
import type { HumanQuestion } from '../core/ports/person/human.ts';
import type { Catalog } from '../providers/catalog/catalog.ts';
import type { ModelNames } from '../providers/instance.ts';
import type { Store } from '../store/store.ts';
import type { EngineHost } from './engine-host.ts';

/** The gate of a person's budgets, and how they are asked about them. */
export function composeBudget(
  host: EngineHost,
  {
    store,
    catalog,
    names,
    payer,
  }: {
    readonly store: Pick<Store, 'person' | 'ids'>;
    readonly catalog: Catalog;
    readonly names: ModelNames;
    readonly payer: BudgetPorts['payer'];
  },
): { readonly gate: BudgetGate; readonly nextKey: BudgetOptions['nextKey'] } {
  const { settings, clock, log } = host;
  const gate = new BudgetGate({
    settings,
    clock,
    log,
    records: store.person,
    person: budgetPerson(host, store),
    modelOf: (name) => {
      const model = catalog.lookup(name);
      // Where no key is needed nobody sends a bill.
      const isFree = model.prices === undefined && names.addressOf(name).instance.key === undefined;
      return isFree ? { ...model, prices: FREE } : model;
    },
    cacheTtl: () => settings('model.cacheTtl'),
    payer,
  });
  return { gate, nextKey: randomUUID };
}

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** A choice on the card of a paused run, and what follows. */
interface Choice {
  readonly label: string;
  readonly answer: BudgetAnswer;
  readonly act?: () => Promise<void>;
}

function budgetPerson({ person }: EngineHost, { ids }: Pick<Store, 'ids'>): BudgetPerson {
  const { human, showBudget } = person;
  return {
    failure: (stop) => ({ code: 'budget', message: explain(stop), details: detailsOf(stop) }),
    warning: (near) =>
      sentences(
        l10n.t(
          '{0} of {1} are used {2}.',
          amountWords(near.used, near),
          amountWords(near.limit, near),
          periodWords(near),
        ),
        resetWords(near),
        l10n.t('The setting belay.{0} raises it.', settingOf(near)),
      ),
    ask: async (stop, { sessionId, runId, emit }, signal) => {
      const choices = choicesOf(stop, showBudget);
      const id = ids.next('question');
      const question: HumanQuestion = {
        id,
        sessionId,
        runId,
        callId: '',
        question: explain(stop),
        choices: choices.map(({ label }) => label),
        unattended: `Change it with --set ${'cap' in stop ? settingOf(stop.cap) : 'SETTING'}=VALUE and run it again with --resume.`,
      };
      emit({ type: 'agent_run.waiting', for: 'question', questionId: id });
      const text = await human
        .ask(question, signal)
        .finally(() => emit({ type: 'agent_run.answered', questionId: id }));
      const chosen = choices.find(({ label }) => label === text.trim());
      await chosen?.act?.();
      return chosen?.answer ?? 'again';
    },
  };
}

function choicesOf(
  stop: BudgetStop,
  showBudget: EngineHost['person']['showBudget'],
): readonly Choice[] {
  const choices: Choice[] = [];
  if (stop.kind === 'cap') {
    const more = increment(stop);
    choices.push({
      label: l10n.t('Continue (+{0})', amountWords(more, stop.cap)),
      answer: { more },
    });
  }
  if (stop.kind === 'unchecked')
    choices.push(
      { label: l10n.t('Try again'), answer: 'again' },
      { label: l10n.t('Go On Without Budgets'), answer: 'without' },
    );
  if (stop.kind === 'unpriced')
    choices.push({ label: l10n.t('Go On Without This Cap'), answer: 'without' });
  if ('cap' in stop && showBudget !== undefined) {
    const { cap } = stop;
    choices.push({
      label: l10n.t('Change Limit…'),
      answer: 'again',
      act: async () => showBudget(settingOf(cap)),
    });
  }
  return [...choices, { label: l10n.t('Stop'), answer: 'stop' }];
}

/** The cap once more, or what the next request needs beyond the cap, rounded up to two digits. */
function increment({ cap, needed }: Extract<BudgetStop, { kind: 'cap' }>): number {
  const need = { cost: needed.cost, tokens: needed.tokens, minutes: 0 }[cap.unit];
  const wanted = Math.max(cap.limit, cap.used + need - cap.limit);
  const step = 10 ** (Math.floor(Math.log10(wanted)) - 1);
  const amount = Number((Math.ceil(wanted / step - 1e-9) * step).toPrecision(2));
  return cap.unit === 'tokens' ? Math.ceil(amount) : amount;
}

/** Explains why nothing was sent, with the cap and what the next request needs. */
function explain(stop: BudgetStop): string {
  switch (stop.kind) {
    case 'cap':
      return sentences(usedWords(stop), resetWords(stop.cap));
    case 'unchecked':
      return l10n.t(
        'Your budgets cannot be checked, so nothing was sent. Everything is kept. {0}',
        stop.reason,
      );
    case 'unpriced':
      return l10n.t(
        'Nobody knows the price of {0}, so the budget of {1} cannot be checked, and nothing was sent. Everything is kept. Name its price in the setting belay.model.catalog, or choose another model.',
        stop.model,
        amountWords(stop.cap.limit, stop.cap),
      );
    default:
      return stop satisfies never;
  }
}

const sentences = (...all: readonly string[]): string => all.filter((one) => one !== '').join(' ');

function usedWords({ cap, needed }: Extract<BudgetStop, { kind: 'cap' }>): string {
  const need =
    cap.unit === 'cost' ? dollars(needed.cost) : amountWords(needed.tokens, { unit: 'tokens' });
  const values = [amountWords(cap.used, cap), amountWords(cap.limit, cap), need] as const;
  switch (cap.period) {
    case 'run':
      return l10n.t(
        'This run has used {0} of its limit of {1}. The next request needs about {2}.',
        ...values,
      );
    case 'session':
      return l10n.t(
        'This session has used {0} of its limit of {1}. The next request needs about {2}.',
        ...values,
      );
    case 'day':
      return l10n.t(
        'You have used {0} of today’s limit of {1}. The next request needs about {2}.',
        ...values,
      );
    case 'month':
      return l10n.t(
        'You have used {0} of this month’s limit of {1}. The next request needs about {2}.',
        ...values,
      );
    default:
      return cap.period satisfies never;
  }
}

function detailsOf(stop: BudgetStop): Record<string, number | string> {
  if (stop.kind === 'unchecked') return {};
  const { period, unit, limit } = stop.cap;
  const { used, resetsAt } = stop.kind === 'cap' ? stop.cap : {};
  return {
    period,
    unit,
    limit,
    ...(used === undefined ? {} : { used }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
  };
}
