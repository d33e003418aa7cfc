/** Our own plain logos for the networks: a rounded square in the network's colour with its initials. No trademarks. */
import { type Network, networkOf } from '../../domain/stations/network.ts';
import { normalForm } from '../../domain/unicode-normal-form.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { type Html, html } from './html-template.ts';

/** The logo of a known network, or of one that currently has a station; `undefined` for any other slug. */
export function networkLogo(slug: string, snapshot: Snapshot): Html | undefined {
  const network = knownNetwork(slug) ?? snapshot.networks.find((present) => present.network.slug === slug)?.network;
  return network && logoSvg(network);
}

/** `networkOf` uses its own spelling for the networks it knows and returns any other name as sent. */
function knownNetwork(slug: string): Network | undefined {
  const network = networkOf(slug);
  return network?.slug === slug && network.name !== slug ? network : undefined;
}

function logoSvg({ name, colour }: Network): Html {
  const letters = initials(name);
  const size = [36, 36, 28, 20][[...letters].length] ?? 20;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64" role="img" aria-label="${name}"><title>${name}</title><rect width="64" height="64" rx="14" fill="${colour}"/><text x="32" y="32" dy=".36em" fill="${textColourOn(colour)}" font-family="system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif" font-size="${size}" font-weight="700" text-anchor="middle">${letters}</text></svg>
`;
}

/** "MOL" → MOL, "Petrom" → P, "Fast Oil Grup" → FO. */
export function initials(name: string): string {
  const words = normalForm(name, 'NFC').match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first = ''] = words;
  if (words.length === 1) {
    const letters = [...first];
    return letters.length <= 3 && first === first.toUpperCase() ? first : (letters[0] ?? '').toUpperCase();
  }
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');
}

/** Black or white, whichever is easier to read on a colour (`#rrggbb`). */
export function textColourOn(colour: string): '#000000' | '#ffffff' {
  return contrast(colour, '#000000') > contrast(colour, '#ffffff') ? '#000000' : '#ffffff';
}

/** Contrast ratio of two colours, 1 to 21. Source: WCAG 2.2, "contrast ratio". */
export function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
