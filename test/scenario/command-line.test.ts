import assert from 'node:assert/strict';
import { chmod, mkdir, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { locateUserFolder } from '../../src/hosts/node/user-folder.ts';
import { TestEngine } from '../support/engine/test-engine.ts';
import { startProgram } from '../support/headless/headless.ts';
import { HeadlessPlace } from '../support/headless/place.ts';
import { say } from '../support/model-server/turn.ts';
import { Tunnel } from '../support/tunnel.ts';

const belay = async (args: readonly string[], environment = {}) =>
  (await startProgram(args, environment)).ended;

describe('`belay` at the hands of who mistypes', function () {
  this.timeout(60_000);

  it('refuses a workspace within the data folder, where no tool could do anything', async () => {
    await using place = await HeadlessPlace.make(() => say('Done.'));
    const { workspace, folder } = place;
    await symlink(folder, path.join(workspace, 'link'));
    const run = async (data: string) => {
      const asked = ['run', '--workspace', workspace, '--data', data, '--prompt', 'go'];
      return belay([...asked, '--model-url', place.server.url]);
    };
    for (const data of [workspace, folder, path.join(workspace, 'link')]) {
      const { code, stderr } = await run(data);
      assert.equal(code, 2, data);
      assert.match(stderr, /^The workspace must not lie within --data DIR, .*\.$/mu, data);
    }
    assert.equal(place.server.requests.length, 0);
    // A name that only begins like it is another folder.
    for (const data of [`${workspace}-data`, path.join(workspace, 'data')])
      assert.equal((await run(data)).code, 0, data);
  });

  it('says in plain words what is not there', async () => {
    await using place = await HeadlessPlace.make(() => say('Done.'));
    const { workspace, data, folder } = place;
    const gone = path.join(folder, 'gone');
    for (const [args, sentence, exit] of [
      [
        ['run', '--workspace', gone, '--data', data, '--prompt', 'x'],
        /^The folder .*gone is not there\.$/mu,
        2,
      ],
      [
        ['import', '--workspace', workspace, '--data', data, '--from', gone],
        /^ENOENT: .*gone'$/mu,
        1,
      ],
      [['background'], /^the order is not as expected\. .*over standard input\.$/mu, 2],
    ] as const) {
      const { code, stderr } = await belay(args);
      assert.match(stderr, sentence);
      assert.doesNotMatch(stderr, /unexpected happened|Show Log/u);
      assert.equal(code, exit);
    }
  });

  it('asks through the proxy of its environment, and this machine without one', async () => {
    await using place = await HeadlessPlace.make(() => say('Done.'));
    await using proxy = await Tunnel.to(place.server.url);
    const run = async (url: string, environment: Readonly<Record<string, string>>) => {
      const { workspace, data } = place;
      const args = ['run', '--workspace', workspace, '--data', data, '--prompt', 'go'];
      return belay([...args, '--model-url', url, '--set', 'advanced.modelRetries=1'], environment);
    };
    const through = { HTTP_PROXY: proxy.url };
    assert.equal((await run('http://model.invalid', through)).stdout, 'Done.\n');
    assert.deepEqual(new Set(proxy.asked), new Set(['model.invalid:80']));
    proxy.asked.length = 0;
    assert.equal((await run(place.server.url, through)).stdout, 'Done.\n');
    const except = { ...through, NO_PROXY: 'model.invalid' };
    assert.equal((await run('http://model.invalid', except)).code, 1);
    assert.deepEqual(proxy.asked, []);
    const wrong = { http_proxy: 'socks5://me:pass-word@127.0.0.1:9' };
    const { code, stderr } = await run('http://model.invalid', wrong);
    assert.match(stderr, /the proxy “socks5:\/\/127\.0\.0\.1:9” in http_proxy can't be used/u);
    assert.doesNotMatch(stderr, /pass-word/u);
    assert.equal(code, 1);
    assert.equal((await run(place.server.url, wrong)).stdout, 'Done.\n');
  });
});

describe('the user of `belay run`', function () {
  this.timeout(60_000);

  it('is the one of VS Code on this machine: one monthly budget for both', async () => {
    await using place = await HeadlessPlace.make(() => say('Done.'));
    const { folder } = place;
    const environment = {
      BELAY_USER_DATA: '',
      HOME: folder,
      XDG_DATA_HOME: path.join(folder, 'share'),
      APPDATA: folder,
    };
    const { platform } = process;
    const shared = locateUserFolder({ environment, home: folder, platform });
    await using window = await TestEngine.open({
      script: () => say('Done.', { usage: { input_tokens: 7000, output_tokens: 0 } }),
      host: { person: { folder: shared, name: 'workspace' } },
    });
    const { end } = await window.run('Hello');
    assert.equal(end?.reason, 'done');
    const budget = '--prompt hello --set budget.tokensPerMonth=7000';
    const refused = await place.run(budget, { environment });
    assert.match(refused.stderr, /7,000 .*tokens/u);
    assert.equal(place.server.requests.length, 0);
    const own = `${budget} --person ${path.join(folder, 'own')}`;
    assert.equal((await place.run(own, { environment })).stdout, 'Done.\n');
  });

  it('has a folder next to the data where the home folder cannot be written', async function () {
    await using place = await HeadlessPlace.make(() => say('Done.'));
    const home = path.join(place.folder, 'home');
    await mkdir(home);
    await chmod(home, 0o555);
    if (process.getuid?.() === 0) await symlink('/dev/null', path.join(home, 'belay'));
    const environment = { BELAY_USER_DATA: path.join(home, 'belay', 'user') };
    assert.equal((await place.run('--prompt hello', { environment })).stdout, 'Done.\n');
    assert.ok((await stat(path.join(place.folder, 'person.db'))).size > 0);
  });

  it('is offered the tools of the level and of guestModules, as in VS Code', async () => {
    await using place = await HeadlessPlace.make(() => say('Done.'));
    const offered = async (settings: string): Promise<readonly string[]> => {
      await place.run(`--prompt hello ${settings}`.trim());
      return (place.server.requests.at(-1)?.body.tools ?? []).map(({ name }) => name);
    };
    const guest = await offered('--set identity.defaultLevel=guest');
    assert.ok(guest.includes('read_file'), guest.join());
    assert.deepEqual(
      guest.filter((name) => /edit|write|run_|patch|agent|fetch/u.test(name)),
      [],
    );
    const searching = '--set identity.defaultLevel=guest --set identity.guestModules=["search"]';
    assert.deepEqual((await offered(searching)).toSorted(), ['find_files', 'search_text']);
    assert.ok((await offered('')).includes('run_command'));
  });
});
