import { createRisk, describeRisks } from '../../../src/core/permissions/risks.ts';
import { placedText, SOURCES } from '../../../src/core/permissions/rules/rule-text.ts';
import { tells } from '../../../src/domain/failure.ts';
import { told, type Told } from '../../../src/domain/text/told.ts';
import type { Stage } from '../../unit/panel/stage.ts';
import { begin, call, history, S, session } from './fixture-session.ts';
import type { Scene } from './scenes.ts';

function ask(stage: Stage, callId: string, command: string, keep?: string): void {
  const rule = { effect: 'allow', command: keep ?? '', in: '/home/me/app' } as const;
  stage.ask({
    sessionId: S,
    callId,
    detail: `${command}\n\nin /home/me/app`,
    ...(keep === undefined ? {} : { keep: [rule], remembersCheck: keep === 'npm test' }),
  });
}

/** Reasons as they come with a question: of a rule, of the shell, of a file that is looked through, of a host. */
function reasonsOf(): readonly Told[] {
  const known = { rule: { effect: 'ask', command: 'git push', in: '/home/me/app' } } as const;
  const rule = placedText({ ...known, origin: 'user', source: SOURCES.user });
  return [
    told`A rule says: ${rule}.`,
    describeRisks([createRisk('pushes'), createRisk('too-many-files', 'node_modules/.cache')]),
    told`A request goes to the host ${'xn--exmple-cua.org'}.`,
    told`The name has letters of other alphabets in it; it may only look like one you know.`,
  ];
}

/** Questions and plans. */
export const permissionScenes: Readonly<Record<string, Scene>> = {
  keep: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    play: (stage) => {
      begin(stage);
      stage.publish(S, ...call(1, 'k1', 'run_command', { command: 'npm run build' }));
      ask(stage, 'k1', 'npm run build', 'npm run build');
    },
    click: ['.keep-more'],
  },
  reasons: {
    prepare: (stage) => {
      session(stage);
      history(stage);
    },
    play: (stage) => {
      begin(stage);
      stage.publish(S, ...call(1, 'w1', 'run_command', { command: 'git push $X' }));
      const rule = { effect: 'allow', command: 'git push', in: '/home/me/app' } as const;
      const reasons = reasonsOf();
      const [detail, reason] = ['git push $X', tells(...reasons).message];
      stage.ask({ sessionId: S, callId: 'w1', detail, reason, told: reasons, keep: [rule] });
    },
    tall: true,
  },
  group: {
    prepare: (stage) => {
      session(stage);
      history(stage);
      ask(stage, 'g1', 'npm test', 'npm test');
      ask(stage, 'g2', 'git commit -m "Read lists without a loop"');
      ask(stage, 'g3', 'rm -r dist && npm run build');
    },
    play: (stage) => begin(stage),
  },
  plan: {
    prepare: (stage) => {
      stage.options = { ...stage.options, mode: 'plan' };
      session(stage);
      stage.store(S, 'user', [{ type: 'text', text: 'Plan the new parser.' }], {
        origin: 'person',
      });
      stage.store(S, 'assistant', [
        {
          type: 'text',
          text: '# Plan\n\n1. Split `src/parse-list.ts` into reading and checking; run `npm test`.\n2. Take the loop out of `readList`.\n3. Say so in the changelog.',
        },
      ]);
    },
  },
};
