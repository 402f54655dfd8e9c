import * as vscode from 'vscode';
import type { Disposable } from '../../../domain/lifetime/disposable.ts';

/**
 * VS Code's cancellation as the core's (D4), converted in this file only. Dispose of what is returned
 * when the work is done: it holds a listener.
 */
export function signalOf(
  token: vscode.CancellationToken,
): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  const listening = token.onCancellationRequested(() => controller.abort());
  return { signal: controller.signal, dispose: () => void listening.dispose() };
}

/** The core's as VS Code's; dispose of it in the same way. */
export function tokenOf(
  signal: AbortSignal,
): Disposable & { readonly token: vscode.CancellationToken } {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return {
    token: source.token,
    dispose: () => {
      signal.removeEventListener('abort', cancel);
      source.dispose();
    },
  };
}
