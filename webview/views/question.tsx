import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { QuestionView } from '../../src/protocol/view.ts';
import { usePanel } from '../panel.ts';
import { Button } from './button.tsx';

/** A question of the model, with its choices and room for another answer. */
export function Question({ question }: { readonly question: QuestionView }): ComponentChildren {
  const panel = usePanel();
  const card = useRef<HTMLDivElement>(null);
  const [text, setText] = useState('');
  const [answered, setAnswered] = useState(false);
  const wanted = panel.focusWaiting.value;
  useEffect(() => {
    if (wanted > 0) card.current?.querySelector<HTMLElement>('button, textarea')?.focus();
  }, [wanted]);
  const answer = async (given: string): Promise<void> => {
    if (given.trim() === '') return;
    setAnswered(true);
    const done = await panel.ask('answerQuestion', {
      questionId: question.questionId,
      text: given,
    });
    if (done === undefined) setAnswered(false);
  };
  return (
    <div
      class="question"
      ref={card}
      role="group"
      aria-label="Question"
      data-question={question.questionId}
    >
      <p>{question.question}</p>
      {question.choices.length > 0 && (
        <div class="choices">
          {question.choices.map((choice) => (
            <Button key={choice} disabled={answered} onClick={() => void answer(choice)}>
              {choice}
            </Button>
          ))}
        </div>
      )}
      <div class="own-answer">
        <textarea
          rows={1}
          value={text}
          disabled={answered}
          placeholder={question.choices.length > 0 ? 'Another answer' : 'Your answer'}
          aria-label="Your answer"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            event.stopPropagation();
            void answer(text);
          }}
        />
        <Button
          kind="primary"
          disabled={answered || text.trim() === ''}
          onClick={() => void answer(text)}
        >
          Answer
        </Button>
      </div>
    </div>
  );
}
