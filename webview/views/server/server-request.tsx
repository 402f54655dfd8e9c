import type { ComponentChildren } from 'preact';
import type { QuestionView } from '../../../src/protocol/view.ts';
import { ServerForm } from './form.tsx';
import { PageOffer } from './page-offer.tsx';

/** A question of a server: values for a form, or that a page is opened. */
export function ServerRequest({
  question,
  request,
}: {
  readonly question: QuestionView;
  readonly request: NonNullable<QuestionView['request']>;
}): ComponentChildren {
  return request.kind === 'form' ? (
    <ServerForm question={question} request={request} />
  ) : (
    <PageOffer question={question} request={request} />
  );
}
