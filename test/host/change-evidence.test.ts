import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ChangeEvidence } from '../../src/domain/review/evidence.ts';
import { ControlsKit, cursor, TEN_LINES } from './controls-kit.ts';
import type { PendingKit } from './pending-kit.ts';

const AT = Date.now();
const FOUND: ChangeEvidence = {
  calls: [
    {
      callId: 'c',
      tool: 'edit_file',
      at: AT,
      said: 'The line [x](command:belay.undoFile) was wrong.',
    },
  ],
  request: { sessionId: 's', messageId: 'm', text: 'Mend <b>line 1</b>' },
  checks: {
    state: 'answered',
    at: AT,
    fresh: [{ line: 2, severity: 'error', message: 'No $(zap) here.', source: 'ts', code: '1' }],
  },
  tests: [
    {
      callId: 't',
      command: 'npm test',
      at: AT,
      result: 'failed',
      exitCode: 1,
      timedOut: false,
      hidden: false,
      passed: 3,
      failed: 2,
      covers: true,
    },
  ],
  doubts: ['new problems', 'tests failed'],
};

describe('what is known of a change, in the editor', () => {
  let kit: ControlsKit;
  let pending: PendingKit;
  let file: string;

  beforeEach(async () => {
    kit = await ControlsKit.open();
    pending = kit.pending;
    kit.found = FOUND;
    file = await pending.file('a.ts', TEN_LINES);
    await pending.edit(file, TEN_LINES.replace('line 1\n', 'LINE 1\n'));
    await pending.settled();
    await pending.show(file);
  });
  afterEach(() => kit.close());

  const hoverAt = async (uri: vscode.Uri, line: number): Promise<string> => {
    const found = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      uri,
      new vscode.Position(line, 0),
    );
    return found
      .flatMap(({ contents }) => contents)
      .map((one) => (typeof one === 'string' ? one : one.value))
      .join('\n');
  };

  it('stands in the hover of its lines and in no other, and nothing of it is read as Markdown', async () => {
    const text = await hoverAt(vscode.Uri.file(file), 1);
    assert.match(text, /\*\*Belay changed this\*\* \(change 1 of 1\)/u);
    assert.match(text, /\*Why:\* “The/u);
    assert.match(text, /\*For:\* “Mend/u);
    assert.match(text, /\*Language servers:\* 1.*new.*error/u);
    assert.match(text, /\*Tests:\* npm.*test,.*failed:.*2.*failed,.*3.*passed,.*exit.*code.*1/u);
    assert.match(text, /\[Keep\]\(command:belay\.keepChange\?/u);
    assert.doesNotMatch(text, /\]\(command:belay\.undoFile/u);
    assert.doesNotMatch(text, /<b>/u);
    assert.doesNotMatch(text, /(?<!\\)\$\(zap\)/u);
    assert.doesNotMatch(await hoverAt(vscode.Uri.file(file), 5), /Belay changed this/u);
  });

  it('summarizes it in the tooltip of the buttons above the change', async () => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      vscode.Uri.file(file),
      100,
    );
    const last = lenses.find(({ command }) => command?.command === 'belay.keepChange');
    assert.equal(last?.command?.tooltip, 'edit_file for “add tests” · 1 new error · tests failed');
    await kit.goTo(file, 8);
    await kit.press['belay.explainChange'](last.command.arguments?.[0]);
    assert.equal(cursor(), 'file a.ts:1');
  });
});
