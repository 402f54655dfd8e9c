import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { PermissionRule, RuleEffect } from '../../src/domain/permissions/permission-rule.ts';
import { Button } from '../views/elements/button.tsx';
import { isComposing } from '../keyboard/composition.ts';

const SUBJECTS = {
  command: { label: l10n.t('Command'), hint: l10n.t('git push, npm run *') },
  path: { label: l10n.t('Path'), hint: 'src/**, .env, ~/notes/**' },
  host: { label: l10n.t('Host'), hint: 'docs.example.org, *.example.org' },
  server: { label: l10n.t('MCP server'), hint: l10n.t('github, or github/create_issue') },
  tool: { label: l10n.t('Tool'), hint: 'run_command' },
} as const;
type Subject = keyof typeof SUBJECTS;

interface NewRuleProps {
  readonly folder: string | null;
  /** `false`: it was not taken; what was written stays. */
  readonly onAdd: (rule: PermissionRule) => Promise<boolean>;
}

/** A form for a rule; it goes to the person's settings. */
export function NewRule({ folder, onAdd }: NewRuleProps): ComponentChildren {
  const [effect, setEffect] = useState<RuleEffect>('ask');
  const [subject, setSubject] = useState<Subject>('command');
  const [value, setValue] = useState('');
  const [access, setAccess] = useState<'both' | 'read' | 'write'>('both');
  const [here, setHere] = useState(true);
  // A page of VS Code may have no forms: its sandbox keeps their submission back.
  const add = async (): Promise<void> => {
    if (value.trim() === '') return;
    const rule: PermissionRule = {
      effect,
      ...criteria(subject, value.trim()),
      ...(subject === 'path' && access !== 'both' ? { access } : {}),
      ...(here && folder !== null ? { in: inFolder(subject, folder) } : {}),
    };
    if (await onAdd(rule)) setValue('');
  };
  return (
    <section class="new-rule" aria-label={l10n.t('New rule')} data-row="rules new">
      <h3>{l10n.t('New rule')}</h3>
      <div class="fields">
        <select
          aria-label={l10n.t('Effect')}
          value={effect}
          onChange={(event) => setEffect(event.currentTarget.value as RuleEffect)}
        >
          <option value="deny">{l10n.t('Deny')}</option>
          <option value="ask">{l10n.t('Ask')}</option>
          <option value="allow">{l10n.t('Allow')}</option>
        </select>
        <select
          aria-label={l10n.t('What it is about')}
          value={subject}
          onChange={(event) => setSubject(event.currentTarget.value as Subject)}
        >
          {(Object.keys(SUBJECTS) as Subject[]).map((one) => (
            <option key={one} value={one}>
              {SUBJECTS[one].label}
            </option>
          ))}
        </select>
        {subject === 'path' && (
          <select
            aria-label={l10n.t('Access')}
            value={access}
            onChange={(event) => setAccess(event.currentTarget.value as typeof access)}
          >
            <option value="both">{l10n.t('read and change')}</option>
            <option value="read">{l10n.t('read')}</option>
            <option value="write">{l10n.t('change')}</option>
          </select>
        )}
        <input
          type="text"
          value={value}
          aria-label={SUBJECTS[subject].label}
          placeholder={SUBJECTS[subject].hint}
          onInput={(event) => setValue(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !isComposing(event)) void add();
          }}
        />
      </div>
      {folder !== null && (
        <label class="check">
          <input
            type="checkbox"
            checked={here}
            onChange={(event) => setHere(event.currentTarget.checked)}
          />
          <span>{l10n.t('Only in {0}', folder)}</span>
        </label>
      )}
      <div class="approval-buttons">
        <Button kind="primary" disabled={value.trim() === ''} onClick={() => void add()}>
          {l10n.t('Add to my settings')}
        </Button>
        {value !== '' && <Button onClick={() => setValue('')}>{l10n.t('Clear')}</Button>}
      </div>
    </section>
  );
}

function criteria(subject: Subject, value: string): Partial<PermissionRule> {
  if (subject !== 'server') return { [subject]: value };
  const [server = '', ...rest] = value.split('/');
  return rest.length === 0 ? { server } : { server, serverTool: rest.join('/') };
}

/** Commands run in folders below as well, when a person writes the rule. */
function inFolder(subject: Subject, folder: string): string {
  return subject === 'command' ? `${folder}/**` : folder;
}
