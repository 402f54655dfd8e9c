import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CommandGroupView } from '../../src/protocol/review-view.ts';
import { count, plural } from '../../src/domain/text/language.ts';
import { usePanel } from '../panel.ts';
import { ago } from '../texts/words.ts';
import { IconButton } from '../views/elements/button.tsx';
import { FileName } from '../views/elements/file-name.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { Note } from './note.tsx';

/** Changes during commands: a row for each command, which unfolds into its files. */
export function DuringCommands({
  groups,
}: {
  readonly groups: readonly CommandGroupView[];
}): ComponentChildren {
  return (
    <div class="review-during">
      <h3 class="review-during-title">{l10n.t('Changed during commands')}</h3>
      {groups.map((group) => (
        <Command key={group.id} group={group} />
      ))}
    </div>
  );
}

function Command({ group }: { readonly group: CommandGroupView }): ComponentChildren {
  const { host, store } = usePanel();
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState('');
  const { id, line, at, files, total } = group;
  const undo = async (path: string | null): Promise<void> => {
    const answer = await host.attempt('undoDuring', { id, path });
    setFailure('refused' in answer ? answer.refused : '');
  };
  const hidden = total - files.length;
  return (
    <>
      <div class="review-bar">
        <button
          type="button"
          class="review-show"
          aria-expanded={isOpen}
          title={line}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <code class="review-total">{line}</code>
          <span class="review-count">{count(total, 'file')}</span>
          <time class="review-in">{ago(at, store.clock.now())}</time>
        </button>
        <LinkButton about={line} onClick={() => void undo(null)}>
          {l10n.t('Undo…')}
        </LinkButton>
        <IconButton
          icon="close"
          label={l10n.t('Dismiss')}
          onClick={() => host.do('dismissDuring', { id })}
        />
      </div>
      {failure !== '' && <Note kind="failure" text={failure} onDismiss={() => setFailure('')} />}
      {isOpen && (
        <ul class="review-during-files">
          {files.map(({ path, name }) => (
            <li key={path} class="review-bar">
              <FileName name={name} class="review-total" />
              <LinkButton about={name} onClick={() => void undo(path)}>
                {l10n.t('Undo…')}
              </LinkButton>
            </li>
          ))}
          {hidden > 0 && <li>{plural(hidden, 'and {0} more file', 'and {0} more files')}</li>}
        </ul>
      )}
    </>
  );
}

/** @param about the name of what the button is about, which a screen reader adds to its text */
function LinkButton({
  about,
  onClick,
  children,
}: {
  readonly about: string;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}): ComponentChildren {
  return (
    <button type="button" class="link" title={about} onClick={onClick}>
      {children}
    </button>
  );
}
