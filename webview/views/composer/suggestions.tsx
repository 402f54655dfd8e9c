import type { ComponentChildren } from 'preact';
import type { SlashCommand } from '../../slash.ts';

interface SuggestionsProps {
  readonly commands: readonly SlashCommand[];
  readonly chosen: number;
  readonly onPick: (command: SlashCommand) => void;
}

/** Names of options, so that the input can point at the chosen one. */
export const optionId = (index: number): string => `suggestion-${index}`;

/** Commands that fit what is being typed; walked through from the input. */
export function Suggestions({ commands, chosen, onPick }: SuggestionsProps): ComponentChildren {
  if (commands.length === 0) return null;
  return (
    <div class="suggestions" role="listbox" id="suggestions" aria-label="Commands">
      {commands.map((command, index) => (
        <div
          key={command.name}
          id={optionId(index)}
          class={index === chosen ? 'suggestion is-chosen' : 'suggestion'}
          role="option"
          aria-selected={index === chosen}
          onMouseDown={(event) => {
            // The focus stays in the input.
            event.preventDefault();
            onPick(command);
          }}
        >
          <span>{`/${command.name}`}</span>
          <span class="quiet">{command.description}</span>
        </div>
      ))}
    </div>
  );
}
