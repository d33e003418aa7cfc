/** What is wrong with a page as a browser shows it: by axe-core (WCAG 2.2 level AA and best practices), and by size. */
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

export const PHONE = { width: 360, height: 780 };

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** The rules that the other colour scheme can break. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

type Screen = { readonly width: number; readonly height: number };

/** Looks at the page on screens of these sizes, light and dark; each defect is a sentence. */
export async function shownDefects(page: Page, screens: readonly Screen[]): Promise<string[]> {
  const defects: string[] = [];
  await page.evaluate(axe.source);
  for (const screen of screens) {
    await page.setViewportSize(screen);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const violations = await violationsOn(page, colorScheme === 'light' ? STANDARDS : COLOUR_RULES);
      defects.push(...violations.map((violation) => `${violation}, ${screen.width} px, ${colorScheme}`));
    }
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > screen.width) defects.push(`is ${width} px wide on ${screen.width} px`);
    const layout = await page.evaluate(layoutDefects);
    defects.push(...layout.map((defect) => `${defect}, ${screen.width} px`));
  }
  return defects;
}

/** Runs in the page: tables that scroll unnamed or out of reach of the keyboard, small links, a stray line of menu. */
function layoutDefects(): string[] {
  const tops = [...document.querySelectorAll('.top nav li')].map((item) =>
    Math.round(item.getBoundingClientRect().top),
  );
  const alone = tops.filter((top) => tops.filter((other) => other === top).length === 1);
  const cut = [...document.querySelectorAll<HTMLElement>('.table')].filter(
    (table) =>
      table.scrollWidth > table.clientWidth && (table.tabIndex < 0 || table.getAttribute('aria-label') === null),
  );
  const small = [...document.querySelectorAll('.foot li a')].filter((link) => link.getBoundingClientRect().height < 24);
  return [
    // The other language stands beside the name.
    ...(alone.length > 1 ? ['the menu leaves one page a line of its own'] : []),
    ...cut.map((table) => `nothing says that "${table.textContent.trim().slice(0, 60)}" scrolls`),
    ...small.map((link) => `the link "${link.textContent}" is less than 24 px high`),
  ];
}

async function violationsOn(page: Page, runOnly: readonly string[]): Promise<string[]> {
  // Off by default: a touch target is 24 px, or has as much room of its own.
  const options = { runOnly: [...runOnly], rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'] };
  const { violations } = (await page.evaluate(
    (given) => (window as unknown as { axe: typeof axe }).axe.run(document, given as axe.RunOptions),
    options as unknown as Record<string, string>,
  )) as AxeResults;
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target }) => `${help} (${id}) at ${target.join(' ')}`),
  );
}
