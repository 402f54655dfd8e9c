import assert from 'node:assert/strict';
import { call, calls, say } from '../support/model-server/turn.ts';
import { editing, edits, reads, running, runs, writing } from './model.ts';
import { openUser, type User } from './user.ts';

const touch = [runs('touch made.txt'), say('Done.')];

describe('approvals', function () {
  this.timeout(60_000);

  it('show a command exactly as it would run, and nothing runs before Allow', async () => {
    await using user = await openUser({ model: touch, mode: 'ask' });
    await user.send('Make it.');
    assert.equal(user.card().detail, 'touch made.txt');
    assert.equal(await user.exists('made.txt'), false);
    await user.allow();
    assert.equal(await user.exists('made.txt'), true);
  });

  it('that I deny run nothing, and the agent is told my reason', async () => {
    await using user = await openUser({ model: touch, mode: 'ask' });
    await user.send('Make it.');
    await user.deny('Use another name.');
    assert.equal(await user.exists('made.txt'), false);
    assert.match(user.modelWasSent(), /Use another name\./u);
  });

  it('that I deny cancel the calls of the turn that have not started, and the agent goes on', async () => {
    const both = calls(running('touch made.txt'), running('touch second.txt'));
    await using user = await openUser({ model: [both, say('I see.')], mode: 'ask' });
    await user.send('Make both.');
    await user.deny();
    await user.sees(/I see\./u);
    assert.equal(await user.exists('second.txt'), false);
  });

  it('are not needed for commands that only read', async () => {
    const model = [runs('cat a.txt | head -n 1'), say('It says one.')];
    await using user = await openUser({ files: { 'a.txt': 'one\n' }, model });
    await user.send('What does it say?');
    await user.sees(/It says one\./u);
  });

  it('are needed in mode Edit for commands that run code of the project', async () => {
    const files = { 'make.sh': 'touch made.txt\n' };
    await using user = await openUser({ files, model: [runs('sh make.sh'), say('Done.')] });
    await user.send('Make it.');
    assert.equal(user.card().detail, 'sh make.sh');
    assert.equal(await user.exists('made.txt'), false);
  });

  it('count only for what was shown: an answer to another card is refused', async () => {
    await using user = await openUser({ model: touch, mode: 'ask' });
    await user.send('Make it.');
    await assert.rejects(user.allowOther({ ...user.card(), hash: 'other' }), /look at it again/u);
    assert.equal(await user.exists('made.txt'), false);
  });

  it('allowed for the session are not asked again in it, and again in another session', async () => {
    const again = [runs('mkdir -p made'), say('Again.')];
    await using user = await openUser({ model: [...again, ...again, ...again], mode: 'ask' });
    await user.send('Make it.');
    await user.allow('session');
    await user.send('Once more.');
    await user.sees(/Once more.*Again\./su);
    await user.newSession();
    await user.send('And here.');
    assert.equal(user.card().detail, 'mkdir -p made');
    await user.deny();
  });

  it('allowed for the project are not asked again in it, as the card said', async () => {
    const again = [runs('mkdir -p made'), say('Again.')];
    await using user = await openUser({ model: [...again, ...again], mode: 'ask' });
    await user.send('Make it.');
    assert.match(user.card().keep.join(' '), /mkdir -p made/u);
    await user.allow('project');
    await user.newSession();
    await user.send('And here.');
    await user.sees(/And here.*Again\./su);
    assert.deepEqual(user.rules, []);
  });

  it('end when I stop the run, and nothing is done', async () => {
    await using user = await openUser({
      model: [runs('touch made.txt'), say('Here.')],
      mode: 'ask',
    });
    await user.send('Make it.');
    await user.stop();
    assert.throws(() => user.card(), /No approval/u);
    await user.send('Are you there?');
    await user.sees(/Here\./u);
    assert.equal(await user.exists('made.txt'), false);
  });

  it('are asked again after a restart, and the command runs once', async () => {
    const model = [runs('echo made >> made.txt'), say('Done.')];
    const first = await openUser({ model, mode: 'ask' });
    await first.send('Make it.');
    await using user = await first.restart([say('Done.')]);
    await user.resume();
    await user.allow();
    assert.equal(await user.text('made.txt'), 'made\n');
  });

  it('are needed for files that other programs run or obey, also in mode Edit', async () => {
    const model = [calls(writing('Makefile', 'all:\n\ttrue\n')), say('Done.')];
    await using user = await openUser({ model });
    await user.send('Make a Makefile.');
    assert.match(user.card().title, /Makefile/u);
    assert.equal(await user.exists('Makefile'), false);
    await user.allow();
    assert.equal(await user.exists('Makefile'), true);
  });

  it('are needed for places outside of the workspace', async () => {
    await using user = await openUser({ model: [reads('/etc/hostname'), say('Done.')] });
    await user.send('Read it.');
    assert.match(user.card().detail, /\/etc\/hostname/u);
    await user.deny();
  });

  it('are needed for files of secrets', async () => {
    const files = { '.env': 'TOKEN=abc\n' };
    await using user = await openUser({ files, model: [reads('.env'), say('Done.')] });
    await user.send('Read it.');
    assert.match(user.card().detail, /\.env/u);
    await user.deny();
    assert.doesNotMatch(user.modelWasSent(), /TOKEN=abc/u);
  });
});

