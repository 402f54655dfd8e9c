import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pictures } from '../pictures.ts';
import { violations } from './axe.ts';
import { eventually } from './eventually.ts';
import type { Preview, PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

const FLOW = `flowchart TD
  A[Start] -->|yes| B(Stop)
  A --> C{Why?}
  subgraph Inner
    C --> D
  end`;
const OTHERS: readonly string[] = [
  'sequenceDiagram\n  Alice->>Bob: Hello\n  Bob-->>Alice: Hi',
  'classDiagram\n  Animal <|-- Dog\n  Animal : +int age\n  Dog : +bark()',
  'stateDiagram-v2\n  [*] --> Still\n  Still --> [*]',
  'erDiagram\n  CUSTOMER ||--o{ ORDER : places',
  'gantt\n  title A plan\n  section One\n  Task :a1, 2024-01-01, 30d',
];
const HOSTILE: readonly string[] = [
  'flowchart TD\n  A["<img src=x onerror=alert(1)>"] --> B["<script>alert(1)</script>"]',
  'flowchart TD\n  A --> B\n  click A href "javascript:alert(1)"\n  click B call alert(1)',
  '%%{init: {"securityLevel": "loose", "theme": "dark", "themeCSS": "* { background: url(https://evil.example/a.png) }"}}%%\nflowchart TD\n  A["<img src=\'https://evil.example/b.png\'>"]',
  'flowchart TD\n  A@{ img: "https://evil.example/c.png", label: "x" }\n  classDef a fill:url(https://evil.example/d.png)\n  class A a',
];

describe('diagrams of answers', () => {
  let preview: Preview;
  let opened: PreviewPage;
  const requests: string[] = [];

  before(async () => {
    preview = await sharedPreview();
    await mkdir(pictures, { recursive: true });
    opened = await preview.open(
      () => undefined,
      { theme: 'dark', width: 600, height: 640 },
      'diagram',
    );
    opened.page.on('request', (request) => requests.push(request.url()));
    opened.page.on('dialog', (dialog) => {
      requests.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  after(async () => opened.close());

  /** Draws and gives the problem, or nothing. */
  const draw = async (source: string): Promise<string> => {
    const { page } = opened;
    await page.locator('#diagram').evaluate((one) => one.replaceChildren());
    opened.transport.post({ source });
    await page.locator('#diagram > .source').waitFor();
    const problem = page.locator('.problem');
    if ((await problem.count()) > 0) return problem.innerText();
    const image = page.locator('.picture img');
    await eventually(async () =>
      assert.ok((await image.evaluate((one: HTMLImageElement) => one.naturalWidth)) > 20),
    );
    return '';
  };

  it('are pictures with their source at hand, in each theme and width', async () => {
    assert.equal(await draw(FLOW), '');
    const { page } = opened;
    for (const [theme, width] of [
      ['dark', 600],
      ['light', 300],
      ['highContrast', 300],
    ] as const) {
      await opened.look({ theme, width, height: 640 });
      await page.locator('.picture img').waitFor();
      await opened.shoot(path.join(pictures, `diagram-${theme}-${width}.png`));
      assert.deepEqual(await violations(page), []);
    }
    await page.locator('summary').press('Enter');
    assert.equal(await page.locator('.source pre').innerText(), FLOW);
    const width = async (): Promise<number> =>
      (await page.locator('.picture img').boundingBox())?.width ?? 0;
    const before = await width();
    for (let turn = 0; turn < 3; turn += 1)
      await page.getByRole('button', { name: 'Larger' }).press('Enter');
    assert.ok((await width()) > before);
    for (const other of OTHERS) assert.equal(await draw(other), '', other);
  });

  it('run and load nothing, whatever they say', async () => {
    requests.length = 0;
    for (const hostile of HOSTILE) {
      await draw(hostile);
      assert.equal(
        await opened.page.locator('#diagram script, #diagram iframe, #diagram svg').count(),
        0,
      );
    }
    assert.deepEqual(
      requests.filter((url) => !url.startsWith('data:') && !url.includes('127.0.0.1')),
      [],
    );
  });

  it('say why they cannot be drawn: too many lines, a mistake, a kind that is not drawn', async () => {
    const bomb = `flowchart TD\n${Array.from({ length: 900 }, (_, at) => `a${at}-->a${at + 1}`).join('\n')}`;
    assert.match(await draw(bomb), /cannot be drawn: .*(?:edges|Maximum)/iu);
    assert.match(await draw('flowchart TD\n  A -->'), /cannot be drawn: .*Parse error/su);
    assert.match(await draw('pie\n  "a" : 1'), /not drawn here/u);
    assert.match(await draw('nonsense'), /cannot be drawn/u);
    assert.equal(await opened.page.locator('.source pre').innerText(), 'nonsense');
  });
});
