import type { ToolSpec } from '../../domain/models/model.ts';
import { readCall, worthReading } from './explain.ts';
import { type Reply, say, trouble, tryTo } from './reply.ts';
import { lastOf, type Progress } from './progress.ts';
import { pathsInTree } from './tree-text.ts';

const FILE = 'belay-tour.md';
const DRAFT = '# Belay was here\n\nThis file was written and reviewed.\n';
const GO_ON = 'Show me an edit';
const STOP = 'Stop here';

/** "Guided tour": reading, a question, an edit to review, a command. Each step follows from the last results. */
export function tour(progress: Progress, tools: readonly ToolSpec[]): Reply {
  const listed = lastOf(progress, 'list_files');
  if (listed === undefined) {
    return tryTo(
      tools,
      'Welcome to the tour. It shows what Belay does, with real tools on your workspace; I only play the model.\n\n**1. Looking around** needs no permission. You see each call as a card; open one for its result.',
      { name: 'list_files', input: { depth: 2 } },
    );
  }
  const asked = lastOf(progress, 'ask_human');
  if (asked === undefined)
    return beforeQuestion(progress, listed.state === 'done' ? listed.text : '', tools);
  if (asked.state !== 'done' || asked.text.trim() === STOP) return farewell(progress);
  return afterQuestion(progress, tools);
}

function beforeQuestion(progress: Progress, tree: string, tools: readonly ToolSpec[]): Reply {
  const wanted = worthReading(pathsInTree(tree)).slice(0, 3);
  if (lastOf(progress, 'read_file') === undefined && wanted.length > 0) {
    return tryTo(
      tools,
      '**2. Reading together.** Calls that only read run at the same time.',
      ...wanted.map(readCall),
    );
  }
  return tryTo(
    tools,
    '**3. Asking.** When only you can decide, the run waits for your answer, as long as it takes. You may close the window meanwhile.',
    {
      name: 'ask_human',
      input: {
        question: `Next I would write a small file, ${FILE}, so that you can review an edit. Shall I?`,
        choices: [GO_ON, STOP],
      },
    },
  );
}

function afterQuestion(progress: Progress, tools: readonly ToolSpec[]): Reply {
  const written = lastOf(progress, 'write_file');
  if (written === undefined) {
    return tryTo(
      tools,
      '**4. A new file.** In modes Edit and Auto it is written at once, and you keep or undo it when you like: in the editor, or in the list above the input. In mode Ask you are asked first.',
      { name: 'write_file', input: { path: FILE, content: DRAFT } },
    );
  }
  const edited = lastOf(progress, 'edit_file');
  if (edited === undefined && written.state === 'done') {
    return tryTo(
      tools,
      '**5. An edit.** The same file once more. You can edit the file at any time: I hear what you changed.',
      {
        name: 'edit_file',
        input: {
          path: FILE,
          edits: [
            {
              old_string: 'written and reviewed',
              new_string: 'written, reviewed and edited',
            },
          ],
        },
      },
    );
  }
  if (lastOf(progress, 'run_command') === undefined) {
    const note =
      edited === undefined ? `${trouble(written) ?? ''} That is fine. ` : (trouble(edited) ?? '');
    return tryTo(
      tools,
      `${note}**6. A command.** This one only prints a line, so it runs at once. One that may change something waits for your yes, and you see its whole line first. What it prints is on its card.`,
      { name: 'run_command', input: { command: 'echo Belay says hello' } },
    );
  }
  return farewell(progress);
}

function farewell(progress: Progress): Reply {
  const written = lastOf(progress, 'write_file');
  const leftover = written?.state !== 'done' ? '' : ` You can delete \`${FILE}\` now.`;
  return say(
    `That is the tour.${leftover} What you have seen is kept: reload the window, and this session is still here.\n\nTo work with a real model, choose **Belay: Set API Key** from the command palette. With me you can go on with \`explain this workspace\`, \`find\` and \`run\`.`,
  );
}