describe('modes and rules', function () {
  this.timeout(60_000);

  const tries = [
    reads('a.txt'),
    calls(editing('a.txt', ['one', 'ONE']), running('touch made.txt')),
    say('I may not.'),
  ];
  const seesNothingDone = async (user: User): Promise<void> => {
    await user.send('Change it.');
    await user.sees(/I may not\./u);
    assert.equal(await user.text('a.txt'), 'one\n');
    assert.equal(await user.exists('made.txt'), false);
  };

  it('Read changes no file and runs nothing that does', async () => {
    await using user = await openUser({ files: { 'a.txt': 'one\n' }, model: tries, mode: 'read' });
    await seesNothingDone(user);
  });

  it('Plan changes no file and runs nothing that does', async () => {
    await using user = await openUser({ files: { 'a.txt': 'one\n' }, model: tries, mode: 'plan' });
    await seesNothingDone(user);
  });

  it('a change of the mode counts from the next call on', async () => {
    const edit = edits('a.txt', ['one', 'ONE']);
    const model = [reads('a.txt'), edit, say('No.'), edit, say('Yes.')];
    await using user = await openUser({ files: { 'a.txt': 'one\n' }, model, mode: 'read' });
    await user.send('Change it.');
    await user.chooseMode('edit');
    await user.send('Now.');
    assert.equal(await user.text('a.txt'), 'ONE\n');
  });

  it('Auto runs what my rules allow and asks about the rest', async () => {
    const rules = [{ effect: 'allow', command: 'touch made.txt' }];
    const model = [runs('touch made.txt'), runs('sh make.sh'), say('Done.')];
    const settings = { 'permissions.rules': rules };
    const files = { 'make.sh': 'true\n' };
    await using user = await openUser({ files, model, mode: 'auto', settings });
    await user.send('Make both.');
    assert.equal(await user.exists('made.txt'), true);
    assert.equal(user.card().detail, 'sh make.sh');
    await user.deny();
  });

  it('a rule that denies wins over one that allows, in every mode', async () => {
    const rules = ['allow', 'deny'].map((effect) => ({ effect, command: 'touch made.txt' }));
    const settings = { 'permissions.rules': rules };
    await using user = await openUser({ model: touch, mode: 'auto', settings });
    await user.send('Make it.');
    await user.sees(/Done\./u);
    assert.equal(await user.exists('made.txt'), false);
  });

  it('a rule that asks about a path asks in mode Edit, too', async () => {
    const rules = [{ effect: 'ask', path: 'migrations/**', access: 'write' }];
    const model = [calls(writing('migrations/1.sql', 'drop')), say('Done.')];
    await using user = await openUser({ model, settings: { 'permissions.rules': rules } });
    await user.send('Migrate.');
    assert.match(user.card().title, /migrations\/1\.sql/u);
    await user.deny();
    assert.equal(await user.exists('migrations/1.sql'), false);
  });

  it('rules of the workspace only make things stricter', async () => {
    const rules = { rules: [{ effect: 'allow', command: 'touch made.txt' }] };
    const files = { '.belay/permissions.json': JSON.stringify(rules) };
    await using user = await openUser({ files, model: touch, mode: 'ask' });
    await user.send('Make it.');
    assert.equal(user.card().detail, 'touch made.txt');
    await user.deny();
  });

  it('in a workspace that I do not trust Belay only reads', async () => {
    const world = { files: { 'a.txt': 'one\n' }, model: tries, mode: 'auto' } as const;
    await using user = await openUser({ ...world, trusted: false });
    await seesNothingDone(user);
  });

  it('the agent asks a question and goes on with my answer', async () => {
    const ask = calls(call('ask_human', { question: 'Which?', choices: ['red', 'blue'] }));
    await using user = await openUser({ model: [ask, say('As you like.')] });
    await user.send('Paint it.');
    await user.answer('blue');
    await user.sees(/As you like\./u);
    assert.match(user.modelWasSent(), /blue/u);
  });
});
