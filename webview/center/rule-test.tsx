import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RuleRow, RuleTestView } from '../../src/protocol/permission-view.ts';
import { Icon } from '../views/elements/icon.tsx';
import { useCenter } from './center.ts';

/** The answer follows when typing pauses this long, in milliseconds. */
const PAUSE = 250;

const VERDICTS = {
  allow: { icon: 'pass', word: l10n.t('Runs without a question.') },
  ask: { icon: 'question', word: l10n.t('You are asked.') },
  refuse: { icon: 'circle-slash', word: l10n.t('Refused.') },
} as const;

interface RuleTestProps {
  readonly tools: readonly string[];
  /** Another list asks anew. */
  readonly rules: readonly RuleRow[];
}

/** "What would happen with …": answered by the code that decides about real calls; nothing is run. */
export function RuleTest({ tools, rules }: RuleTestProps): ComponentChildren {
  const center = useCenter();
  const [tool, setTool] = useState(
    tools.includes('run_command') ? 'run_command' : (tools[0] ?? ''),
  );
  const [argument, setArgument] = useState('');
  const [answer, setAnswer] = useState<RuleTestView | null>(null);
  useEffect(() => {
    if (argument.trim() === '') {
      setAnswer(null);
      return undefined;
    }
    let stale = false;
    const ask = async (): Promise<void> => {
      const told = await center.ask('testRules', { tool, argument });
      if (!stale) setAnswer(told ?? null);
    };
    const timer = setTimeout(() => void ask(), PAUSE);
    return () => {
      stale = true;
      clearTimeout(timer);
    };
  }, [tool, argument, rules]);
  return (
    <section class="rule-test" aria-label={l10n.t('What would happen with')} data-row="rules test">
      <h3>{l10n.t('What would happen with …')}</h3>
      <div class="fields">
        <select
          aria-label={l10n.t('Tool')}
          value={tool}
          onChange={(event) => setTool(event.currentTarget.value)}
        >
          {tools.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <input
          type="text"
          value={argument}
          aria-label={l10n.t('Command, path, address or arguments as JSON')}
          placeholder={l10n.t('a command, a path, an address, or JSON')}
          onInput={(event) => setArgument(event.currentTarget.value)}
        />
      </div>
      <div role="status">
        {answer !== null && (
          <div class={`verdict is-${answer.verdict}`}>
            <Icon name={VERDICTS[answer.verdict].icon} />
            <span class="words">
              <strong>{VERDICTS[answer.verdict].word}</strong>
              {answer.rule !== null && <span>{answer.rule}</span>}
              <span class="quiet">{answer.reason}</span>
            </span>
          </div>
        )}
      </div>
    </section>
  );
}
