import type { AgentService, SessionOptions } from '../../../core/run/agent-service.ts';
import type { Asked } from '../../../core/run/opening.ts';
import type { Mode } from '../../../core/tool-call/tool-call.ts';
import type { Ids } from '../../../core/ports/ids.ts';
import type { Attachment } from '../../../domain/session/session.ts';
import type { Mention } from '../../../domain/mention.ts';
import type { PanelInput } from '../../../panel/services.ts';
import type { ActivePanel } from '../panel/active-panel.ts';
import type { Places } from '../panel/places.ts';

export interface AskingParts {
  readonly agent: Pick<AgentService, 'send' | 'sessions' | 'runs'>;
  readonly panel: Pick<ActivePanel, 'giveBack' | 'options'>;
  readonly view: Pick<Places, 'sessionId' | 'goTo' | 'reveal'>;
  readonly input: Pick<PanelInput, 'take'>;
  readonly ids: Ids;
  /** Resolves when it is known which models there are. */
  readonly settled: () => Promise<void>;
}

/** Something to ask: what the model reads, and what it points at. */
export interface Ask {
  readonly text: string;
  readonly mentions: readonly Omit<Mention, 'tokens'>[];
}

/** Puts what menus and code actions of VS Code ask into the input, or sends it. */
export class Asking {
  readonly #parts: AskingParts;

  constructor(parts: AskingParts) {
    this.#parts = parts;
  }

  /**
   * Puts it into the input, before what is typed there; nothing is sent.
   * @param where `new`: of a new session; default: of the session on screen
   */
  async prefill(ask: Ask, where: 'here' | 'new' = 'here'): Promise<void> {
    const { panel, view } = this.#parts;
    await panel.giveBack(where === 'new' ? null : (view.sessionId ?? null), this.#asked(ask));
    await view.reveal('focus_input');
  }

  /**
   * Sends it: in the session on screen, or in a new one where that is at work or it is to be in another mode. What could
   * not be sent is put into the input. Rejects with `BelayError`.
   * @param mode absent: the session's
   * @returns the session
   */
  async send(ask: Ask, mode?: Mode): Promise<string> {
    const { agent, panel, view, input } = this.#parts;
    const id = await this.#session(mode);
    await view.goTo(id, 'focus_input');
    const asked = this.#asked(ask);
    try {
      const attachments = await input.take(asked.attachments, id);
      await agent.send(id, { text: asked.text, attachments });
    } catch (error) {
      await panel.giveBack(id, asked);
      throw error;
    }
    return id;
  }

  async #session(mode: Mode | undefined): Promise<string> {
    const { agent, panel, view, settled } = this.#parts;
    const shown = view.sessionId;
    const isFree = shown !== undefined && !agent.runs.isBusy(shown);
    if (isFree && (mode === undefined || agent.sessions.optionsOf(shown).mode === mode))
      return shown;
    await settled();
    const chosen: SessionOptions = mode === undefined ? panel.options : { ...panel.options, mode };
    return (await agent.sessions.create(chosen)).id;
  }

  #asked({ text, mentions }: Ask): Asked {
    const attachments = mentions.map((mention): Attachment => ({
      id: this.#parts.ids.next('attachment'),
      name: mention.source,
      mediaType: 'text/plain',
      size: 0,
      mention: { ...mention, tokens: null },
    }));
    return { text, attachments };
  }
}
