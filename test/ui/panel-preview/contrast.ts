import type { Page } from 'playwright-core';

/** A text that is hard to read. */
export interface Faint {
  readonly text: string;
  readonly where: string;
  /** Contrast to its ground, to 1, by the formula of WCAG 2. */
  readonly contrast: number;
}

/** All texts on the page whose contrast to what stands under them is less than `least`. */
export const faintTexts = (page: Page, least: number): Promise<readonly Faint[]> =>
  page.evaluate((limit) => {
    type Colour = readonly [red: number, green: number, blue: number, alpha: number];
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const parse = (text: string): Colour => {
      const numbers = /^rgba?\(([^)]+)\)/u
        .exec(text)?.[1]
        ?.split(/[\s,/]+/u)
        .map(Number);
      if (numbers !== undefined)
        return [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 0, numbers[3] ?? 1];
      if (canvas === null) return [0, 0, 0, 0];
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = text;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
      return [red, green, blue, alpha / 255];
    };
    const over = (top: Colour, alpha: number, under: Colour): Colour => {
      const mix = (at: 0 | 1 | 2): number => top[at] * alpha + under[at] * (1 - alpha);
      return [mix(0), mix(1), mix(2), 1];
    };
    const light = (colour: Colour): number => {
      const part = (at: 0 | 1 | 2): number => {
        const share = colour[at] / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2);
    };
    const groundOf = (element: Element | null): Colour => {
      if (element === null) return [255, 255, 255, 1];
      const { backgroundColor } = getComputedStyle(element);
      const own = parse(backgroundColor);
      return over(own, own[3], own[3] === 1 ? own : groundOf(element.parentElement));
    };
    const opacityOf = (element: Element | null): number =>
      element === null
        ? 1
        : Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement);
    const faint = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const element = node.parentElement;
      // What is switched off may be faint, and what is not seen has no contrast.
      if (text === '' || element === null || element.closest(':disabled, .announcer') !== null)
        continue;
      if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
      const opacity = opacityOf(element);
      if (opacity < 0.05) continue;
      const ground = groundOf(element);
      const ink = parse(getComputedStyle(element).color);
      const seen = over(ink, ink[3] * opacity, ground);
      const [lighter = 0, darker = 0] = [light(seen), light(ground)].toSorted((a, b) => b - a);
      const contrast = (lighter + 0.05) / (darker + 0.05);
      if (contrast >= limit) continue;
      const where = `${element.parentElement?.className ?? ''} > ${element.tagName.toLowerCase()}.${element.className}`;
      faint.push({ text: text.slice(0, 40), where, contrast: Math.round(contrast * 100) / 100 });
    }
    return faint;
  }, least);
