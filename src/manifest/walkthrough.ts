import type { Json } from '../domain/data/json.ts';

const step = (
  id: string,
  title: string,
  description: string,
  altText: string,
  completionEvents: readonly string[],
): Json => ({
  id,
  title,
  description,
  media: { svg: `media/walkthrough/${id}.svg`, altText },
  completionEvents,
});

/** `contributes.walkthroughs`: the first minutes with Belay. */
export function walkthroughs(): Json {
  return [
    {
      id: 'start',
      title: 'Get Started with Belay',
      description: 'A coding agent that shows every edit first and never loses a run.',
      steps: [
        step(
          'try',
          'Try it without a key',
          'Open the panel and ask the built-in demo model for a tour. It works offline and uses the real tools on your workspace, so what you see is what Belay does.\n[Open Belay](command:belay.focusPanel)\nThe view can be dragged to the secondary side bar.',
          'The Belay panel beside an editor, with a question and a streamed answer.',
          ['onView:belay.panel', 'onCommand:belay.focusPanel'],
        ),
        step(
          'key',
          'Add your API key',
          'With a key from Anthropic, Belay works with Claude. The key is tried once, and kept in the secret storage of VS Code: never in settings, logs or the panel.\n[Set API Key](command:belay.setApiKey)\nIf your environment has ANTHROPIC_API_KEY, Belay offers it and uses it only after you choose it.',
          'A key that is put into a safe.',
          ['onContext:belay.hasKey'],
        ),
        step(
          'review',
          'Review every edit',
          'Belay writes edits into your files, and you keep or undo each change: in the editor, in its diff or in the list above the input. In mode Ask, it asks before each edit.\n[Choose Mode](command:belay.chooseMode)\nThe mode decides what Belay may do without asking.',
          'A diff editor with a pending change and the buttons Keep and Undo.',
          [
            'onCommand:belay.keepChange',
            'onCommand:belay.undoChange',
            'onCommand:belay.chooseMode',
          ],
        ),
        step(
          'return',
          'Close the window whenever you like',
          'Every message, tool call and result is on disk before the next step begins. Reload, restart or crash: the session is there, and an unfinished run can go on.\n[Open Session](command:belay.openSession)',
          'A list of sessions, one of them with a button to resume it.',
          ['onCommand:belay.openSession'],
        ),
      ],
    },
  ];
}
