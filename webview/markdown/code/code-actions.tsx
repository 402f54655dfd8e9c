import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { BEFORE_CODE } from '../../../src/protocol/code-view.ts';
import { usePanel, type Panel } from '../../panel.ts';
import { IconButton } from '../../views/elements/button.tsx';
import { CopyButton } from '../../views/elements/copy-button.tsx';

/** Languages of what a terminal takes. */
const SHELLS =
  /^(?:sh|bash|zsh|fish|ksh|shell|shellscript|console|terminal|powershell|pwsh|ps1|cmd|bat|batch)$/u;

interface CodeActionsProps {
  readonly text: string;
  /** The info string of the fence. */
  readonly info: string;
  /** The language, in lower case. */
  readonly language: string;
  /** It is still being written: only what is there can be copied. */
  readonly open: boolean;
  /** Buttons that are always visible. */
  readonly children?: ComponentChildren;
}

/** The ways of a code block into the editor, a file, a terminal and the clipboard. */
export function CodeActions({
  text,
  info,
  language,
  open,
  children,
}: CodeActionsProps): ComponentChildren {
  const panel = usePanel();
  const use = (how: 'insert' | 'open' | 'terminal') => (): void =>
    panel.host.do('useCode', { how, text, info: info.slice(0, 500) });
  return (
    <span class="code-actions" role="group" aria-label={l10n.t('Code block')}>
      {!open && (
        <>
          {language === 'mermaid' ? null : SHELLS.test(language) ? (
            <IconButton
              icon="terminal"
              label={l10n.t('Put into a terminal, without running it')}
              onClick={use('terminal')}
            />
          ) : (
            <IconButton
              icon="git-pull-request-go-to-changes"
              label={l10n.t('Apply to a file, as a pending change')}
              onClick={(event) => apply(panel, { text, info }, event.currentTarget)}
            />
          )}
          <IconButton
            icon="insert"
            label={l10n.t('Insert at the cursor')}
            onClick={use('insert')}
          />
          <IconButton
            icon="new-file"
            label={l10n.t('Open in a new editor')}
            onClick={use('open')}
          />
        </>
      )}
      {children}
      <CopyButton text={text} label={l10n.t('Copy code')} />
    </span>
  );
}

function apply(
  panel: Panel,
  { text, info }: Pick<CodeActionsProps, 'text' | 'info'>,
  button: EventTarget | null,
): void {
  const figure = button instanceof Element ? button.closest('figure') : null;
  const sessionId = panel.store.session.id.peek();
  if (figure === null || sessionId === null) return;
  const row = figure.closest<HTMLElement>('[data-message]')?.dataset['message'] ?? '';
  panel.host.do('applyCode', {
    text,
    info: info.slice(0, 500),
    before: textBefore(figure),
    sessionId,
    messageId: panel.store.transcript.requestOf(row) ?? '',
  });
}

/** The end of the answer's text before an element, read when it is asked for. */
function textBefore(element: Element): string {
  const answer = element.closest('.markdown');
  if (answer === null) return '';
  const range = document.createRange();
  range.setStart(answer, 0);
  range.setEndBefore(element);
  return range.toString().slice(-BEFORE_CODE);
}
