import { type Setting, SETTINGS } from '../domain/settings/settings.ts';

const BEGIN = '<!-- settings: written by `npm run manifest` -->';
const END = '<!-- /settings -->';

/** The README with its table of settings made anew from the one table of them. */
export function withSettingsTable(readme: string): string {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  if (begin < 0 || end < begin)
    throw new Error('README.md has no place for the table of settings.');
  return `${readme.slice(0, begin)}${BEGIN}\n\n${settingsTable()}\n\n${readme.slice(end)}`;
}

function settingsTable(): string {
  const rows = Object.entries(SETTINGS as Record<string, Setting>).map(
    ([key, setting]) =>
      `| \`belay.${key}\` | ${defaultOf(setting)} | ${inCell(meaningOf(setting))} |`,
  );
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function defaultOf(setting: Setting): string {
  if (setting.type === 'object') return '';
  const text = JSON.stringify(setting.default);
  return text === '""' || text === '[]' ? '' : inCell(`\`${text.replaceAll('"', '')}\``);
}

function meaningOf(setting: Setting): string {
  if (setting.type === 'choice') {
    const choices = setting.choices.map(
      (choice, index) => `\`${choice}\`: ${setting.choiceDescriptions[index] ?? ''}`,
    );
    return `${setting.description} ${choices.join(' ')}`;
  }
  if (setting.type === 'integer' || setting.type === 'number') {
    return `${setting.description} (${setting.minimum} to ${setting.maximum})`;
  }
  return setting.description;
}

function inCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('\n', ' ');
}
