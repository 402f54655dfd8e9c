import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { call, calls, say, type Turn } from '../support/model-server/turn.ts';
import { editing, reads, running } from './model.ts';
import { openUser, type User } from './user.ts';
import { until } from './waiting.ts';

const LINES = 'one\ntwo\nthree\n';
const COMMAND = 'printf "four\\n" >> b.txt; rm gone.txt; printf made > made.txt';
const CHANGED = ['b.txt', 'gone.txt', 'made.txt'];
const files = {
  'a.txt': LINES,
  'b.txt': LINES,
  'c.txt': 'c\n',
  'gone.txt': 'gone\n',
  '.gitignore': '.up\n.go\n',
};

/** A user whose agent edited a.txt and ran a command. */
async function afterCommand({
  command = COMMAND,
  more = {},
  next = [],
}: {
  readonly command?: string;
  readonly more?: Readonly<Record<string, string>>;
  readonly next?: readonly Turn[];
} = {}): Promise<User> {
  const work = calls(editing('a.txt', ['two', 'TWO']), running(command));
  const model = [reads('a.txt'), work, say('Done.'), ...next];
  const user = await openUser({ files: { ...files, ...more }, model, checkpoints: true });
  await user.send('Work.');
  await user.allow();
  return user;
}

/** Runs a command in a terminal of the user, in the workspace. */
const inTerminal = (user: User, command: string): Promise<unknown> =>
  promisify(execFile)('sh', ['-c', command], { cwd: user.workspace });

/** The command says that it runs, and ends when it is told to. */
const WAITING = 'touch .up; until [ -e .go ]; do sleep 0.05; done; rm .up .go';

