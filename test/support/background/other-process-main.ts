// The program of `ProcessWindow`: a window as far as runs in the background go, in a process of its own.
import { BackgroundWindow } from './window.ts';

const [folder = '', url = ''] = process.argv.slice(2);
const window = await BackgroundWindow.open({ server: { url }, after: { folder } });
process.on('disconnect', () => process.exit(0));
process.on('message', ({ wish, id }: { readonly wish: string; readonly id: string }) => {
  void answer(wish, id).then((value) => process.send?.(value ?? null));
});
process.send?.('ready');

async function answer(wish: string, id: string): Promise<unknown> {
  const { away, failed, ended, test } = window;
  const { runs } = test.engine.agent;
  if (wish === 'takeBack') return away.takeBack(id);
  if (wish === 'state') return { state: await away.of(id), failed, ended, busy: runs.isBusy(id) };
  return runs.settled(id);
}
