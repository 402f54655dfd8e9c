/** Words that say nothing of what a text is about. */
const STOP_WORDS = new Set(
  `a about after again all also am an and any are as at be because been but by can could did do does doing done each for
  from get gets give had has have he her here him his how i if in into is it its itself just let like make makes may me
  more most must my need needs no not now of off on one only or other our out please put she should so some such than
  that the their them then there these they this those to too up us use used using very want was we were what when where
  which while who whom why will with would yes yet you your
  der die das den dem des ein eine einen einem einer und oder ist sind war mit von zu im in auf für nicht wie was wo wer
  ich du er sie es wir ihr mir mich dir dich kann kannst soll bitte mal`.split(/\s+/u),
);

/** Scripts that are written without blanks. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The words of a text in small letters: an identifier as it is, and its parts; of scripts without blanks each pair. */
export function termsOf(text: string): readonly string[] {
  return (text.match(/[\p{L}\p{N}\p{M}_]+/gu) ?? []).flatMap((word) => {
    if (UNSPACED.test(word)) return pairsOf(word);
    const parts = word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu) ?? [];
    const whole = word.replaceAll('_', '').toLowerCase();
    return parts.length > 1 ? [whole, ...parts.map((part) => part.toLowerCase())] : [whole];
  });
}

/** Words of a question that are looked for, each once; of a very long one the first. */
export function searchTerms(text: string, limit: number): readonly string[] {
  const terms = termsOf(text).filter((term) => term !== '' && !STOP_WORDS.has(term));
  return [...new Set(terms)].slice(0, limit);
}

function pairsOf(word: string): string[] {
  const letters = Array.from(word);
  return letters.length === 1
    ? letters
    : letters.slice(1).map((letter, index) => `${letters[index] ?? ''}${letter}`);
}
