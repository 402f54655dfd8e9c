import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { usePanel } from '../../panel.ts';
import { isComposing } from '../../keyboard/composition.ts';

interface TitleInputProps {
  readonly sessionId: string;
  readonly title: string;
  readonly onDone: () => void;
}

/** A session's title to be changed: Enter or leaving it saves, Esc does not. */
export function TitleInput({ sessionId, title, onDone }: TitleInputProps): ComponentChildren {
  const panel = usePanel();
  const [draft, setDraft] = useState(title);
  const [saving, setSaving] = useState(false);
  const save = async (): Promise<void> => {
    if (saving) return;
    const name = draft.trim();
    if (name === '' || name === title) {
      onDone();
      return;
    }
    setSaving(true);
    const done = await panel.host.ask('renameSession', { sessionId, title: name });
    // A typed title stays when it could not be saved.
    if (done === undefined) setSaving(false);
    else onDone();
  };
  return (
    <input
      class="title-input"
      value={draft}
      maxLength={200}
      aria-label={l10n.t('Title of the session')}
      ref={(element) => {
        if (element !== null && document.activeElement !== element) element.select();
      }}
      onInput={(event) => setDraft(event.currentTarget.value)}
      onBlur={() => void save()}
      onKeyDown={(event) => {
        if (isComposing(event) || (event.key !== 'Enter' && event.key !== 'Escape')) return;
        event.preventDefault();
        event.stopPropagation();
        if (event.key === 'Enter') void save();
        else onDone();
      }}
    />
  );
}
