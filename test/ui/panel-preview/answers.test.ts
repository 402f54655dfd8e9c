import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { SOURCES } from '../../../src/core/permissions/rules/rule-text.ts';
import type { Mode } from '../../../src/domain/permissions/permission-mode.ts';
import { NodeWeb } from '../../../src/hosts/node/web/node-web.ts';
import type { PanelHost } from '../../../src/panel/panel-host.ts';
import { openEnginePanel, type EnginePanel } from '../../support/engine/engine-panel.ts';
import { call, calls, say } from '../../support/model-server/turn.ts';
import type { Script } from '../../support/model-server/turn.ts';
import { LocalPages } from '../../support/web/local-pages.ts';
import { ASKED_CALLS, HUB_TOOL, type AskedCall, type Place } from './answered-calls.ts';
import { eventually } from './eventually.ts';
import type { PreviewPage } from './preview.ts';
import { sharedPreview } from './shared-preview.ts';

/** A message of the person is what the model does next: calls, or a text. */
const script: Script = ({ messages }) => {
  const last = messages.at(-1)?.content;
  const text =
    typeof last === 'string'
      ? last
      : (last ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('');
  const order = /CALLS(.*)$/su.exec(text)?.[1];
  if (text.includes('PLAN') && order === undefined) return say('# Plan\n\n1. Do it.');
  if (order === undefined) return say('Done.');
  const wanted = JSON.parse(order) as readonly [string, unknown][];
  return calls(
    ...wanted.map(([name, input]) =>
      RARE.has(name) ? call('use_tool', { tool: name, input }) : call(name, input),
    ),
  );
};
const RARE = new Set('background_command manage_files apply_patch run_tests fetch_url'.split(' '));

interface Outcome {
  readonly happened: boolean;
  readonly rules?: 'session' | 'project';
  /** In what the model is told. */
  readonly told?: RegExp;
}

type Calls = readonly (readonly [tool: string, input: unknown])[];

type Answer = readonly [way: string, give: (page: Page) => Promise<void>, outcome: Outcome];

const card = (page: Page) => page.locator('.approval[data-armed="true"][data-seen="true"]');
const keep = async (page: Page, name: RegExp): Promise<void> => {
  await card(page).locator('.keep-more').click();
  await page.getByRole('menuitem', { name }).click();
};
const deny = async (page: Page, reason: string): Promise<void> => {
  await card(page).locator('[data-answer="deny"]:enabled').click();
  await card(page).locator('.reason').fill(reason);
  await page.keyboard.press('Enter');
};
const press = async (page: Page, keys: string): Promise<void> => {
  await card(page).waitFor();
  await page.keyboard.press(keys);
};

const YES: readonly Answer[] = [
  [
    'the button Allow',
    (page) => card(page).locator('[data-answer="allow"]:enabled').click(),
    { happened: true },
  ],
  ['the key Allow', (page) => press(page, 'Control+Enter'), { happened: true }],
];
const DENIED: Outcome = { happened: false, told: /denied/u };
const NO: readonly Answer[] = [
  ['the button Deny', (page) => deny(page, ''), DENIED],
  ['the key Deny', (page) => press(page, 'Control+Shift+Backspace'), DENIED],
  [
    'the key Deny, then Enter',
    async (page) => {
      await press(page, 'Control+Shift+Backspace');
      await page.keyboard.press('Enter');
    },
    DENIED,
  ],
  [
    'a reason and Enter',
    (page) => deny(page, 'rather not'),
    { happened: false, told: /denied.*rather not/su },
  ],
];
const KEEPING: readonly Answer[] = [
  ['session', (page) => keep(page, /^For This Session/u), { happened: true, rules: 'session' }],
  ['project', (page) => keep(page, /^For This Project/u), { happened: true, rules: 'project' }],
  [
    'the menu of the yes, left again, then the key Deny',
    async (page) => {
      await card(page).locator('.keep-more').click();
      await page.keyboard.press('Escape');
      await press(page, 'Control+Shift+Backspace');
    },
    DENIED,
  ],
  [
    'the key Deny while the menu of the yes is open',
    async (page) => {
      await card(page).locator('.keep-more').click();
      await page.keyboard.press('Control+Shift+Backspace');
    },
    DENIED,
  ],
];
const PLAIN = new Set(['the button Allow', 'the key Deny']);
/** Kinds that are answered in each way; others in plain ones, and in those that keep a yes. */
const IN_EACH_WAY = new Set(['a command', 'a tool of a server']);

describe('what becomes of an answer, in the panel in front of the engine', function () {
  this.timeout(60_000);
  let opened: PreviewPage;
  let page: Page;
  let engine: EnginePanel;
  let panel: PanelHost;
  let pages: LocalPages;
  let outside: string;
  let cases = 0;

  before(async () => {
    pages = await LocalPages.open((_request, response) => response.end('a page'));
    engine = await openEnginePanel({
      script,
      tools: [HUB_TOOL],
      files: { '.husky/x': '' },
      host: { web: new NodeWeb(), reviewed: true },
    });
    outside = path.join(engine.test.folder, 'outside');
    mkdirSync(outside);
    panel = engine.panel();
    const preview = await sharedPreview();
    opened = await preview.open((transport) => panel.line.attach(transport), {
      theme: 'dark',
      width: 360,
      height: 720,
    });
    page = opened.page;
    page.setDefaultTimeout(10_000);
    await page.locator('.composer textarea').waitFor();
  });
  after(async () => {
    await opened.close();
    panel.dispose();
    await engine.test[Symbol.asyncDispose]();
    await pages[Symbol.asyncDispose]();
  });
  afterEach(async () => {
    const { rules } = engine.test.engine.permissions;
    for (const { rule } of await rememberedRules('none')) await rules.remove(rule, 'none');
    // A failed case leaves questions, which the next ones would count and answer.
    for (const { question } of engine.desk.pending())
      engine.test.engine.agent.runs.cancel(question.sessionId);
  });

  function place(): Place {
    cases += 1;
    return { workspace: engine.test.workspace, outside, id: cases, pages };
  }

  /** Rules of the session at its start: a yes to a project's own programs holds in later sessions, too. */
  let rulesBefore = 0;

  async function begin(
    doing: Calls | ((sessionId: string) => Promise<Calls>) | 'PLAN',
    mode: Mode = 'ask',
  ): Promise<string> {
    const { agent } = engine.test.engine;
    const { id } = await agent.sessions.create({ mode });
    rulesBefore = (await rememberedRules(id)).length;
    await panel.show(id);
    const wanted = typeof doing === 'function' ? await doing(id) : doing;
    const text = wanted === 'PLAN' ? wanted : `CALLS${JSON.stringify(wanted)}`;
    await agent.send(id, { text });
    return id;
  }

  /** The call that is asked about, in a session in which its program runs. */
  async function beginAsked(asked: AskedCall, here: Place): Promise<string> {
    asked.prepare?.(here);
    const { program } = asked;
    if (program === undefined) return begin([asked.call(here)]);
    return begin(async (sessionId) => {
      const started = await engine.test.engine.commands.background?.start({
        sessionId,
        runId: 'r',
        callId: 'c',
        command: program,
        cwd: here.workspace,
        folder: here.workspace,
        signal: new AbortController().signal,
        onStarted: async () => undefined,
      });
      return [asked.call(here, started?.origin.id)];
    });
  }

  /** What the model was told by the results of its calls. */
  async function told(sessionId: string): Promise<string> {
    const messages = await engine.test.messages(sessionId);
    return messages
      .flatMap(({ parts }) => parts)
      .flatMap((part) => (part.type === 'tool_result' ? part.content : []))
      .map((one) => (one.type === 'text' ? one.text : ''))
      .join('\n');
  }

  async function kept(sessionId: string): Promise<Outcome['rules']> {
    const last = (await rememberedRules(sessionId)).slice(rulesBefore).at(-1);
    return last && (last.source === SOURCES.project ? 'project' : 'session');
  }

  async function rememberedRules(sessionId: string) {
    const { rules } = await engine.test.engine.permissions.rules.list(sessionId, []);
    return rules.filter(({ origin }) => origin === 'session');
  }

  for (const [kind, asked] of Object.entries(ASKED_CALLS)) {
    const answers = [...YES, ...NO, ...(asked.keeps === undefined ? [] : KEEPING)].filter(
      ([way, , { rules }]) => PLAIN.has(way) || rules !== undefined || IN_EACH_WAY.has(kind),
    );
    for (const [way, give, outcome] of answers) {
      it(`${kind}: ${way}`, async () => {
        const here = place();
        const id = await beginAsked(asked, here);
        await give(page);
        if (kind === 'a page of the web' && outcome.happened) await give(page);
        await engine.test.engine.agent.runs.settled(id);
        assert.equal(asked.happened(here), outcome.happened, await told(id));
        if (outcome.told !== undefined) assert.match(await told(id), outcome.told);
        if (asked.keeps !== undefined || outcome.rules !== undefined)
          assert.equal(await kept(id), outcome.rules);
        if (outcome.rules === 'project' && asked.keeps !== undefined)
          assert.match(JSON.stringify(await rememberedRules(id)), asked.keeps);
      });
    }
  }

  it('a page that was fetched and is then denied is not read', async () => {
    const here = place();
    const id = await begin([ASKED_CALLS['a page of the web']?.call(here) ?? ['', {}]]);
    await press(page, 'Control+Enter');
    await page.locator('.approval', { hasText: 'Let the model read' }).waitFor();
    await press(page, 'Control+Shift+Backspace');
    await engine.test.engine.agent.runs.settled(id);
    assert.doesNotMatch(await told(id), /a page$/mu);
    assert.match(await told(id), /did not let you read/u);
  });

  it('Esc while a question waits stops the run: nothing happens', async () => {
    const here = place();
    const id = await begin([ASKED_CALLS['a command']?.call(here) ?? ['', {}]]);
    await press(page, 'Escape');
    await engine.test.engine.agent.runs.settled(id);
    assert.equal(ASKED_CALLS['a command']?.happened(here), false);
    assert.equal(engine.desk.pending().length, 0);
  });

  describe('several questions at once', () => {
    const names = ['first', 'second'] as const;
    const group = () => page.locator('.approval-group');

    async function beginGroup(): Promise<{ readonly id: string; readonly place: Place }> {
      const here = place();
      const doing = names.map((name) => {
        const file = path.join(outside, `${name}-${here.id}.txt`);
        writeFileSync(file, `text of ${name}`);
        return ['read_file', { path: file }] as const;
      });
      const id = await begin(doing);
      await eventually(() => assert.equal(engine.desk.pending().length, names.length));
      // There is no yes to what was not on the screen.
      await eventually(async () => {
        const show = group().locator('[data-answer="show"]:enabled');
        if (await show.isVisible()) await show.click();
        assert.ok(await group().locator('[data-answer="allow"]:enabled').isVisible());
      });
      return { id, place: here };
    }

    const choose = {
      'Allow all': [() => group().locator('[data-answer="allow"]:enabled').click(), [true, true]],
      'Allow 1, deny 1': [
        async () => {
          // Both are asked about beside each other: which comes first is not said.
          await group().locator('li', { hasText: 'second-' }).getByRole('checkbox').uncheck();
          await group().locator('[data-answer="allow"]:enabled', { hasText: 'deny 1' }).click();
        },
        [true, false],
      ],
      'Deny all': [
        async () => {
          await group().locator('[data-answer="deny"]:enabled').press('Enter');
          await page.keyboard.press('Enter');
        },
        [false, false],
      ],
      Stop: [() => group().getByRole('button', { name: 'Stop' }).click(), [false, false]],
      'the key Allow with the focus in the group': [
        async () => {
          await group().getByRole('checkbox').first().focus();
          await page.keyboard.press('Control+Enter');
        },
        [true, true],
      ],
      'the key Deny with the focus in the group': [
        async () => {
          await group().getByRole('checkbox').first().focus();
          await page.keyboard.press('Control+Shift+Backspace');
        },
        [false, false],
      ],
      'the key Deny with the focus in the second card, the key Allow in the first': [
        async () => {
          await page.locator('.approval', { hasText: 'second-' }).focus();
          await page.keyboard.press('Control+Shift+Backspace');
          await eventually(() => assert.ok(engine.desk.pending().length < 2));
          if (engine.desk.pending().length === 0) return;
          await page.locator('.approval').first().focus();
          await eventually(async () => {
            await page.keyboard.press('Control+Enter');
            assert.equal(engine.desk.pending().length, 0);
          });
        },
        [undefined, false],
      ],
    } as const;
    for (const [way, [give, read]] of Object.entries(choose)) {
      it(way, async () => {
        const { id } = await beginGroup();
        await give();
        await engine.test.engine.agent.runs.settled(id);
        const heard = await told(id);
        for (const [index, name] of names.entries()) {
          const expected = read[index];
          if (expected !== undefined)
            assert.equal(heard.includes(`text of ${name}`), expected, `${name}: ${heard}`);
        }
      });
    }
  });

  describe('a question of the model', () => {
    const ask = async (question: object): Promise<string> => {
      place();
      return begin([['ask_human', question]]);
    };
    const question = () => page.locator('.question');
    const ways = {
      'a choice': [
        { question: 'Which?', choices: ['Left', 'Right'] },
        () => question().getByRole('button', { name: 'Right' }).click(),
        /Right/u,
      ],
      'own words and Enter': [
        { question: 'Which?', choices: ['Left', 'Right'] },
        async () => {
          await question().getByRole('textbox').fill('straight on');
          await page.keyboard.press('Enter');
        },
        /straight on/u,
      ],
      'the button Answer': [
        { question: 'Which?' },
        async () => {
          await question().getByRole('textbox').fill('neither');
          await question().getByRole('button', { name: 'Answer' }).click();
        },
        /neither/u,
      ],
      'the keys of a yes and of a no answer nothing': [
        { question: 'Which?', choices: ['Left', 'Right'] },
        async () => {
          await question().locator('button:enabled').first().waitFor();
          await page.keyboard.press('Control+Enter');
          await page.keyboard.press('Control+Shift+Backspace');
          assert.equal(engine.desk.pending().length, 1);
          await question().getByRole('button', { name: 'Left' }).click();
        },
        /Left/u,
      ],
    } as const;
    for (const [way, [asked, give, heard]] of Object.entries(ways)) {
      it(way, async () => {
        const id = await ask(asked);
        await give();
        await engine.test.engine.agent.runs.settled(id);
        assert.match(await told(id), heard);
      });
    }

    it('Esc stops the run, and nothing was answered', async () => {
      const id = await ask({ question: 'Which?', choices: ['Left', 'Right'] });
      await question().waitFor();
      await page.keyboard.press('Escape');
      await engine.test.engine.agent.runs.settled(id);
      assert.doesNotMatch(await told(id), /Left|Right/u);
    });
  });

  describe('a plan', () => {
    const offer = () => page.locator('.plan-offer');
    const sent = (): number => engine.test.server.requests.length;
    const modeOf = (id: string): string => engine.test.engine.registry.optionsOf(id).mode;

    async function beginPlan(): Promise<string> {
      const id = await begin('PLAN', 'plan');
      await engine.test.engine.agent.runs.settled(id);
      await offer().locator('button:enabled').first().waitFor();
      return id;
    }

    for (const [way, name, mode] of [
      ['Accept in mode Ask', undefined, 'ask'],
      ['accepted in mode Edit', /^Edit/u, 'edit'],
      ['accepted in mode Auto', /^Auto/u, 'auto'],
    ] as const) {
      it(way, async () => {
        const id = await beginPlan();
        const before = sent();
        if (name === undefined)
          await offer().getByRole('button', { name: 'Accept in mode Ask' }).click();
        else {
          await offer().locator('.keep-more').click();
          await page.getByRole('menuitem', { name }).click();
        }
        await eventually(() => assert.ok(sent() > before));
        await engine.test.engine.agent.runs.settled(id);
        assert.equal(modeOf(id), mode);
      });
    }

    it('Discard sends nothing and goes on in mode Ask; Change writes the beginning of a message', async () => {
      const id = await beginPlan();
      const before = sent();
      await offer().getByRole('button', { name: 'Change' }).click();
      await eventually(async () =>
        assert.match(await page.locator('.composer textarea').inputValue(), /^Change the plan: /u),
      );
      await page.locator('.composer textarea').fill('');
      await offer().getByRole('button', { name: 'Discard' }).click();
      await eventually(() => assert.equal(modeOf(id), 'ask'));
      assert.equal(sent(), before);
    });
  });
});
