/** The icons of the service for browsers and home screens, drawn when first requested. */
import { dropIcon, type IconShape } from './drop-icon.ts';
import { encodeIco, encodePng } from './png.ts';

export type Icon = { readonly contentType: string; readonly bytes: Buffer };

/** An icon that the web app manifest lists. */
export type AppIcon = {
  readonly path: string;
  readonly size: number;
  /** `maskable`: the device cuts its own shape out of it, so everything that matters is in the inner four fifths. */
  readonly purpose: 'any' | 'maskable';
};

/** Search engines show it beside the name of the service; they ask for 112 px at least. */
export const LOGO_ICON: AppIcon = { path: '/icon-512.png', size: 512, purpose: 'any' };

export const APP_ICONS: readonly AppIcon[] = [
  { path: '/icon-192.png', size: 192, purpose: 'any' },
  LOGO_ICON,
  { path: '/icon-maskable-512.png', size: 512, purpose: 'maskable' },
];
/** Apple rounds the corners itself and shows transparent ones black. */
export const TOUCH_ICON = { path: '/apple-touch-icon.png', size: 180 } as const;
const FAVICON_ICO = { path: '/favicon.ico', sizes: [16, 32, 48] } as const;

/** The drop as in the favicon, and small enough to survive a round mask. */
const FULL = 1;
const MASKED = 0.75;

const PNG_TYPE = 'image/png';

const DRAWN: Readonly<Record<string, () => Icon>> = {
  ...Object.fromEntries(
    APP_ICONS.map(({ path, size, purpose }) => [
      path,
      pngOf(purpose === 'any' ? rounded(size) : { size, isRounded: false, scale: MASKED }),
    ]),
  ),
  [TOUCH_ICON.path]: pngOf({ size: TOUCH_ICON.size, isRounded: false, scale: FULL }),
  [FAVICON_ICO.path]: () => ({
    contentType: 'image/x-icon',
    bytes: encodeIco(FAVICON_ICO.sizes.map((size) => dropIcon(rounded(size)))),
  }),
};

const drawn = new Map<string, Icon>();

/** The icon at a path; `undefined` = there is none. */
export function iconAt(path: string): Icon | undefined {
  if (!Object.hasOwn(DRAWN, path)) return undefined;
  const known = drawn.get(path) ?? (DRAWN[path] as () => Icon)();
  drawn.set(path, known);
  return known;
}

function rounded(size: number): IconShape {
  return { size, isRounded: true, scale: FULL };
}

function pngOf(shape: IconShape): () => Icon {
  return () => ({ contentType: PNG_TYPE, bytes: encodePng(dropIcon(shape)) });
}
