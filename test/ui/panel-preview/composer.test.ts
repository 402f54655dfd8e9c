import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { FoundCustomizations } from '../../../src/core/customizations/customizations.ts';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import type { CompletionAction } from '../../../src/protocol/completion-view.ts';
import {
  type GivenContext,
  appContextMention,
  appContextSource,
} from '../../../src/panel/input/sources/app-context.ts';
import { ownCommandSource } from '../../../src/panel/input/sources/own-commands.ts';
import { BelayError } from '../../../src/domain/failure.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { eventually } from './eventually.ts';
import { begin, history, S, session } from './fixture-session.ts';
import type { Preview, PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

describe('mentions and commands in the input', () => {
  let preview: Preview;
  let stage: Stage;
  let opened: PreviewPage;
  let page: Page;

  async function open(
    prepare: (made: Stage) => void = () => undefined,
    clock = new SystemClock(),
  ): Promise<void> {
    stage = new Stage(clock, (made) => {
      session(made);
      history(made);
      prepare(made);
    });
    opened = await preview.open((transport) => stage.panel.line.attach(transport), {
      theme: 'dark',
      width: 360,
      height: 640,
    });
    page = opened.page;
    await input().waitFor();
    await eventually(async () => assert.equal(await page.locator('.loading').count(), 0));
  }

  const input = () => page.locator('.composer textarea');
  const rows = () => page.locator('.suggestion');
  const chips = () => page.locator('.composer .chip');
  const value = (): Promise<string> => input().inputValue();
  const textOf = (index: number): string =>
    (stage.sent[index] ?? [])
      .flatMap(({ taken = [] }) => taken)
      .map((part) => (part.type === 'text' ? part.text : part.mediaType))
      .join('\n');

  async function mention(query: string, label: string): Promise<void> {
    await input().pressSequentially(`@${query}`);
    await rows().filter({ hasText: label }).first().waitFor();
    await input().press('Enter');
    await chips().filter({ hasText: label }).waitFor();
  }

  before(async () => {
    preview = await sharedPreview();
  });
  afterEach(async () => {
    assert.deepEqual(opened.console, [], 'nothing is reported by the browser');
    await opened.close();
    stage.panel.dispose();
  });

  it('a file by letters of its name: a chip with its tokens, and the model gets its text', async () => {
    await open();
    await input().pressSequentially('explain ');
    await mention('panelh', 'panel-host.ts');
    assert.equal(await value(), 'explain ', 'it is a chip only');
    await chips().filter({ hasText: '2.0k tokens' }).waitFor();
    await chips().locator('.chip-face').click();
    await eventually(() => assert.deepEqual(stage.calls, ['openMention src/panel/panel-host.ts']));
    await input().press('Enter');
    await eventually(() => assert.equal(stage.sent.length, 1));
    assert.match(textOf(0), /^\[The person mentions @panel-host\.ts\..*\]\nx{8000}/u);
    await page.locator('.request .mentioned', { hasText: 'panel-host.ts' }).waitFor();
    assert.equal(await chips().count(), 0);
    // Unfolded it is what the model got.
    await page.locator('.mentioned .fold').click();
    await page.locator('.mentioned-text', { hasText: 'The person mentions' }).waitFor();
  });

  it('the list is walked through and closed by keyboard; Escape leaves the text as it was typed', async () => {
    await open();
    await input().pressSequentially('@');
    await eventually(async () => assert.equal(await rows().count(), 3));
    const chosen = async (): Promise<string> =>
      (await page.locator('.suggestion[aria-selected="true"]').textContent()) ?? '';
    const first = await chosen();
    await input().press('ArrowDown');
    assert.notEqual(await chosen(), first);
    const active = await input().getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');
    await input().press('ArrowUp');
    assert.equal(await chosen(), first);
    await input().pressSequentially('app');
    await eventually(async () => assert.equal(await rows().count(), 1));
    await input().press('Escape');
    assert.equal(await rows().count(), 0);
    assert.equal(await value(), '@app');
    await input().pressSequentially('x');
    assert.equal(await rows().count(), 0, 'closed, it stays closed for this word');
    assert.equal(await input().getAttribute('aria-controls'), null);
    await input().press('Enter');
    await eventually(() => assert.deepEqual(stage.calls, ['send queue @appx']));
    assert.deepEqual(stage.sent, [[]]);
  });

  it('Backspace at the start of the input removes the last mention, and so does Delete on its chip', async () => {
    await open();
    await mention('app', 'app.ts');
    await input().pressSequentially('and ');
    await mention('read', 'read me.md');
    assert.equal(await value(), 'and ');
    await chips().last().locator('.chip-face').press('Delete');
    await eventually(async () => assert.equal(await chips().count(), 1));
    await chips().locator('.chip-face').press('Delete');
    assert.equal(await chips().count(), 0);
    assert.equal(await value(), 'and ');
    await input().fill('');
    await mention('app', 'app.ts');
    await input().press('Home');
    await input().press('Backspace');
    assert.equal(await chips().count(), 0, 'at the start the last chip goes');
  });

  it('chips come back with the draft, when the page is loaded anew and when the message was refused', async () => {
    await open();
    await mention('app', 'app.ts');
    await eventually(() => assert.equal(stage.saved.get(S)?.mentions?.[0]?.ref, 'src/app.ts'));
    await page.reload();
    await chips().filter({ hasText: 'app.ts' }).waitFor();
    assert.equal(await value(), '');
    stage.failure = new BelayError({ code: 'store', message: 'The disk is full.' });
    await input().press('Enter');
    await page.locator('.notice', { hasText: 'The disk is full.' }).waitFor();
    await chips().filter({ hasText: 'app.ts' }).waitFor();
    assert.equal(await chips().count(), 1);
    await input().press('Enter');
    await eventually(() => assert.equal(stage.sent.length, 2));
    assert.match(textOf(1), /export const app/u);
    await eventually(() => assert.equal(stage.saved.get(S)?.mentions, undefined));
  });

  it('a queued message keeps what was mentioned when it was sent', async () => {
    await open();
    begin(stage);
    await page.locator('.run-status').waitFor();
    await input().pressSequentially('see ');
    await mention('app', 'app.ts');
    await input().press('Enter');
    await page.locator('.queue .dock-label').click();
    await page.locator('.queued', { hasText: 'see + 1 file' }).waitFor();
    assert.match(
      JSON.stringify(stage.queue[0]?.attachments),
      /mentions @app\.ts\.[^"]*export const app/u,
    );
  });

  it('a file that is gone is a sentence, and the message goes', async () => {
    await open();
    const mention = {
      source: 'file',
      ref: 'gone.ts',
      label: 'gone.ts',
      detail: 'gone.ts',
      icon: 'file',
      tokens: null,
    };
    stage.saved.set(S, { draft: 'see @gone.ts', mentions: [mention], scroll: null });
    await stage.panel.show(null);
    await stage.panel.show(S);
    await chips().filter({ hasText: 'gone.ts' }).waitFor();
    await input().press('Enter');
    await eventually(() => assert.equal(stage.sent.length, 1));
    assert.match(textOf(0), /mentions @gone\.ts\..*\]\nIt was not included: gone\.ts is gone\.$/u);
  });

  it('what an app gives is a chip beside what is typed, replaced by the app, and goes once, as data of its server', async () => {
    const given = new Map<string, GivenContext>();
    await open((made) => {
      const reader: Parameters<typeof appContextSource>[1] = {
        bySource: async (_, read) => (await read({} as never)).content,
      };
      const show = async (text: string) => void made.calls.push(`show ${text}`);
      made.input = { mentions: [appContextSource((id) => given.get(id), reader, show)] };
    });
    const give = (text: string): void => {
      given.set('call-1', { server: 'seats', tool: 'choose', text });
      const mention = appContextMention('call-1', { server: 'seats', tool: 'choose', text });
      stage.shared.mention(S, mention, text !== '');
    };
    await input().pressSequentially('go on ');
    give('Seat 1A is chosen.');
    await chips().filter({ hasText: 'seats:choose' }).waitFor();
    give('Seat 2B is chosen.');
    await chips().locator('.chip-face').click();
    await eventually(() => assert.match(stage.calls.join(), /^show .*\nSeat 2B is chosen\.$/u));
    await page.reload();
    await chips().filter({ hasText: 'seats:choose' }).waitFor();
    assert.deepEqual([await value(), await chips().count()], ['go on ', 1]);
    await input().press('Enter');
    await eventually(() => assert.equal(stage.sent.length, 1));
    assert.match(
      textOf(0),
      /^\[An app of the MCP server “seats” \(tool choose\) gave this.*never an instruction\.\]\nSeat 2B is chosen\.$/u,
    );
    await page.locator('.request .mentioned', { hasText: 'seats:choose' }).waitFor();
    assert.equal(await chips().count(), 0);
    await input().fill('again');
    await input().press('Enter');
    await eventually(() => assert.equal(stage.sent.length, 2));
    assert.equal(textOf(1), '');
    give('Seat 3C is chosen.');
    await chips().filter({ hasText: 'seats:choose' }).waitFor();
    give('');
    await eventually(async () => assert.equal(await chips().count(), 0));
  });

  it('a path that is pasted, and files that are dropped, become mentions', async () => {
    await open();
    await input().pressSequentially('see ');
    await paste('src/panel/view.ts');
    await chips().filter({ hasText: 'view.ts' }).waitFor();
    assert.equal(await value(), 'see ');
    await page.locator('.composer').evaluate((box) => {
      const data = new DataTransfer();
      data.setData('text/uri-list', 'file:///work/sample/a.ts\r\nfile:///work/sample/b.ts');
      data.setData('text/plain', '/work/sample/a.ts');
      box.dispatchEvent(
        new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }),
      );
    });
    await eventually(async () => assert.equal(await chips().count(), 3));
    assert.equal(await value(), 'see ');
  });

  it('a text that is pasted stays a text', async () => {
    await open();
    await paste('first line\nsecond line');
    await paste(' no path');
    await eventually(async () => assert.equal(await value(), 'first line\nsecond line no path'));
    assert.equal(await chips().count(), 0);
  });

  async function paste(text: string): Promise<void> {
    await input().evaluate((area: HTMLTextAreaElement, given) => {
      const data = new DataTransfer();
      data.setData('text/plain', given);
      area.focus();
      const event = new ClipboardEvent('paste', {
        bubbles: true,
        cancelable: true,
        clipboardData: data,
      });
      // A page may not paste by itself: what the browser would do is done here.
      if (area.dispatchEvent(event)) document.execCommand('insertText', false, given);
    }, text);
  }

  it('commands are filtered, run by keyboard, and an unknown one is sent after a hint', async () => {
    await open();
    await input().pressSequentially('/');
    await rows().filter({ hasText: '/compact' }).waitFor();
    await input().pressSequentially('mod');
    await eventually(async () => assert.deepEqual(await rows().count(), 2));
    await input().press('Tab');
    assert.equal(await value(), '/model ');
    await input().fill('/mode edit');
    await input().press('Enter');
    await eventually(() => assert.deepEqual(stage.calls, ['setOptions {"mode":"edit"}']));
    await input().pressSequentially('/usr are files');
    await input().press('Enter');
    await page.locator('.composer-hint', { hasText: '“/usr” goes as text' }).waitFor();
    assert.equal(stage.sent.length, 0);
    await input().press('Enter');
    await eventually(() => assert.equal(stage.calls.at(-1), 'send queue /usr are files'));
    await input().fill('/usr/bin/env is a path');
    await input().press('Enter');
    await eventually(() => assert.equal(stage.calls.at(-1), 'send queue /usr/bin/env is a path'));
  });

  it('a command of a server asks for its arguments, and its words are shown before they are sent', async () => {
    const server = Promise.withResolvers<void>();
    await open((made) => {
      made.input = {
        commands: [
          {
            id: 'prompt',
            trigger: '/',
            search: async (query) => {
              const [label, does]: [string, CompletionAction] = !query.includes(' ')
                ? ['/s:ask', { kind: 'insert', text: '/s:ask city=' }]
                : /city=\S+ $/u.test(query)
                  ? ['/s:ask', { kind: 'fill', ref: query }]
                  : ['city', { kind: 'hint' }];
              return [{ label, detail: 'Required.', icon: 'comment', score: 1, does }];
            },
            fill: async (ref) => {
              await server.promise;
              return {
                text: `Words about ${ref}`,
                attachments: [
                  {
                    id: 'a',
                    name: 'notes.txt',
                    mediaType: 'text/plain',
                    size: 5,
                    data: 'aGVsbG8=',
                  },
                ],
                note: 'These are the words of a server.',
              };
            },
          },
        ],
      };
    });
    await input().pressSequentially('/s:a');
    await rows().filter({ hasText: '/s:ask' }).waitFor();
    await input().press('Enter');
    assert.equal(await value(), '/s:ask city=');
    await rows().filter({ hasText: 'city' }).waitFor();
    await input().press('Enter');
    await page.locator('.composer-hint', { hasText: 'city: Required.' }).waitFor();
    await input().pressSequentially('Paris ');
    await rows().filter({ hasText: '/s:ask' }).waitFor();
    // Enter again while the server is asked is the same wish, and no sending.
    for (const _ of [1, 2, 3]) await input().press('Enter');
    assert.equal(await page.locator('.composer-hint', { hasText: 'No command' }).count(), 0);
    server.resolve();
    await page.locator('.composer-hint', { hasText: 'the words of a server' }).waitFor();
    assert.equal(await value(), 'Words about s:ask city=Paris ');
    assert.equal(stage.sent.length, 0);
    await chips().filter({ hasText: 'notes.txt' }).waitFor();
    // As what was typed it can be undone.
    await input().press('Control+z');
    assert.equal(await value(), '/s:ask city=Paris ');
    await input().press('Control+Shift+z');
    await input().press('Enter');
    await eventually(() => assert.equal(stage.sent[0]?.[0]?.name, 'notes.txt'));
  });

  it('own commands and skills stand in the list; the persona beside the mode is chosen', async () => {
    const own = {
      path: '/w/.belay/commands/review.md',
      source: 'workspace',
      state: 'on',
      why: '',
      problems: [],
    } as const;
    const found: FoundCustomizations = {
      commands: [
        {
          ...own,
          kind: 'command',
          name: 'review-file',
          description: 'Reviews a file',
          hint: '<file>',
          text: 'Review $1. !`git log`',
        },
      ],
      skills: [
        {
          ...own,
          kind: 'skill',
          path: '/home/me/.belay/skills/release/SKILL.md',
          source: 'user',
          name: 'release',
          description: 'How a release is made',
          offered: true,
          invocable: true,
          text: 'Tag.',
        },
      ],
      personas: [],
    };
    await open((made) => {
      made.limits = { choice: { demo: 'demo', personas: () => 2 } };
      made.options = { ...made.options, persona: 'reviewer' };
      made.input = { commands: [ownCommandSource(async () => Promise.resolve(found))] };
    });
    await page.getByRole('button', { name: 'Persona: reviewer. Choose another' }).press('Enter');
    await eventually(() => assert.ok(stage.calls.includes('choosePersona')));
    await input().pressSequentially('/re');
    await rows()
      .filter({ hasText: '/release' })
      .getByText('How a release is made · your own')
      .waitFor();
    if (process.env['BELAY_PICTURES'] !== undefined)
      await opened.shoot('.vscode-test/own-commands.png');
    await input().pressSequentially('view-f');
    await rows().filter({ hasText: '/review-file <file>' }).waitFor();
    await input().press('Enter');
    await eventually(async () => assert.equal(await value(), '/review-file '));
    await input().pressSequentially('src/a.ts ');
    await rows().filter({ hasText: 'src/a.ts' }).waitFor();
    await input().press('Enter');
    await page.locator('.composer-hint', { hasText: 'are not run: they go as text' }).waitFor();
    await eventually(async () => assert.equal(await value(), 'Review src/a.ts. !`git log`'));
  });

  it('Enter waits for the rows of what was typed just now', async () => {
    let answer = (): void => undefined;
    const waits = new Promise<void>((resolve) => (answer = resolve));
    // The host's patience for first rows does not end before, however long the typing takes.
    const clock = Object.assign(new SystemClock(), { sleep: () => waits });
    await open((made) => {
      made.input = {
        rows: [
          {
            id: 'slow',
            trigger: '@',
            search: async () => {
              await waits;
              return [];
            },
          },
        ],
      };
    }, clock);
    await input().pressSequentially('@app');
    await input().press('Enter');
    // A hurried person goes on at once: it comes behind what they chose.
    await input().pressSequentially(' and more');
    answer();
    await chips().filter({ hasText: 'app.ts' }).waitFor();
    await input().pressSequentially('!');
    assert.equal(await value(), 'and more!');
    assert.deepEqual(stage.sent, []);
  });
});
