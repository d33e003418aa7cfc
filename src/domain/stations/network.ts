/** Station networks: their names in one spelling, their colours and logos. */
import { normalForm } from '../unicode-normal-form.ts';

export type Network = {
  readonly slug: string;
  readonly name: string;
  /** `#rrggbb`, for user interfaces. */
  readonly colour: string;
  /** Path of the logo on this service. */
  readonly logo: string;
};

const KNOWN_NETWORKS: readonly (readonly [slug: string, name: string, colour: string, spellings: RegExp])[] = [
  ['petrom', 'Petrom', '#004a99', /^(omv )?petrom\b/],
  ['omv', 'OMV', '#009639', /^omv\b/],
  ['rompetrol', 'Rompetrol', '#d6a400', /^(kmg )?rompetrol\b/],
  ['lukoil', 'Lukoil', '#e31e24', /^lukoil\b/],
  ['mol', 'MOL', '#ff6600', /^mol\b/],
  ['socar', 'Socar', '#00a1de', /^socar\b/],
  ['gazprom', 'Gazprom', '#0066b3', /^(gazprom|nis petrol)\b/],
  ['oscar', 'Oscar', '#b01e2e', /^oscar\b/],
];

/** Colour of a brand without a logo of its own. */
const NEUTRAL_COLOUR = '#6b7280';

/**
 * The network that a brand name means: a known one in any usual spelling ("LUKOIL România S.R.L." → Lukoil), any other
 * brand as an independent network with a neutral logo. `null` when the text has no letter or digit.
 */
export function networkOf(brand: string): Network | null {
  const plain = foldBrand(brand);
  const known = KNOWN_NETWORKS.find(([, , , spellings]) => spellings.test(plain));
  if (known) return { slug: known[0], name: known[1], colour: known[2], logo: logoPath(known[0]) };
  const name = brand.trim().replace(/\s+/g, ' ').slice(0, 60).trim();
  const slug = foldBrand(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (slug === '') return null;
  return { slug, name, colour: NEUTRAL_COLOUR, logo: logoPath(slug) };
}

/** The known network with exactly this slug, else `null`. */
export function knownNetwork(slug: string): Network | null {
  const known = KNOWN_NETWORKS.find(([own]) => own === slug);
  return known ? { slug: known[0], name: known[1], colour: known[2], logo: logoPath(known[0]) } : null;
}

function logoPath(slug: string): string {
  return `/logo/${slug}.svg`;
}

function foldBrand(brand: string): string {
  return normalForm(brand, 'NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
