import assert from 'node:assert/strict';
import { renderToString } from 'preact-render-to-string';
import { Panel, PanelContext } from '../../../webview/panel.ts';
import { ReasoningPart } from '../../../webview/parts/reasoning.tsx';
import { PanelStore } from '../../../webview/store.ts';

const TEXT = 'The **user** reports a bug. I look at the parser first, and then';

describe('thinking', () => {
  it('is folded into its seconds, with the first sentence in the tooltip and never its end', () => {
    const panel = new Panel(new PanelStore(), {
      request: () => new Promise(() => undefined),
      ready: () => undefined,
    });
    let now = 1000;
    panel.store.clock.now = () => now;
    const show = (open: boolean): string =>
      renderToString(
        <PanelContext.Provider value={panel}>
          <ReasoningPart text={TEXT} partKey="m/0" open={open} />
        </PanelContext.Provider>,
      );
    assert.match(show(true), /Thinking…/u);
    now += 4200;
    const done = show(false);
    assert.match(done, /Thought for 4 s/u);
    assert.match(done, /title="The user reports a bug\."/u);
    assert.doesNotMatch(done, /parser/u);
    now += 9000;
    assert.match(show(false), /Thought for 4 s/u);
  });
});
