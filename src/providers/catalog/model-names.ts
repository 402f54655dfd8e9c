/** OpenRouter's ways to serve a model, most of them at prices of their own. */
const VARIANT = /:(?:beta|free|nitro|floor|online|extended|exacto|thinking|batch)$/;

/**
 * One name for all the ways a model is written: without the path of a gateway, the region and maker of Bedrock, the
 * date or alias of a snapshot and the variant of OpenRouter; small letters, dashes for dots.
 */
export function canonicalName(id: string): string {
  return withoutSnapshot(
    id
      .toLowerCase()
      .replace(/^.*\//s, '')
      .replace(/^(?:[a-z][a-z\d-]*\.)+(?=[a-z])/, '')
      .replace(VARIANT, '')
      .replaceAll('.', '-'),
  );
}

/** `-20250929`, `@20250929`, `-2026-01-01`, `-v1:0`, `-latest`: the same model, frozen or by its alias. */
function withoutSnapshot(name: string): string {
  return name
    .replace(/-v\d+:\d+(?::\d+k)?$|(?<=^claude-.+)-v\d$/, '')
    .replace(/[-@]20\d{6}$|-20\d\d-[01]\d-[0-3]\d$/, '')
    .replace(/[-@](?:latest|default)$/, '');
}

/** True when `name` is `known` with something behind it: another version, a variant. */
export function extendsName(name: string, known: string): boolean {
  return name.startsWith(known) && /^[-:@]/.test(name.slice(known.length));
}

/** True when `name` has `known` as whole words within it. */
export function containsName(name: string, known: string): boolean {
  const at = name.indexOf(known);
  return (
    at >= 0 &&
    !/[a-z\d]/.test(name.charAt(at - 1)) &&
    !/[a-z\d]/.test(name.charAt(at + known.length))
  );
}

/** True for a name that asks for a way to serve the model with prices of its own. */
export const hasOwnPrice = (id: string): boolean => VARIANT.test(id) && !id.endsWith(':beta');
