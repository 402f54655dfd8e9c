import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Metafile } from 'esbuild';
import { png } from '../faults/png.ts';
import { HeadlessPlace } from '../support/headless/place.ts';
import { call, calls, inOrder, say } from '../support/model-server/turn.ts';
import { root } from '../rig/processes.ts';
import { pdfOf } from '../support/pdf.ts';
import type { BelayPage } from './belay-page.ts';
import { useSharedWindow } from './window.ts';

describe('the package', () => {
  let belay: BelayPage;
  useSharedWindow((page) => {
    belay = page;
  });

  it('asks for what the script of its page imports together with it', async () => {
    const script = await readFile(path.join(await installed(belay), 'dist/panel.js'), 'utf8');
    const imported = [...script.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/gu)].map(
      ([, name]) => name,
    );
    assert.notEqual(imported.length, 0);
    const asked = await (
      await belay.panel()
    ).evaluate(() =>
      Array.from(
        document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]'),
        ({ href }) => href.slice(href.lastIndexOf('/') + 1),
      ),
    );
    assert.deepEqual(
      imported.filter((name) => !asked.includes(name ?? '')),
      [],
    );
  });

  it('holds what its programs load: the tokenizer, the readers of PDF files and pages, the codecs of pictures', async () => {
    const extension = await installed(belay);
    await using place = await HeadlessPlace.make(
      inOrder(
        calls(
          call('read_file', { path: 'a.pdf' }),
          call('read_file', { path: 'a.png' }),
          call('fetch_url', { url: 'http://127.0.0.1:9/' }),
        ),
        say('Read.'),
      ),
    );
    await place.write('a.pdf', pdfOf(['Words of a page']));
    await writeFile(path.join(place.workspace, 'a.png'), Buffer.from(png(5000, 400), 'base64'));
    const result = await place.run('--prompt Hello', {
      program: path.join(extension, 'dist/headless.cjs'),
    });
    assert.equal(result.code, 0, result.stderr);
    const content = JSON.stringify(place.server.requests[1]?.body.messages.at(-1));
    assert.match(content, /Words of a page/u);
    const data = /"media_type":"image\/png","data":"([^"]+)"/u.exec(content)?.[1];
    assert.ok(data !== undefined, content.slice(0, 2000));
    assert.equal(Buffer.from(data, 'base64').readUInt32BE(16) < 5000, true, 'it is scaled');
  });

  it('has the licence of every package that is bundled', async () => {
    const metafiles = await Promise.all(
      ['host', 'panel', 'center', 'diagram'].map(
        async (name) =>
          JSON.parse(await readFile(path.join(root, `dist/meta/${name}.json`), 'utf8')) as Metafile,
      ),
    );
    const notice = await readFile(
      path.join(await installed(belay), 'dist/ThirdPartyNotices.txt'),
      'utf8',
    );
    const sections = notice.split(/^-{80}$/mu).slice(1);
    const names = new Set(
      metafiles.flatMap(({ inputs }) =>
        Object.keys(inputs).flatMap(
          (file) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(file)?.[1] ?? [],
        ),
      ),
    );
    assert.ok(names.size > 50, `only ${names.size} packages`);
    const missing = [...names].filter(
      (name) => !sections.some((section) => section.includes(`\n${name} `)),
    );
    assert.deepEqual(missing, []);
    assert.deepEqual(
      sections.filter((section) => !/copyright|licen[cs]e/iu.test(section)),
      [],
    );
  });
});

/** The folder of the installed extension. */
async function installed({ workbench }: BelayPage): Promise<string> {
  const extensions = path.join(workbench.server.data, 'extensions');
  const name = (await readdir(extensions)).find((one) => one.startsWith('belay'));
  return path.join(extensions, name ?? assert.fail());
}
