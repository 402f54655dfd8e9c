import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { QuestionView } from '../../../src/protocol/view.ts';
import { usePanel } from '../../panel.ts';
import { Button } from '../elements/button.tsx';
import { later } from '../elements/later.tsx';
import { useArmed } from './gate.ts';
import { useInView } from './in-view.ts';
import { isComposing } from '../../keyboard/composition.ts';

const ServerRequest = later(
  async () => (await import('../server/server-request.tsx')).ServerRequest,
);

/** A question of the model, or what a server asks for. */
export function Question({ question }: { readonly question: QuestionView }): ComponentChildren {
  const { request } = question;
  if (request === null) return <ModelQuestion question={question} />;
  return <ServerRequest question={question} request={request} />;
}

/** A question of the model, with its choices and room for another answer. */
function ModelQuestion({ question }: { readonly question: QuestionView }): ComponentChildren {
  const panel = usePanel();
  const card = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [answered, setAnswered] = useState(false);
  const wanted = panel.questions.focus.value;
  useLayoutEffect(() => {
    if (wanted > 0) card.current?.focus();
  }, [wanted]);
  const { questionId, choices, several } = question;
  // A paused budget has no call, and is answered with one of its choices only.
  const isBudget = question.callId === '';
  const armed = useArmed(questionId);
  useInView(card, questionId);
  /** The answer sent: the picked choices in their order, and the own words. */
  const own = [...choices.filter((choice) => picked.includes(choice)), text.trim()]
    .filter((line) => line !== '')
    .join('\n');
  const answer = async (given: string): Promise<boolean> => {
    if (given === '' || answered) return false;
    setAnswered(true);
    const done = await panel.host.ask('answerQuestion', { questionId, text: given });
    if (done === undefined) setAnswered(false);
    return done !== undefined;
  };
  useEffect(() => {
    panel.questions.answers.set(questionId, async (more) => answer(`${own}\n${more}`.trim()));
  });
  useEffect(() => () => void panel.questions.answers.delete(questionId), [questionId]);
  return (
    <div
      class="question"
      ref={card}
      tabIndex={-1}
      role="group"
      aria-label={l10n.t('Question')}
      data-question={questionId}
    >
      <p>{question.question}</p>
      {choices.length > 0 && (
        <div class={`choices${several ? ' is-several' : ''}`}>
          {choices.map((choice, index) =>
            several ? (
              <label key={choice}>
                <input
                  type="checkbox"
                  disabled={answered}
                  checked={picked.includes(choice)}
                  onChange={({ currentTarget: { checked } }) =>
                    setPicked((before) =>
                      checked ? [...before, choice] : before.filter((one) => one !== choice),
                    )
                  }
                />
                {choice}
              </label>
            ) : (
              <Button
                key={choice}
                kind={isBudget && index === 0 ? 'primary' : 'secondary'}
                disabled={answered || !armed}
                onClick={() => void answer(choice)}
              >
                {choice}
              </Button>
            ),
          )}
        </div>
      )}
      {!isBudget && (
        <OwnAnswer
          text={text}
          placeholder={choices.length > 0 ? l10n.t('Something else…') : l10n.t('Your answer')}
          disabled={answered}
          isEmpty={own === ''}
          onText={setText}
          onAnswer={() => void answer(own)}
        />
      )}
    </div>
  );
}

interface OwnAnswerProps {
  readonly text: string;
  readonly placeholder: string;
  readonly disabled: boolean;
  /** Neither a choice is picked nor anything written. */
  readonly isEmpty: boolean;
  readonly onText: (text: string) => void;
  readonly onAnswer: () => void;
}

/** Room for an answer in the user's own words. */
function OwnAnswer(props: OwnAnswerProps): ComponentChildren {
  const { text, placeholder, disabled, isEmpty, onText, onAnswer } = props;
  return (
    <div class="own-answer">
      <textarea
        rows={1}
        value={text}
        disabled={disabled}
        placeholder={placeholder}
        aria-label={l10n.t('Your answer')}
        onInput={(event) => onText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
          event.preventDefault();
          event.stopPropagation();
          onAnswer();
        }}
      />
      <Button kind="primary" disabled={disabled || isEmpty} onClick={onAnswer}>
        {l10n.t('Answer')}
      </Button>
    </div>
  );
}
