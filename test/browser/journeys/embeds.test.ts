/** Prices in pages of another site, in Chromium and Firefox: in a frame, and by the element under a strict policy. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import puppeteer, { type Browser } from 'puppeteer-core';
import { CHROMIUM_FLAGS, testWithAndWithoutCode, useChromium, visit } from '../support/chromium.ts';
import { priceText, readJson, siteAddress } from '../support/demo-site.ts';
import { browserPath } from '../support/installed-browsers.ts';

type City = { readonly slug: string; readonly motorina: number | null };

/** A page of a newspaper, by its path, with its own policy; what it asks of the demo is counted. */
function newspaper(): Readonly<Record<string, { readonly policy: string; readonly body: string }>> {
  const site = siteAddress();
  const script = `<script type="module" src="${site}/widget/pompa-pret.js"></script>`;
  return {
    '/frame': {
      policy: `default-src 'none'; frame-src ${site}`,
      body: `<iframe src="${site}/widget/oras/brasov?carburant=motorina" width="240" height="350" title="Brașov"></iframe>`,
    },
    '/element': {
      policy: `default-src 'none'; script-src ${site}; connect-src ${site}; require-trusted-types-for 'script'`,
      body: `${script}
<pompa-pret id="diesel" oras="brasov" carburant="motorina"><a href="/x">Link</a></pompa-pret>
<pompa-pret id="all" oras="brasov" limba="en" tema="inchis"></pompa-pret>
<pompa-pret id="kerosene" oras="brasov" carburant="kerosen"></pompa-pret>
<pompa-pret id="none" oras="nicaieri"></pompa-pret>
<pompa-pret id="own" oras="nicaieri"><a href="/x">Linkul ziarului</a></pompa-pret>`,
    },
    '/cut': {
      policy: `default-src 'none'; script-src ${site}`,
      body: `${script}<pompa-pret id="cut" oras="brasov" carburant="gpl"></pompa-pret>`,
    },
  };
}

let server: Server;
let origin: string;
before(async () => {
  server = createServer(({ url = '' }, response) => {
    const page = newspaper()[url];
    response.writeHead(page === undefined ? 404 : 200, {
      'Content-Type': 'text/html; charset=utf-8',
      ...(page && { 'Content-Security-Policy': page.policy }),
    });
    response.end(`<!doctype html><html lang="ro"><title>Ziarul</title><body>${page?.body ?? ''}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(() => server.close());

for (const name of ['chrome', 'firefox'] as const)
  describe(`a page of another site, in ${name}`, () => {
    let browser: Browser;
    before(async () => {
      const executablePath = browserPath(name === 'chrome' ? 'chromium' : 'firefox');
      const args = name === 'chrome' ? [...CHROMIUM_FLAGS] : [];
      browser = await puppeteer.launch({ browser: name, executablePath, args, headless: true });
    });
    after(() => browser.close());

    test('shows the prices of the API in a frame, with a link to the page of the city', async () => {
      const page = await browser.newPage();
      await page.goto(`${origin}/frame`);
      const frame = await page.waitForFrame(async (each) => each.url().includes('/widget/'));
      const text = await frame.waitForSelector('ul').then(() => frame.evaluate(() => document.body.innerText));
      assert.ok(text.includes(`${priceText(await cheapestDiesel())} lei/l`), text);
      const { link, width } = await frame.evaluate(() => ({
        link: document.querySelector('footer a')?.getAttribute('href'),
        width: document.documentElement.scrollWidth,
      }));
      assert.equal(new URL(link ?? '').pathname, '/preturi-carburanti/brasov/motorina');
      assert.ok(width <= 240, `${width} px`);
      await page.close();
    });

    test('shows them by the element, under a policy that admits nothing else, with one request a place', async () => {
      const page = await browser.newPage();
      const warned = new Promise<string>((resolve) =>
        page.on('console', (message) => message.text().includes('kerosen') && resolve(message.text())),
      );
      await page.goto(`${origin}/element`);
      const shown = async (id: string, part: string) => {
        await page.waitForFunction(
          (element: string, selector: string) =>
            document.getElementById(element)?.shadowRoot?.querySelector(selector) !== null,
          {},
          ...[id, part],
        );
        return page.evaluate((element) => document.getElementById(element)?.shadowRoot?.textContent ?? '', id);
      };
      const price = await cheapestDiesel();
      const diesel = await shown('diesel', 'strong');
      assert.ok(diesel.includes(`${priceText(price)} lei/l`), diesel);
      assert.match(diesel, /^BrașovMotorină.*Date simulate · Sursa: Pompa \(CC BY 4\.0\) · \d/);
      const all = await shown('all', 'strong');
      assert.ok(all.includes(`${price.toFixed(2)} lei/l`), all);
      assert.match(await warned, /carburant="kerosen">: benzina, benzina-premium, motorina/);
      assert.match(await shown('kerosene', 'slot'), /Prețul carburanților · Pompa/);
      assert.match(await shown('none', 'slot'), /Prețul carburanților · Pompa/);
      const own = await page.evaluate(() => {
        const slot = document.getElementById('own')?.shadowRoot?.querySelector('slot');
        return slot?.assignedElements().map(({ textContent }) => textContent);
      });
      assert.deepEqual(own, ['Linkul ziarului']);
      const { background, requests } = await page.evaluate(() => ({
        background: getComputedStyle(document.getElementById('all') as Element).backgroundColor,
        requests: performance.getEntriesByType('resource').filter((each) => each.name.endsWith('/brasov.json')).length,
      }));
      assert.equal(background, 'rgb(26, 32, 30)');
      assert.equal(requests, 1);
      await page.close();
    });

    test('keeps a link where its policy cuts the element off', async () => {
      const page = await browser.newPage();
      await page.goto(`${origin}/cut`);
      await page.waitForFunction(() => document.getElementById('cut')?.shadowRoot?.querySelector('slot a') !== null);
      const link = await page.evaluate(
        () => document.getElementById('cut')?.shadowRoot?.querySelector<HTMLAnchorElement>('slot a')?.href,
      );
      assert.equal(link, `${siteAddress()}/preturi-carburanti/brasov`);
      await page.close();
    });
  });

describe('the page of prices for other sites', () => {
  useChromium();

  testWithAndWithoutCode('gives the code for a town and fuel', async (hasCode) => {
    const page = await visit('/date', { hasCode });
    await page.getByRole('link', { name: 'Pe site-ul dvs.' }).click();
    await page.getByLabel('Localitatea').fill('Brașov');
    await page.getByLabel('Carburantul').selectOption('motorina');
    await page.getByRole('button', { name: 'Arată codul' }).click();
    await page.getByRole('heading', { name: 'Codul pentru Brașov' }).waitFor();
    const frame = await page.locator('#cod-cadru').innerText();
    assert.match(frame, /<iframe src="[^"]+\/widget\/oras\/brasov\?carburant=motorina" /);
    assert.ok((await page.locator('blockquote').innerText()).includes(priceText(await cheapestDiesel())));
    assert.equal(await page.getByRole('button', { name: 'Copiază: Cadru (iframe)' }).isVisible(), hasCode);
  });

  test('copies a text, and says so', async () => {
    const page = await visit('/widget', { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.getByRole('button', { name: 'Copiază: Element HTML' }).click();
    await page.getByText('Copiat.').waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await page.locator('#cod-element').innerText());
  });
});

/** Of Brașov, lei. */
async function cheapestDiesel(): Promise<number> {
  const { rezultate } = await readJson<{ rezultate: City[] }>('/api/v1/preturi');
  return rezultate.find(({ slug }) => slug === 'brasov')?.motorina as number;
}
