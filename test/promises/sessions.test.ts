import assert from 'node:assert/strict';
import { say } from '../support/model-server/turn.ts';
import { runs } from './model.ts';
import { openUser } from './user.ts';
import { eventually } from './waiting.ts';

const waiting = runs('touch made.txt');

describe('messages', function () {
  this.timeout(60_000);

  it('sent while the agent is at work wait in a queue and are answered in their order', async () => {
    const model = [waiting, say('First.'), say('Second.'), say('Third.')];
    await using user = await openUser({ model, mode: 'ask' });
    await user.send('One?');
    await user.begin('Two?');
    await user.begin('Three?');
    assert.deepEqual(user.queue(), ['Two?', 'Three?']);
    await user.allow();
    await user.sees(/First\..*Two\?.*Second\..*Three\?.*Third\./su);
  });

  it('in the queue can be changed and taken out', async () => {
    const model = [waiting, say('First.'), say('Second.')];
    await using user = await openUser({ model, mode: 'ask' });
    await user.send('One?');
    await user.begin('Two?');
    await user.begin('Three?');
    await user.editQueued('Two?', 'Two, please?');
    await user.removeQueued('Three?');
    await eventually('the queue is shown', () => user.queue().length === 1);
    await user.allow();
    await user.sees(/First\..*Two, please\?.*Second\./su);
    assert.doesNotMatch(user.conversation(), /Three\?/u);
  });

  it('in the queue are held when I stop the run, and go when I send them', async () => {
    await using user = await openUser({ model: [waiting, say('Second.')], mode: 'ask' });
    await user.send('One?');
    await user.begin('Two?');
    await user.stop();
    assert.deepEqual(user.queue(), ['Two?']);
    await user.sendQueued();
    await user.sees(/Two\?.*Second\./su);
  });

  it('that steer reach the agent in the same run, after the step at hand', async () => {
    const model = [waiting, say('As you say.'), say('Too late.')];
    await using user = await openUser({ model, mode: 'ask' });
    await user.send('One?');
    await user.begin('Mind the gap.', 'steer');
    await user.allow();
    await user.sees(/Mind the gap\..*As you say\./su);
  });

  it('that stop and send go first, before what is queued', async () => {
    const model = [waiting, say('At once.'), say('Later.')];
    await using user = await openUser({ model, mode: 'ask' });
    await user.send('One?');
    await user.begin('Two?');
    await user.begin('Now!', 'stop_and_send');
    await user.sees(/Now!.*At once\./su);
    assert.equal(await user.exists('made.txt'), false);
  });
});

describe('sessions', function () {
  this.timeout(60_000);

  it('are there after a restart with their conversation, and go on', async () => {
    const first = await openUser({ model: [say('Hello.')] });
    await first.send('Good morning.');
    await using user = await first.restart([say('I remember.')]);
    await user.sees(/Hello\./u);
    await user.send('Do you remember?');
    assert.match(user.modelWasSent(), /Good morning\./u);
  });

  it('are renamed, and keep the name', async () => {
    const first = await openUser({ model: [say('Hello.')] });
    await first.send('Good morning.');
    await first.rename('Greetings');
    await using user = await first.restart([say('not asked')]);
    assert.equal(user.title(), 'Greetings');
  });
});
