import type { Stage } from '../../unit/panel/stage.ts';
import { begin, call, history, S, session } from './fixture-session.ts';
import type { Scene } from './scenes.ts';

function ask(stage: Stage, callId: string, command: string, keep?: string): void {
  const rule = { effect: 'allow', command: keep ?? '', in: '/home/me/app' } as const;
  stage.ask({
    sessionId: S,
    callId,
    detail: `${command}\n\nin /home/me/app`,
    ...(keep === undefined ? {} : { keep: [rule], askedOnce: keep === 'npm test' }),
  });
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
