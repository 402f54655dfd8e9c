import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { fault } from '../../../domain/failure.ts';
import { told } from '../../../domain/text/told.ts';
import { isJsonObject } from '../../../domain/data/json.ts';
import type { Mention } from '../../../domain/mention.ts';
import { placeMention } from '../../../panel/input/sources/file-place.ts';
import {
  explainText,
  fixTestText,
  fixText,
  reviewText,
  selectedOutputText,
} from '../../../window/asks/ask-texts.ts';
import { readPromptLink } from '../../../window/asks/prompt-link.ts';
import type { Asking } from '../asks/asking.ts';
import type { CommitMessages } from '../asks/commit-message.ts';
import {
  calledFile,
  filesMeant,
  type MeantPlace,
  MOST_FILES,
  placeMeant,
  testMeant,
} from '../asks/meant.ts';
import { selectedOutput } from '../asks/selected-output.ts';
import type { CommandHandlers } from './register.ts';

export interface AskServices {
  readonly asking: Asking;
  readonly roots: () => readonly string[];
  readonly commits: Pick<CommitMessages, 'ask'>;
  /** True when a terminal has told of a command and its output. */
  readonly hasOutput: () => boolean;
}

const GIT: Omit<Mention, 'tokens'> = {
  source: 'git',
  ref: '',
  label: 'git-changes',
  detail: '',
  icon: 'git-compare',
};

/** Commands of menus and code actions of VS Code that ask Belay something. */
export function askCommands({ asking, roots, commits, hasOutput }: AskServices) {
  const mention = (place: Parameters<typeof placeMention>[0]) => placeMention(place, roots());
  return {
    'belay.fix': async (given) => {
      const { uri, place, problems } = meantPlace(given);
      const text = fixText(calledFile(uri), problems);
      await asking.send({ text, mentions: [mention(place)] });
    },
    'belay.explain': async (given) => {
      const { uri, place, problems } = meantPlace(given);
      const { from, to } = place.lines ?? { from: 1, to: 1 };
      const lines = from === to ? `line ${from}` : `lines ${from} to ${to}`;
      const called = problems.length > 0 ? calledFile(uri) : `${lines} of ${calledFile(uri)}`;
      await asking.send(
        { text: explainText(called, problems), mentions: [mention(place)] },
        'read',
      );
    },
    'belay.mention': async (clicked, selected) => {
      const places = filesMeant(clicked, selected);
      if (places.length === 0) throw fault('not_found', told`There is no file to mention.`);
      if (places.length > MOST_FILES)
        throw fault(
          'invalid',
          told`You have selected ${places.length} files; a message mentions at most ${MOST_FILES}. Nothing was mentioned: select a folder instead.`,
        );
      await asking.prefill({ text: '', mentions: places.map(mention) });
    },
    // The selection, else the last output.
    'belay.mentionTerminal': async () => {
      const selected = await selectedOutput();
      if (selected !== undefined) {
        const text = selectedOutputText(selected.terminal, selected.text);
        return asking.prefill({ text, mentions: [] });
      }
      if (!hasOutput()) throw fault('not_found', NO_OUTPUT);
      await asking.prefill({ text: '', mentions: [TERMINAL] });
    },
    'belay.fixTest': async (given) => {
      const found = testMeant(given);
      if (found === undefined) throw fault('not_found', told`It is not known which test is meant.`);
      const { test, place } = found;
      const mentions = place === undefined ? [] : [mention(place)];
      await asking.send({ text: fixTestText(test), mentions });
    },
    'belay.reviewChanges': async (clicked) => {
      const isFile = clicked instanceof vscode.Uri && clicked.scheme === 'file';
      const text = reviewText(isFile ? calledFile(clicked) : undefined);
      const mentions = isFile ? [mention({ path: clicked.fsPath })] : [GIT];
      await asking.send({ text, mentions }, 'read');
    },
    'belay.writeCommitMessage': async (clicked) => commits.ask(clicked),
    'belay.openPrompt': async (link) => {
      const query = isJsonObject(link) && typeof link['query'] === 'string' ? link['query'] : '';
      const read = readPromptLink(query);
      if ('problem' in read)
        throw fault('invalid', told`The link was not followed: ${read.problem}.`);
      await asking.prefill({ text: read.text, mentions: [] }, 'new');
      void vscode.window.showWarningMessage(
        l10n.t(
          'A link from outside has put this text into Belay’s input. Nothing was sent: read it before you send it.',
        ),
      );
    },
  } satisfies Partial<CommandHandlers>;
}

const TERMINAL: Omit<Mention, 'tokens'> = {
  source: 'terminal',
  ref: '',
  label: 'terminal',
  detail: '',
  icon: 'terminal',
};

const NO_OUTPUT = told`No output is known: run a command in a terminal with shell integration, or select what you mean.`;

function meantPlace(given: unknown): MeantPlace {
  const place = placeMeant(given);
  if (place !== undefined) return place;
  throw fault('not_found', told`Open a file and put the cursor where you mean it.`);
}
