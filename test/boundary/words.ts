/** What a translation has to keep: placeholders, code, links to commands and settings, variables. */
const KEPT = /\$?\{[^{}]*\}|`[^`]*`|\(command:[\w.]+\)|#[\w.]+#/g;

/** The titles of commands that a text names, as *Belay: Open Control Center*. */
const NAMED_COMMANDS = /\*{1,2}Belay: ([^*]+)\*{1,2}/g;

/**
 * Describes each translation of a text that no longer exists, and each whose placeholders, code, links or commands
 * differ from the English text. A missing translation is no fault.
 * @param english texts by key
 * @param translated translations by key
 * @param titleOf the translated title of a command, by its English one
 */
export function translationFaults(
  english: Readonly<Record<string, string>>,
  translated: Readonly<Record<string, string>>,
  titleOf: (title: string) => string | undefined,
): string[] {
  const stale = Object.keys(translated).flatMap((key) =>
    key in english ? [] : [`no longer exists: ${key}`],
  );
  const differing = Object.entries(english).flatMap(([key, text]) => {
    const translation = translated[key];
    return translation === undefined ? [] : differences(text, translation, titleOf);
  });
  return [...stale, ...differing];
}

function differences(
  text: string,
  translation: string,
  titleOf: (title: string) => string | undefined,
): string[] {
  const faults: string[] = [];
  if (translation.trim() === '') faults.push(`empty: ${text}`);
  const [wanted, kept] = [keptOf(text), keptOf(translation)];
  if (wanted.join('\n') !== kept.join('\n'))
    faults.push(`${wanted.join(' ')} became ${kept.join(' ')}: ${text}`);
  for (const [, title = ''] of text.matchAll(NAMED_COMMANDS)) {
    const named = titleOf(title);
    if (named === undefined) faults.push(`no command is called ${title}: ${text}`);
    else if (!translation.includes(`Belay: ${named}`))
      faults.push(`not “${named}”: ${translation}`);
  }
  return faults;
}

const keptOf = (text: string): string[] => [...text.matchAll(KEPT)].map(([one]) => one).toSorted();
