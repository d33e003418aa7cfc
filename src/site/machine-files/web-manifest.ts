/**
 * The web app manifest: what a device needs to put the site on its home screen. Source: W3C Web Application Manifest.
 */

import { ROUTES } from '../../domain/pages/routes.ts';
import { SERVICE_NAME } from '../../domain/service-identity.ts';
import { APP_ICONS } from '../pictures/icons.ts';

/** The same for everybody. */
export const MANIFEST = `${JSON.stringify(
  {
    id: ROUTES.home.ro,
    name: `${SERVICE_NAME}: prețurile carburanților`,
    short_name: SERVICE_NAME,
    description: 'Prețurile carburanților din România, pe benzinării, orașe și județe.',
    lang: 'ro',
    dir: 'ltr',
    start_url: ROUTES.home.ro,
    scope: '/',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: '#0b5d4b',
    categories: ['navigation', 'travel', 'utilities'],
    icons: APP_ICONS.map(({ path, size, purpose }) => ({
      src: path,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose,
    })),
  },
  null,
  2,
)}\n`;
