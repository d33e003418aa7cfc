/** `/robots.txt`. Simulated prices must not appear in search engines. */
import type { SiteData } from '../frame/site-data.ts';
import { SITEMAP_PATH } from './sitemap.ts';

export function robots({ simulated, publicUrl }: Pick<SiteData, 'simulated' | 'publicUrl'>): string {
  if (simulated) return 'User-agent: *\nDisallow: /\n';
  return `User-agent: *\nAllow: /\n\nSitemap: ${publicUrl}${SITEMAP_PATH}\n`;
}
