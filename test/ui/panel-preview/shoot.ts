// Pictures of the panel in all its states: `node test/ui/panel-preview/shoot.ts FOLDER [SCENE…] [--themes dark,light]
// [--widths 300,600] [--language de]`.
import { language } from './language.ts';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SystemClock } from '../../../src/hosts/node/clock.ts';
import { Stage } from '../../unit/panel/stage.ts';
import { Preview, type PreviewTheme } from './preview.ts';
import { scenes } from './scenes.ts';

const [folder = 'panel-pictures', ...rest] = process.argv.slice(2);
const option = (name: string): string | undefined => {
  const at = rest.indexOf(name);
  return at === -1 ? undefined : rest.splice(at, 2)[1];
};
const themes = (option('--themes')?.split(',') ?? [
  'dark',
  'light',
  'highContrast',
]) as PreviewTheme[];
const widths = (option('--widths')?.split(',') ?? ['300', '600']).map(Number);
const names = rest.length > 0 ? rest : Object.keys(scenes);

await mkdir(folder, { recursive: true });
await using preview = await Preview.start();
for (const name of names) {
  for (const theme of themes) {
    for (const width of widths) await shoot(name, theme, width);
  }
}

async function shoot(name: string, theme: PreviewTheme, width: number): Promise<void> {
  const scene = scenes[name];
  if (scene === undefined) throw new Error(`There is no scene ${name}.`);
  const stage = new Stage(new SystemClock(), (made) => scene.prepare?.(made));
  const opened = await preview.open((transport) => stage.panel.line.attach(transport), {
    theme,
    width,
    height: 720,
    language,
  });
  await opened.page.locator('.header').waitFor();
  await delay(150);
  scene.play?.(stage);
  await delay(300);
  for (const selector of scene.click ?? []) await opened.page.locator(selector).first().click();
  if (scene.fill !== undefined) await opened.page.locator(scene.fill[0]).fill(scene.fill[1]);
  if (scene.tall === true) await opened.showAll();
  await delay(900);
  await opened.shoot(path.join(folder, `${name}-${theme}-${width}.png`));
  if (opened.console.length > 0) console.log(name, theme, width, opened.console.join('\n'));
  await opened.close();
  stage.panel.dispose();
}
