// The panel of the packaged extension in a real VS Code, beside the floor: an extension in the same rig that does nothing
// but show plain text. `BELAY_PANEL_PARTS=start` measures only that part.
import { makePackage } from '../rig/package.ts';
import { memoryAlone, startFigures, type Figures } from './panel/start-rows.ts';

type Row = Readonly<Record<string, string | number>>;

const LIMITS: Figures = {
  'load and activate, ms': 60,
  'focus → input usable, ms': 450,
  'Enter → request, later, ms': 30,
  'Enter → text, first message, ms': 250,
  'Enter → text, later, ms': 90,
  'extension host over VS Code alone, MB': 40,
};

export async function run(): Promise<readonly Row[]> {
  if (process.env['BELAY_PANEL_VSIX'] === undefined) await makePackage();
  const alone = await memoryAlone();
  const floor = over(alone, await startFigures('floor'));
  const belay = over(alone, await startFigures('Belay'));
  return Object.entries(belay).map(([what, value]) => row(what, value, floor[what]));
}

function over(
  alone: number,
  { 'extension host, MB': memory = Number.NaN, ...others }: Figures,
): Figures {
  return { ...others, 'extension host over VS Code alone, MB': memory - alone };
}

function row(what: string, value: number, floor: number | undefined): Row {
  const limit = LIMITS[what];
  return {
    what,
    Belay: round(value),
    floor: floor === undefined ? '' : round(floor),
    limit: limit ?? '',
    '': limit !== undefined && value > limit ? 'MISSED' : '',
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;
