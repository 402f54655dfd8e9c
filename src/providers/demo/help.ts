import { type Reply, say } from './reply.ts';

const UNDERSTOOD = `- \`explain this workspace\`
- \`find TODO\`
- \`replace "old words" with "new words" in notes.md\`
- \`create notes.md with Some text\`
- \`run npm test\`
- \`guided tour\`

I work offline and follow fixed rules; what I do is done with the real tools. For a model that thinks, choose **Belay: Set API Key** from the command palette.`;

/** The demo model's abilities. */
export function help(): Reply {
  return say(`I am a small stand-in that shows how Belay works. I understand:\n\n${UNDERSTOOD}`);
}

/** The same, for a request that it does not understand. */
export function notUnderstood(): Reply {
  return say(
    `I do not understand that. I am no real model, and know only a few requests:\n\n${UNDERSTOOD}`,
  );
}
