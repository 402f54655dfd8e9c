import * as l10n from '@vscode/l10n';
import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { Find } from '../../find.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { KEYS } from '../../keyboard/platform.ts';
import { IconButton } from '../elements/button.tsx';
import { isComposing } from '../../keyboard/composition.ts';

/** Milliseconds of typing that belong together, and between two looks at an answer that grows. */
const PAUSE = 80;
const AGAIN = 700;

/** The field to find something in the conversation. */
export function FindBar(): ComponentChildren {
  const panel = usePanel();
  return panel.conversation.find.open.value ? <Bar panel={panel} /> : null;
}

function Bar({ panel }: { readonly panel: Panel }): ComponentChildren {
  const { find } = panel.conversation;
  const field = useRef<HTMLInputElement>(null);
  const typing = useRef<number>(undefined);
  const back = useRef<Element | null>(document.activeElement);
  const focus = find.focus.value;
  useLayoutEffect(() => field.current?.select(), [focus]);
  useEffect(() => () => clearTimeout(typing.current), []);
  useFollow(panel);
  const close = (): void => {
    find.close();
    if (back.current instanceof HTMLElement && back.current.isConnected) back.current.focus();
    if (document.activeElement === document.body) panel.input.focus.value += 1;
  };
  const look = (): void => {
    clearTimeout(typing.current);
    typing.current = window.setTimeout(() => void find.refresh(find.origin()), PAUSE);
  };
  return (
    <div
      class="find"
      role="search"
      aria-label={l10n.t('Find in the conversation')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event)) return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      <input
        ref={field}
        type="text"
        value={find.query.value}
        placeholder={l10n.t('Find in messages')}
        title={l10n.t('Messages are searched, loaded or not; what tools returned is not.')}
        aria-label={l10n.t('Find')}
        maxLength={500}
        onInput={(event) => {
          find.query.value = event.currentTarget.value;
          look();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event)) return;
          event.preventDefault();
          event.stopPropagation();
          find.step(event.shiftKey ? -1 : 1);
        }}
      />
      <Count find={find} />
      <IconButton
        icon="case-sensitive"
        label={l10n.t('Match case')}
        pressed={find.matchCase.value}
        onClick={() => {
          find.matchCase.value = !find.matchCase.value;
          void find.refresh(find.origin());
        }}
      />
      <IconButton
        icon="arrow-up"
        label={l10n.t('Previous ({0})', KEYS.previous)}
        onClick={() => find.step(-1)}
      />
      <IconButton
        icon="arrow-down"
        label={l10n.t('Next ({0})', KEYS.send)}
        onClick={() => find.step(1)}
      />
      <IconButton icon="close" label={l10n.t('Close (Esc)')} onClick={close} />
    </div>
  );
}

function Count({ find }: { readonly find: Find }): ComponentChildren {
  const { total, position } = find.count;
  const none = find.query.value.trim() !== '' && total === 0;
  return (
    <span class={`find-count ${none ? 'is-none' : ''}`} role="status">
      {none
        ? l10n.t('None')
        : total === 0
          ? ''
          : l10n.t('{0} of {1}', position === 0 ? '?' : position, total)}
    </span>
  );
}

/** Looks again when the conversation becomes another, and while an answer grows. */
function useFollow(panel: Panel): void {
  const { conversation, store } = panel;
  const { find } = conversation;
  const { id, run } = store.session;
  useSignalEffect(() => {
    void id.value;
    void store.transcript.entries.value;
    if (run.value.phase === 'idle') {
      void find.refresh();
      return undefined;
    }
    const timer = setInterval(() => void find.refresh(), AGAIN);
    return () => clearInterval(timer);
  });
}
