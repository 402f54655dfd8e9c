import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { imageSize } from '../../src/core/model-call/image-size.ts';
import { toolResultsOf } from '../../src/domain/message.ts';
import { IsolatedPictureScaler } from '../../src/hosts/node/pictures/picture-scaler.ts';
import { png } from '../faults/png.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import type { WireRequest } from '../support/model-server/turn.ts';

/** The pictures of a request. */
const pictures = (body: WireRequest | undefined): readonly string[] =>
  [...JSON.stringify(body).matchAll(/"media_type":"image\/\w+","data":"([^"]+)"/g)].map(
    ([, data = '']) => data,
  );

const widths = (body: WireRequest | undefined): readonly (number | undefined)[] =>
  pictures(body).map((data) => imageSize(data)?.width);

describe('stories of pictures', function () {
  this.timeout(60_000);

  it('a large attachment and one that is read go to the model made smaller; the record keeps them, and nothing is sent twice in two forms', async () => {
    const data = png(3000, 1500);
    await using test = await TestEngine.open({
      script: inOrder(calls(call('read_file', { path: 'shot.png' })), say('Seen.'), say('Again.')),
      host: { pictures: new IsolatedPictureScaler() },
    });
    await writeFile(path.join(test.workspace, 'shot.png'), Buffer.from(png(2000, 2000), 'base64'));
    const attachment = { id: 'a', name: 'wide.png', mediaType: 'image/png', size: 9, data };
    const { id: sessionId } = await test.engine.agent.sessions.create();
    await test.engine.agent.send(sessionId, { text: 'Look.', attachments: [attachment] });
    await test.engine.agent.runs.settled(sessionId);
    assert.deepEqual(widths(test.server.requests[0]?.body), [1568]);
    assert.deepEqual(widths(test.server.requests[1]?.body), [1568, 1568]);
    await test.engine.agent.send(sessionId, { text: 'And now?' });
    await test.engine.agent.runs.settled(sessionId);
    // The mark of the prompt cache apart, what was sent before is sent again.
    const [first, second] = [1, 2].map((at) => pictures(test.server.requests[at]?.body).join());
    assert.ok(second === first);
    const messages = await test.messages(sessionId);
    assert.ok(
      messages.some(({ parts }) => parts.some((one) => one.type === 'binary' && one.data === data)),
    );
    const [read] = messages.flatMap(toolResultsOf);
    assert.ok(
      read?.content.some((part) => part.type === 'binary' && part.data === png(2000, 2000)),
    );
  });
});
