import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

export interface MenuItem<Value> {
  readonly value: Value;
  readonly label: string;
  readonly description?: string;
  /** The key that does the same. */
  readonly keys?: string;
  readonly icon?: string;
  /** Why it cannot be chosen now; it can still be reached and read. */
  readonly disabled?: string;
}

interface MenuProps<Value> {
  /** Name for screen readers, and the title. */
  readonly label: string;
  readonly items: readonly MenuItem<Value>[];
  /** The chosen one; absent: the items are commands. */
  readonly selected?: Value;
  /** The list is shown: what it has may be read anew. */
  readonly onOpen?: () => void;
  readonly onPick: (value: Value) => void;
  /** The button's content. */
  readonly children: ComponentChildren;
  readonly class?: string;
  readonly disabled?: boolean;
  /** Shown above the items. */
  readonly heading?: string;
}

/**
 * A button with a list: the browser's own popover, placed beside the button, closed by Esc or a
 * click elsewhere, walked through with the arrow keys and by first letters.
 */
export function Menu<Value extends string>(props: MenuProps<Value>): ComponentChildren {
  const { label, items, selected, onPick, children, disabled = false, heading } = props;
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const opened = (open: boolean): void => {
    if (!open) return;
    props.onOpen?.();
    const { current } = list;
    const item =
      current?.querySelector<HTMLElement>('[aria-checked="true"]') ??
      current?.querySelector<HTMLElement>('.item');
    item?.focus();
  };
  const pick = ({ value, disabled: why = '' }: MenuItem<Value>): void => {
    if (why !== '') return;
    list.current?.hidePopover();
    onPick(value);
  };
  return (
    <div class="menu">
      <button
        type="button"
        class={`menu-button ${props.class ?? ''}`}
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        disabled={disabled}
        popovertarget={id}
      >
        {children}
      </button>
      <div
        id={id}
        ref={list}
        class="menu-list"
        popover="auto"
        role="menu"
        aria-label={label}
        onToggle={(event) => opened(event.newState === 'open')}
        onKeyDown={(event) => walk(event, list.current)}
      >
        {heading !== undefined && <div class="menu-heading">{heading}</div>}
        {items.map((item) => (
          <button
            type="button"
            key={item.value}
            class="item"
            role={selected === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={selected === undefined ? undefined : item.value === selected}
            tabIndex={-1}
            aria-disabled={(item.disabled ?? '') === '' ? undefined : true}
            onClick={() => pick(item)}
          >
            <Icon
              name={
                selected === undefined
                  ? (item.icon ?? 'blank')
                  : item.value === selected
                    ? 'check'
                    : 'blank'
              }
            />
            <span class="words">
              <span class="label">{item.label}</span>
              {item.description !== undefined && (
                <span class="description">{item.description}</span>
              )}
            </span>
            {item.keys !== undefined && <kbd>{item.keys}</kbd>}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Moves the focus within a list of items. */
function walk(event: KeyboardEvent, list: HTMLElement | null): void {
  const items = [...(list?.querySelectorAll<HTMLElement>('.item') ?? [])];
  const at = items.findIndex((item) => item === document.activeElement);
  const next = target(event, items, at);
  if (next === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}

function target(
  event: KeyboardEvent,
  items: readonly HTMLElement[],
  at: number,
): HTMLElement | undefined {
  const { length } = items;
  switch (event.key) {
    case 'ArrowDown':
      return items[(at + 1) % length];
    case 'ArrowUp':
      return items[(at - 1 + length) % length];
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    default: {
      if (
        event.key.length !== 1 ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.key === ' '
      )
        return undefined;
      const letter = event.key.toLowerCase();
      const order = [...items.slice(at + 1), ...items.slice(0, at + 1)];
      return order.find((item) =>
        item.querySelector('.label')?.textContent?.toLowerCase().startsWith(letter),
      );
    }
  }
}
