/**
 * What a first visit to every kind of page costs on a phone, in bytes as sent, and whether anything on it moves once
 * its code has run. Bytes and movements do not depend on how fast the machine is, as times do.
 */
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { useChromium, visit } from '../support/chromium.ts';
import { indexedSiteAddress, newClientAddress } from '../support/demo-site.ts';
import { examplePages, type PageKind } from './example-pages.ts';

/** In bytes: the page in Brotli, the code, and all with style, pictures and data. */
type Budget = { readonly page: number; readonly code: number; readonly all: number };
const READING: Budget = { page: 15_000, code: 5_000, all: 25_000 };
const BUDGETS: Readonly<Partial<Record<PageKind, Budget>>> = {
  // Decision 35.
  docs: { page: 24_000, code: 5_000, all: 34_000 },
  map: { page: 10_000, code: 60_000, all: 200_000 },
};
/** Tabs at the same time. */
const CONCURRENCY = 3;

useChromium();

describe('every kind of page', { concurrency: CONCURRENCY }, async () => {
  for (const { kind, path } of await examplePages(indexedSiteAddress()))
    test(`${path} weighs no more than its budget, and nothing on it moves`, async () => {
      const { code, others, shift: firstShift } = await loadSlowly(await blankPage(), path);
      // A busy machine may paint in the middle of a script: what moves by itself moves each time.
      const shift = firstShift === 0 ? 0 : Math.min(firstShift, (await loadSlowly(await blankPage(), path)).shift);
      const weight = await compressedSize(path);
      const budget = BUDGETS[kind] ?? READING;
      const excess = [
        ...(weight > budget.page ? [`the page has ${weight} bytes`] : []),
        ...(code > budget.code ? [`its code has ${code} bytes`] : []),
        ...(weight + code + others > budget.all ? [`all has ${weight + code + others} bytes`] : []),
        ...(shift > 0 ? [`parts of it move by ${shift}`] : []),
      ];
      assert.deepEqual(excess, []);
    });
});

const blankPage = () => visit('about:blank', { baseURL: indexedSiteAddress(), serviceWorkers: 'block' });

/** Lets the code of the page come only once the page is painted. Returns the bytes of what it loads, without itself. */
async function loadSlowly(page: Page, path: string): Promise<{ code: number; others: number; shift: number }> {
  const painted = Promise.withResolvers<void>();
  await page.route(/\/b\/.*\.(ts|js)$/, async (route) => {
    await painted.promise;
    await route.continue();
  });
  const sizes: Promise<{ isCode: boolean; bytes: number }>[] = [];
  page.on('requestfinished', (request) => {
    if (request.isNavigationRequest() || request.url().startsWith('data:')) return;
    const isCode = request.resourceType() === 'script';
    sizes.push(request.sizes().then(({ responseBodySize }) => ({ isCode, bytes: responseBodySize })));
  });
  await page.goto(path, { waitUntil: 'commit' });
  await page.evaluate(afterPaint);
  painted.resolve();
  await page.waitForLoadState('networkidle');
  await page.evaluate(afterPaint);
  const loaded = await Promise.all(sizes);
  const shift = await page.evaluate(layoutShift);
  await page.context().close();
  const sum = (isCode: boolean) => loaded.reduce((bytes, each) => bytes + (each.isCode === isCode ? each.bytes : 0), 0);
  return { code: sum(true), others: sum(false), shift };
}

/** Runs in the page: once it is read and two frames are shown. */
async function afterPaint(): Promise<void> {
  if (document.readyState === 'loading')
    await new Promise((resolve) => document.addEventListener('readystatechange', resolve, { once: true }));
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** Runs in the page: how much of it moved without being asked, as browsers measure it. */
function layoutShift(): Promise<number> {
  return new Promise((resolve) => {
    let sum = 0;
    const add = (shifts: PerformanceEntryList) => {
      for (const { value } of shifts as (PerformanceEntry & { readonly value: number })[]) sum += value;
    };
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => {
      // Those whose callback has not run yet.
      add(observer.takeRecords());
      resolve(sum);
    });
  });
}

/** The bytes of a page in Brotli, which `fetch` would decode. */
async function compressedSize(path: string): Promise<number> {
  const headers = { 'Accept-Encoding': 'br', 'X-Forwarded-For': newClientAddress() };
  const response = await new Promise<AsyncIterable<Buffer>>((resolve, reject) => {
    get(indexedSiteAddress() + path, { headers }, resolve).on('error', reject);
  });
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  return bytes;
}
