import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { AttachmentView } from '../../../src/protocol/requests.ts';
import { usePanel } from '../../panel.ts';
import { size, tokens } from '../../texts/words.ts';
import { IconButton } from '../elements/button.tsx';
import { Icon } from '../elements/icon.tsx';

interface ChipsProps {
  readonly chips: readonly AttachmentView[];
  readonly onRemove: (chip: AttachmentView) => void;
}

/** The things that go along with the message: files, and what it mentions. */
export function Chips({ chips, onRemove }: ChipsProps): ComponentChildren {
  if (chips.length === 0) return null;
  return (
    <div class="chips" role="group" aria-label={l10n.t('Goes along with the message')}>
      {chips.map((chip) => (
        <span
          class="chip"
          key={chip.id}
          onKeyDown={(event) => {
            if (event.key !== 'Backspace' && event.key !== 'Delete') return;
            event.preventDefault();
            event.stopPropagation();
            onRemove(chip);
          }}
        >
          <Chip chip={chip} />
          <IconButton
            icon="close"
            label={l10n.t('Remove {0}', chip.mention?.label ?? chip.name)}
            onClick={() => onRemove(chip)}
          />
        </span>
      ))}
    </div>
  );
}

function Chip({ chip }: { readonly chip: AttachmentView }): ComponentChildren {
  const panel = usePanel();
  const { mention } = chip;
  if (mention !== undefined)
    return (
      <button
        type="button"
        class="chip-face"
        title={l10n.t('Open {0}', mention.detail)}
        onClick={() => panel.host.do('openMention', { mention })}
      >
        <Icon name={mention.icon} />
        <span class="name">{mention.label}</span>
        {mention.tokens !== null && (
          <span class="quiet">{l10n.t('about {0}', tokens(mention.tokens))}</span>
        )}
      </button>
    );
  return (
    <span class="chip-face" title={chip.path ?? chip.name}>
      <Icon name={chip.mediaType.startsWith('image/') ? 'file-media' : 'file'} />
      <span class="name">{chip.name}</span>
      <span class="quiet">{size(chip.size)}</span>
    </span>
  );
}
