import * as l10n from '@vscode/l10n';

const STORED_AS = 'belay.sandboxOffered';

export interface SandboxOfferParts {
  /** Of this machine. */
  readonly state: {
    get(key: string): unknown;
    update(key: string, value: unknown): PromiseLike<void>;
  };
  readonly isOn: () => boolean;
  /** Returns whether the system has everything that the sandbox needs. */
  readonly canSandbox: () => boolean;
  /** Returns whether the user accepts the offer. */
  readonly ask: (offer: string) => Promise<boolean>;
  readonly turnOn: () => Promise<void>;
}

/** Offers the sandbox once per machine, where it can be used and is off. */
export async function offerSandbox(parts: SandboxOfferParts): Promise<void> {
  const { state, isOn, canSandbox, ask, turnOn } = parts;
  if (isOn() || state.get(STORED_AS) === true || !canSandbox()) return;
  await state.update(STORED_AS, true);
  const offer = l10n.t(
    'Run commands in a sandbox? In the modes Edit and Auto, commands that change no files of the workspace then run without approval, cannot read your secrets, and reach only hosts that your rules allow; data can leave through an allowed host.',
  );
  if (await ask(offer)) await turnOn();
}
