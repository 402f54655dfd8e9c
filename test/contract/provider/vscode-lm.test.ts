import assert from 'node:assert/strict';
import { callContext, message, modelRequest, outcomeOf, user } from '../../support/model-call.ts';
import { FakeEditorModels } from '../../support/fake-editor-models.ts';
import { editorModelsContract, editorProvider, TOOLS } from './editor-models-contract.ts';

editorModelsContract('the fake', () => new FakeEditorModels());

describe('models of the editor, what is sent', () => {
  const guarded = modelRequest({ model: 'sample-guarded/guarded', messages: [user('Hello')] });

  it('no system role, results with their calls by ids that servers take, the request’s reason', async () => {
    const editor = new FakeEditorModels();
    const provider = await editorProvider(editor);
    await outcomeOf(provider.call, {
      ...modelRequest({ model: 'sample/helpful', tools: TOOLS }),
      system: ['Rules.', 'More.'],
      messages: [
        user('Go'),
        message('assistant', [
          {
            type: 'reasoning',
            text: 'of another',
            replay: { instance: 'a', wire: 'messages', model: 'b', data: {} },
          },
          { type: 'tool_call', id: 'toolu_1', name: 'look', input: { path: 'a' } },
          { type: 'tool_call', id: 'an id with spaces', name: 'look', input: {} },
        ]),
        message('tool', [
          {
            type: 'tool_result',
            callId: 'toolu_1',
            name: 'look',
            state: 'failed',
            content: [{ type: 'text', text: 'no' }],
          },
          {
            type: 'tool_result',
            callId: 'an id with spaces',
            name: 'look',
            state: 'done',
            content: [],
          },
        ]),
      ],
    });
    const [sent] = editor.sent;
    assert.deepEqual(
      sent?.messages.map(({ role, parts }) => [role, parts.map(({ type }) => type)]),
      [
        ['user', ['text']],
        ['user', ['text']],
        ['assistant', ['call', 'call']],
        ['user', ['result', 'result', 'text']],
      ],
    );
    assert.deepEqual(sent?.messages[0]?.parts, [{ type: 'text', text: 'Rules.\n\nMore.' }]);
    const [calls, results] = [sent?.messages[2]?.parts, sent?.messages[3]?.parts];
    const made = calls?.[1]?.type === 'call' ? calls[1].id : '';
    assert.match(made, /^bly_\w+$/u);
    assert.deepEqual(results, [
      { type: 'result', callId: 'toolu_1', text: '[failed] no' },
      { type: 'result', callId: made, text: '(no output)' },
      { type: 'text', text: 'Continue.' },
    ]);
    assert.match(sent?.justification ?? '', /Belay sends your messages/u);
  });

  it('at most 128 tools, and none that has a name no model takes; both are said', async () => {
    const editor = new FakeEditorModels();
    const provider = await editorProvider(editor);
    const tools = Array.from({ length: 130 }, (_, index) => ({
      ...TOOLS[0],
      name: `tool_${index}`,
    }));
    const { events } = await outcomeOf(provider.call, {
      ...modelRequest({ model: 'sample/helpful' }),
      tools: [...tools, { ...TOOLS[0], name: 'no good' }],
    });
    assert.equal(editor.sent[0]?.tools.length, 128);
    const told = events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    assert.match(told.join('\n'), /"no good" was left out[\s\S]*the first 128/u);
  });

  it('a model without tools reads calls and results as text', async () => {
    const editor = new FakeEditorModels();
    await outcomeOf((await editorProvider(editor)).call, {
      ...modelRequest({ model: 'sample/plain' }),
      messages: [
        user('Go'),
        message('assistant', [{ type: 'tool_call', id: 'a', name: 'look', input: { path: 'x' } }]),
        message('tool', [
          {
            type: 'tool_result',
            callId: 'a',
            name: 'look',
            state: 'done',
            content: [{ type: 'text', text: 'seen' }],
          },
        ]),
      ],
    });
    const types = editor.sent[0]?.messages.flatMap(({ parts }) => parts.map(({ type }) => type));
    assert.deepEqual([...new Set(types)], ['text']);
    assert.match(JSON.stringify(editor.sent[0]?.messages), /used look with .*look answered.*seen/u);
  });

  it('security: consent is asked once for calls side by side, and its no answers all of them', async () => {
    const editor = new FakeEditorModels();
    const answer = Promise.withResolvers<boolean>();
    editor.consent = () => answer.promise;
    const { call } = await editorProvider(editor);
    const both = Promise.all([outcomeOf(call, guarded), outcomeOf(call, guarded)]);
    await new Promise((resolve) => setImmediate(resolve));
    answer.resolve(false);
    for (const { failure } of await both) {
      assert.equal(failure?.code, 'permission');
      assert.match(
        failure.message,
        /answered with no.*nothing was sent.*send again to be asked again/u,
      );
    }
    assert.deepEqual([editor.questions, editor.sent.length], [1, 0]);
    const title = await outcomeOf(call, guarded, { ...callContext(), purpose: 'title' });
    assert.deepEqual([title.failure?.code, editor.questions], ['permission', 1]);
    editor.consent = () => Promise.resolve(true);
    assert.ok((await outcomeOf(call, guarded)).answer);
    assert.ok((await outcomeOf(call, guarded)).answer);
    assert.equal(editor.questions, 2);
  });

  it('D4: a run is stopped while the question for consent is open', async () => {
    const editor = new FakeEditorModels();
    editor.consent = () => new Promise(() => undefined);
    const { call } = await editorProvider(editor);
    const stop = new AbortController();
    const ended = outcomeOf(call, guarded, callContext(stop.signal));
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    assert.equal((await ended).failure?.code, 'canceled');
  });
});
