import type { Signal } from '../../src/protocol/envelope.ts';
import type { StateMessage } from './bridge.ts';
import type { Panel } from '../panel.ts';

/** Changes the panel by a message of the host. */
export function receive(panel: Panel, message: StateMessage): void {
  switch (message.type) {
    case 'snapshot':
      panel.store.clock.set(message.now);
      panel.store.show(message.snapshot);
      break;
    case 'changes':
      panel.store.clock.set(message.now);
      panel.store.apply(message.changes);
      break;
    case 'signal':
      follow(panel, message.signal);
      break;
    default:
      message satisfies never;
  }
}

function follow(panel: Panel, signal: Signal): void {
  switch (signal.kind) {
    case 'focus_input':
      panel.page.value = 'conversation';
      panel.input.focus.value += 1;
      break;
    case 'insert':
      panel.page.value = 'conversation';
      panel.input.insert.value = { text: signal.text };
      break;
    case 'give_back':
      panel.page.value = 'conversation';
      // Another one's text is in its draft already.
      if (panel.store.session.id.peek() === signal.sessionId) panel.input.givenBack.value = signal;
      break;
    case 'mention':
      if (panel.store.session.id.peek() === signal.sessionId)
        panel.input.mentioned.value = [...panel.input.mentioned.peek(), signal.mention];
      break;
    case 'take_back':
      if (panel.store.session.id.peek() === signal.sessionId) panel.input.takenBack.value = signal;
      break;
    case 'show_sessions':
      panel.page.value = 'sessions';
      break;
    case 'show_journal':
      panel.dock.open.value = 'journal';
      break;
    case 'next_mode':
      panel.modeKey.next();
      break;
    case 'focus_changes':
      panel.page.value = 'conversation';
      panel.review.goThere();
      break;
    case 'focus_waiting':
      panel.page.value = 'conversation';
      panel.conversation.toEnd.value += 1;
      panel.questions.focus.value += 1;
      break;
    default:
      signal satisfies never;
  }
}
