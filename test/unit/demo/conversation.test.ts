import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isRequest } from '../../../src/core/context/window.ts';
import { toolCallsOf } from '../../../src/domain/message.ts';
import { Conversation, textOfParts, type ConversationOptions } from './conversation.ts';

/** Opens a conversation, closes it afterwards, and checks that each answer is labelled once. */
async function talk(
  options: ConversationOptions,
  run: (conversation: Conversation) => Promise<void>,
): Promise<void> {
  const conversation = await Conversation.open(options);
  try {
    await run(conversation);
    const labels = conversation.said.filter((text) => text.startsWith('Demo model: '));
    assert.equal(labels.length, conversation.messages.filter(isRequest).length);
    const ids = conversation.messages.flatMap(toolCallsOf).map((call) => call.id);
    assert.equal(new Set(ids).size, ids.length, 'call ids are unique');
  } finally {
    await conversation.close();
  }
}

const inWorkspace = (conversation: Conversation, file: string): Promise<string> =>
  readFile(path.join(conversation.root, file), 'utf8');

describe('demo model: explain this workspace', () => {
  it('lists, reads several files in one turn, and says what it read', () =>
    talk({}, async (conversation) => {
      const text = await conversation.send('Explain this workspace');
      const [first, second] = conversation.turns;
      assert.deepEqual(first, ['list_files']);
      assert.equal(second?.length, 6);
      assert.ok(second.every((name) => name === 'read_file'));
      assert.match(text, /## Day hike\n\nPlans a day in the mountains/);
      assert.match(text, /- `test`: `node --test test\/\*\.test\.ts`/);
      assert.match(text, /`src\/pace\.ts`: Naismith's rule.*exports `walkingTime`, `withRests`/);
      assert.match(text, /`src\/` 4/);
      assert.ok(conversation.states.every((state) => state.endsWith(' done')));
    }));

  it('says that no folder is open', () =>
    talk({ noFolder: true }, async (conversation) => {
      assert.match(
        await conversation.send('explain this workspace'),
        /did not work\. `list_files` says: .*folder/,
      );
    }));

  it('says which tool is missing', () =>
    talk({ without: ['read_file'] }, async (conversation) => {
      assert.match(
        await conversation.send('explain this workspace'),
        /`read_file` for that, but it is not available here/,
      );
    }));
});

describe('demo model: find', () => {
  it('looks in files and names at once, and links what it finds', () =>
    talk({}, async (conversation) => {
      const text = await conversation.send('find Naismith');
      assert.deepEqual(conversation.turns, [['search_text', 'find_files']]);
      assert.match(text, /comes up 3 times/);
      assert.match(text, /- src\/pace\.ts:1 – `.*Naismith's rule/);
    }));

  it('finds a file by its name', () =>
    talk({}, async (conversation) => {
      const text = await conversation.send('where is pace.ts?');
      assert.match(text, /Files with a name like it:\n\n- src\/pace\.ts/);
    }));

  it('says so when there is nothing', () =>
    talk({}, async (conversation) => {
      assert.match(await conversation.send('search for xylophone quartet'), /nowhere/);
    }));

  it('takes what looks like a pattern as text', () =>
    talk({}, async (conversation) => {
      assert.match(await conversation.send('find "(minutes: number)"'), /comes up 2 times/);
    }));
});

describe('demo model: replace and create', () => {
  it('reads, proposes an edit, and the file is changed', () =>
    talk({}, async (conversation) => {
      const text = await conversation.send(
        'Replace "Naismith\'s rule" with "The rule of Naismith" in src/pace.ts',
      );
      assert.deepEqual(conversation.turns, [['read_file'], ['edit_file']]);
      assert.match(text, /^Done/);
      assert.match(await inWorkspace(conversation, 'src/pace.ts'), /The rule of Naismith/);
    }));

  it('an edit that is rejected leaves the file as it was', () =>
    talk({ denied: ['edit_file'] }, async (conversation) => {
      const text = await conversation.send('replace Naismith with Nobody in src/pace.ts');
      assert.match(text, /You said no.*`src\/pace\.ts` is as it was/);
      assert.match(await inWorkspace(conversation, 'src/pace.ts'), /Naismith/);
    }));

  it('proposes nothing when the text is not there', () =>
    talk({}, async (conversation) => {
      assert.match(
        await conversation.send('replace naismith with x in src/pace.ts'),
        /does not come up.*case matter/,
      );
      assert.deepEqual(conversation.turns, [['read_file']]);
    }));

  it('a missing file is told in one sentence', () =>
    talk({}, async (conversation) => {
      assert.match(
        await conversation.send('replace a with b in src/nowhere.ts'),
        /did not work\. `read_file` says: .*nowhere\.ts/,
      );
    }));

  it('creates a file, and goes on with it in the next message', () =>
    talk({}, async (conversation) => {
      assert.match(
        await conversation.send('create docs/notes.md with "Hello there"'),
        /Done\. Created docs\/notes\.md/,
      );
      assert.equal(await inWorkspace(conversation, 'docs/notes.md'), 'Hello there\n');
      assert.match(await conversation.send('replace Hello with Goodbye in docs/notes.md'), /Done/);
      assert.equal(await inWorkspace(conversation, 'docs/notes.md'), 'Goodbye there\n');
    }));

  it('does not overwrite a file that is there', () =>
    talk({}, async (conversation) => {
      assert.match(await conversation.send('create README.md with nothing'), /did not work/);
      assert.match(await inWorkspace(conversation, 'README.md'), /Day hike/);
    }));
});

describe('demo model: run', () => {
  it('runs a command and shows the end of its output', () =>
    talk({}, async (conversation) => {
      const text = await conversation.send('run `echo one && echo two`');
      assert.match(text, /It went well\. The end of its output:\n\n```text\none\ntwo\n```/);
    }));

  it('tells how a command failed', () =>
    talk({}, async (conversation) => {
      const text = await conversation.send('please run echo broken; exit 3');
      assert.match(text, /exit code 3[^]*broken/);
    }));

  it('a denied command is not run', () =>
    talk({ denied: ['run_command'] }, async (conversation) => {
      assert.match(await conversation.send('run echo no'), /You said no, so nothing was done/);
    }));
});

describe('demo model: guided tour', () => {
  it('shows reading, asking, a new file, an edit and a command', () =>
    talk({ answers: ['Show me an edit'] }, async (conversation) => {
      const text = await conversation.send('Guided tour');
      assert.deepEqual(conversation.turns, [
        ['list_files'],
        ['read_file', 'read_file', 'read_file'],
        ['ask_human'],
        ['write_file'],
        ['edit_file'],
        ['run_command'],
      ]);
      assert.match(text, /delete `belay-tour\.md`.*Belay: Set API Key/s);
      assert.match(
        await inWorkspace(conversation, 'belay-tour.md'),
        /written, reviewed and edited/,
      );
      assert.ok(
        conversation.states.every((state) => state.endsWith(' done')),
        conversation.states.join(),
      );
    }));

  it('stops when the person wants to', () =>
    talk({ answers: ['Stop here'] }, async (conversation) => {
      const text = await conversation.send('show me around');
      assert.equal(conversation.turns.length, 3);
      assert.match(text, /That is the tour/);
      assert.doesNotMatch(text, /delete/);
    }));

  it('goes on without the file when it is rejected', () =>
    talk({ answers: ['yes'], denied: ['write_file'] }, async (conversation) => {
      await conversation.send('tour');
      assert.deepEqual(conversation.turns.slice(3), [['write_file'], ['run_command']]);
    }));

  it('asks and says goodbye even when no folder is open', () =>
    talk({ noFolder: true, answers: ['Stop here'] }, async (conversation) => {
      await conversation.send('tour');
      assert.deepEqual(conversation.turns, [['list_files'], ['ask_human']]);
    }));
});

describe('demo model: everything else', () => {
  for (const request of [
    'help',
    'Hello!',
    'What can you do?',
    'Refactor the parser',
    'create x',
    '',
  ]) {
    it(`${JSON.stringify(request)} gets the list of what it understands`, () =>
      talk({}, async (conversation) => {
        const text = await conversation.send(request);
        for (const known of [
          'explain this workspace',
          'find TODO',
          'replace',
          'create',
          'run npm test',
          'guided tour',
        ]) {
          assert.ok(text.includes(known), known);
        }
      }));
  }

  it('C5: without tools it sums up what was done', () =>
    talk({}, async (conversation) => {
      await conversation.send('find Naismith');
      const answer = await conversation.next({ type: 'none' });
      assert.deepEqual(toolCallsOf(answer), []);
      assert.match(textOfParts(answer.parts), /You asked: “find Naismith”[^]*`search_text`: done/);
    }));

  it('C13: a forced question is asked', () =>
    talk({}, async (conversation) => {
      await conversation.send('find Naismith');
      const answer = await conversation.next({ type: 'tool', name: 'ask_human' });
      assert.deepEqual(
        toolCallsOf(answer).map((call) => call.name),
        ['ask_human'],
      );
    }));

  it('C8: it goes on from the messages alone, like a resumed run', () =>
    talk({}, async (conversation) => {
      await conversation.send('explain this workspace');
      const [, listing, listed] = conversation.messages;
      const other = await Conversation.open();
      try {
        other.messages.push(...conversation.messages.slice(0, 3));
        assert.ok(listing !== undefined && listed !== undefined);
        const again = await other.next();
        assert.deepEqual(again.parts, conversation.messages[3]?.parts);
      } finally {
        await other.close();
      }
    }));
});
