import assert from 'node:assert/strict';
import type { FormField } from '../../../src/domain/mcp/form.ts';
import type { ServerRequest } from '../../../src/domain/mcp/server-request.ts';
import { open, S } from './open-panel.ts';

const field: FormField = {
  name: 'name',
  title: 'Name',
  description: '',
  kind: 'text',
  choices: [],
  required: true,
  secret: false,
  limits: { least: 2 },
};
const shown = { server: 'srv', message: 'Who?', warnings: [], hash: 'h' };
const request: ServerRequest = { kind: 'form', fields: [field], ...shown };
const asked = { id: 'x', sessionId: S, runId: 'r', callId: 'c', question: 'Who?', choices: [] };

async function ask() {
  const opened = await open();
  opened.stage.questions.push({ ...asked, request });
  opened.stage.deskChanged();
  return opened;
}

describe('requests of MCP servers in the panel', () => {
  it('an answer is checked once more before it is given', async () => {
    const { mirror, stage } = await ask();
    const answer = async (content: Record<string, string | null>) =>
      mirror.request('answerServer', { questionId: 'x', hash: 'h', action: 'accept', content });
    await assert.rejects(answer({ name: 'A' }), /“Name” must have at least 2 characters/u);
    await assert.rejects(answer({ name: null }), /“Name” is needed/u);
    await assert.rejects(answer({ name: 'Ada', more: 'x' }), /not asked for/u);
    assert.deepEqual(stage.calls, []);
    await answer({ name: 'Ada' });
    assert.deepEqual(stage.calls, ['answer x {"action":"accept","content":{"name":"Ada"}} h']);
  });

  it('what is written is kept while it waits, and forgotten afterwards', async () => {
    const { mirror, stage } = await ask();
    await mirror.request('keepForm', { questionId: 'x', typed: { name: 'Ad' } });
    await mirror.ready();
    assert.deepEqual(stage.panel.session.view.questions[0]?.typed, { name: 'Ad' });
    await mirror.request('answerServer', {
      questionId: 'x',
      hash: 'h',
      action: 'decline',
      content: {},
    });
    stage.questions.push({ ...asked, request });
    stage.deskChanged();
    assert.deepEqual(stage.panel.session.view.questions[0]?.typed, {});
  });
});
