/** The keyboard reaches what a page offers, and the browser shows where it is. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DESKTOP, useChromium, visit } from '../support/chromium.ts';
import { siteAddress } from '../support/demo-site.ts';
import { examplePages, SELLING_PAGES } from './example-pages.ts';

/** Presses of Tab: through the header and into the content. */
const STEPS = 30;

useChromium();

describe('every kind of page', async () => {
  const pages = [...(await examplePages(siteAddress())), ...SELLING_PAGES];
  for (const { path } of pages.filter(({ language }) => language === 'ro'))
    test(`${path} shows where the focus is, step by step`, async () => {
      const page = await visit(path, DESKTOP);
      const found = new Set<string>();
      for (let step = 0; step < STEPS; step += 1) {
        await page.keyboard.press('Tab');
        const hidden = await page.evaluate(unseenFocus);
        if (hidden !== null) found.add(hidden);
      }
      await page.context().close();
      assert.deepEqual([...found], []);
    });
});

/** Runs in the page: the focused element, if nothing shows that it is focused. */
function unseenFocus(): string | null {
  const outer = document.activeElement;
  // Inside a frame of ours, what it shows there.
  const focused = outer instanceof HTMLIFrameElement ? (outer.contentDocument?.activeElement ?? outer) : outer;
  if (focused === null || focused === focused.ownerDocument.body) return null;
  // A hidden choice shows its focus at the label beside it.
  const shown = focused.matches('.choices input') ? (focused.nextElementSibling as Element) : focused;
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(shown);
  const { width, height, right, bottom, left, top } = shown.getBoundingClientRect();
  const isMarked = (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== 'none';
  const view = focused.ownerDocument.defaultView ?? window;
  const isOnScreen =
    width > 0 && height > 0 && right > 0 && bottom > 0 && left < view.innerWidth && top < view.innerHeight;
  return isMarked && isOnScreen ? null : focused.outerHTML.slice(0, 100);
}
