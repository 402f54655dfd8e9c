import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { CommandGroupView } from '../../src/protocol/review-view.ts';
import { count, plural } from '../../src/domain/text/language.ts';
import { usePanel } from '../panel.ts';
import { ago } from '../texts/words.ts';
import { IconButton } from '../views/elements/button.tsx';
import { FileName } from '../views/elements/file-name.tsx';
import { DockRow, type RowProps, useFold } from '../views/dock/dock-row.tsx';
import { Icon } from '../views/elements/icon.tsx';
import { Note } from './note.tsx';

/** Changes during commands: a row that unfolds into the commands, and each of these into its files. */
export function DuringCommands({ more }: RowProps): ComponentChildren {
  const fold = useFold('during');
  const groups = usePanel().store.review.value.during;
  return (
    <DockRow
      name={l10n.t('Changed during commands')}
      class="during"
      fold={fold}
      label={l10n.t('Changed during commands')}
      preview={groups[0]?.line}
      more={more}
    >
      {fold.isOpen && (
        <div class="dock-body">
          {groups.map((group) => (
            <Command key={group.id} group={group} />
          ))}
        </div>
      )}
    </DockRow>
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
      <div class="dock-head">
        <button
          type="button"
          class="dock-label"
          aria-expanded={isOpen}
          title={line}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
          <code class="dock-name">{line}</code>
          <span class="dock-preview">
            <span>{count(total, 'file')}</span>
            <time>{ago(at, store.clock.now())}</time>
          </span>
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
            <li key={path} class="dock-item">
              <FileName name={name} class="dock-name" />
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