describe('changes during commands', function () {
  this.timeout(60_000);

  it('are a group of their own, with the command and its files; nothing of them is pending', async () => {
    await using user = await afterCommand();
    await user.during.sees([COMMAND, ...CHANGED]);
    await user.seesPending({ 'a.txt': 1 });
    await using next = await user.restart([]);
    await next.during.sees([COMMAND, ...CHANGED]);
  });

  it('stay with Undo All, also what I did in a terminal and another window meanwhile', async () => {
    await using user = await afterCommand({ next: [calls(running(WAITING)), say('Done.')] });
    await user.during.dismiss(COMMAND);
    await inTerminal(
      user,
      'git init -q && git add c.txt && git -c user.name=n -c user.email=e@e commit -qm first && echo other > c.txt',
    );
    await user.send('Wait.');
    const over = user.allow();
    await until(async () => user.exists('.up'));
    await user.save('b.txt', `${LINES}mine\n`);
    await user.save('new.txt', 'mine\n');
    await inTerminal(user, 'git checkout -q c.txt; touch .go');
    await over;
    await user.during.sees([WAITING, 'b.txt', 'c.txt', 'new.txt']);
    await user.undoAll();
    await user.undoTurn().catch(() => undefined);
    const texts = ['a.txt', 'b.txt', 'new.txt', 'c.txt'].map(async (file) => user.text(file));
    assert.deepEqual(await Promise.all(texts), [LINES, `${LINES}mine\n`, 'mine\n', 'c\n']);
    await user.during.undo(WAITING);
    assert.deepEqual(Object.keys(user.during.preview).toSorted(), ['b.txt', 'c.txt', 'new.txt']);
  });

  it('are undone as a group after a preview of every file, or file by file', async () => {
    await using user = await afterCommand();
    await user.during.sees([COMMAND, ...CHANGED]);
    await user.during.undo(COMMAND, 'b.txt');
    assert.deepEqual(user.during.preview, { 'b.txt': 'restored' });
    await user.during.sees([COMMAND, 'gone.txt', 'made.txt']);
    await user.during.undo(COMMAND);
    assert.deepEqual(user.during.preview, { 'gone.txt': 'restored', 'made.txt': 'restored' });
    await user.during.sees();
    assert.equal(await user.text('b.txt'), LINES);
    assert.equal(await user.text('gone.txt'), 'gone\n');
    assert.equal(await user.exists('made.txt'), false);
    await user.seesPending({ 'a.txt': 1 });
  });

  it('are dismissed, here and in my other window, and the files stay', async () => {
    await using user = await afterCommand();
    const other = await user.openWindow([]);
    await other.during.sees([COMMAND, ...CHANGED]);
    await user.during.dismiss(COMMAND);
    await other.during.sees();
    assert.equal(await user.text('made.txt'), 'made');
    await other.close();
  });

  it('never contain what my editor saved while the command ran', async () => {
    const command = `${WAITING}; echo by the command > made.txt`;
    await using user = await openUser({
      files,
      model: [calls(running(command)), say('Done.')],
      checkpoints: true,
    });
    await user.send('Work.');
    const over = user.allow();
    await until(async () => user.exists('.up'));
    await user.saveInEditor('b.txt', `${LINES}mine\n`);
    await inTerminal(user, 'touch .go');
    await over;
    await user.during.sees([command, 'made.txt']);
    await user.during.undo(command);
    assert.equal(await user.text('b.txt'), `${LINES}mine\n`);
  });

  it('leave what I save afterwards in the same file when they are undone, and stay where both overlap', async () => {
    const line = `${COMMAND}; sed -i s/three/THREE/ a.txt`;
    await using user = await afterCommand({ command: line });
    await user.save('b.txt', `mine\n${LINES}four\n`);
    await user.save('made.txt', 'made by me');
    await user.during.undo(line);
    const { preview } = user.during;
    assert.deepEqual(
      [preview['a.txt'], preview['b.txt'], preview['made.txt']],
      ['restored', 'merged', 'conflict'],
    );
    assert.equal(await user.text('a.txt'), LINES.replace('two', 'TWO'));
    assert.equal(await user.text('b.txt'), `mine\n${LINES}`);
    await user.during.sees([line, 'made.txt']);
  });

  it('are undone byte for byte, and one file that I change during the preview does not stop the others', async () => {
    const texts = {
      'crlf.txt': 'a\r\nb\r\n',
      'bom.txt': '\uFEFFtext\n',
      folder: 'a file\n',
      link: 'a file\n',
    };
    const more = { ...texts, 'run.sh': 'run\n', 'mine.txt': 'x\n' };
    const command = [
      "sed -i 's/\\r//' crlf.txt; printf 'text\\n' > bom.txt; chmod +x run.sh; echo y > mine.txt",
      'rm folder link; mkdir folder; echo z > folder/z.txt; ln -s a.txt link',
    ].join('; ');
    await using user = await afterCommand({ command, more });
    await user.during.undo(command, undefined, async () => user.save('mine.txt', 'mine\n'));
    for (const [name, text] of Object.entries(texts)) assert.equal(await user.text(name), text);
    await inTerminal(user, 'test ! -x run.sh && test ! -L link && test -f folder');
    assert.deepEqual(user.during.failed, ['mine.txt']);
    await user.during.sees([command, 'mine.txt']);
  });

  it('of a background command are a new group after each of my messages', async () => {
    const work = 'echo ready; sleep 600';
    await using user = await openUser({
      files,
      model: [
        calls(call('run_command', { command: work, background: true })),
        say('One.'),
        say('Two.'),
        say('Three.'),
      ],
      checkpoints: true,
    });
    await user.send('Begin.');
    await inTerminal(user, 'touch first');
    await user.send('Go on.');
    await inTerminal(user, 'touch second');
    await user.send('And on.');
    await user.during.sees([work, 'second'], [work, 'first']);
  });

  it('are no longer listed when files are restored to before the message', async () => {
    await using user = await afterCommand();
    await user.restore('Work.', 'files', CHANGED);
    assert.equal(await user.exists('made.txt'), false);
    await user.during.sees();
  });
});
