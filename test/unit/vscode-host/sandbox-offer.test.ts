import assert from 'node:assert/strict';
import { offerSandbox } from '../../../src/window/terminal/sandbox-offer.ts';

describe('the offer of the sandbox', () => {
  let stored: Map<string, unknown>;
  let offers: string[];
  let turnedOn: number;

  beforeEach(() => {
    stored = new Map();
    offers = [];
    turnedOn = 0;
  });

  const offer = ({ accepts = false, isOn = false, can = true } = {}): Promise<void> =>
    offerSandbox({
      state: {
        get: (key) => stored.get(key),
        update: async (key, value) => void stored.set(key, value),
      },
      isOn: () => isOn,
      canSandbox: () => can,
      ask: async (text) => {
        offers.push(text);
        return accepts;
      },
      turnOn: async () => {
        turnedOn += 1;
      },
    });

  it('is shown once, and says what changes and that an allowed host is a way out', async () => {
    await offer();
    await offer({ accepts: true });
    assert.equal(offers.length, 1);
    assert.match(offers[0] ?? '', /without approval.*leave through an allowed host/u);
    assert.equal(turnedOn, 0);
  });

  it('turns the sandbox on when you accept it', async () => {
    await offer({ accepts: true });
    assert.equal(turnedOn, 1);
  });

  it('waits until the system has what the sandbox needs, and is not shown while it is on', async () => {
    await offer({ can: false });
    await offer({ isOn: true });
    assert.deepEqual(offers, []);
    await offer();
    assert.equal(offers.length, 1);
  });
});
