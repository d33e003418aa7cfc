/** Answers requests for the pictures of link previews. */
import type { Visitor } from '../frame/journey-planner.ts';
import type { SiteResponse } from '../frame/page.ts';
import type { SiteData } from '../frame/site-data.ts';
import { previewFingerprint, previewRequestAt } from '../previews/link-preview.ts';
import type { PreviewPictures } from '../previews/preview-pictures.ts';
import { previewNamed } from './preview-makers.ts';

const SECURITY_HEADERS = {
  'Content-Security-Policy': "default-src 'none'",
  // Social networks show it on pages of theirs.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
/** The address changes with the content. */
const CURRENT_HEADERS = { ...SECURITY_HEADERS, 'Cache-Control': 'public, max-age=31536000, immutable' };
/** The address of an earlier content: whoever still has it gets today's. */
const OUTDATED_HEADERS = { ...SECURITY_HEADERS, 'Cache-Control': 'public, max-age=300' };

/** The refusal of a picture for which too many others wait. */
export const BUSY: SiteResponse = {
  status: 503,
  contentType: 'text/plain; charset=utf-8',
  body: Buffer.from('Too many pictures are being drawn; please try again.\n'),
  headers: { 'Retry-After': '10', 'Cache-Control': 'no-store' },
};

export type PreviewInput = {
  readonly pictures: PreviewPictures;
  readonly data: SiteData;
  readonly visitor: Visitor;
  /** Tells clients apart. */
  readonly clientOf: (visitor: Visitor) => string;
};

/** The picture at a path; `undefined` = there is none, which costs no drawing. */
export function previewResponse(
  path: string,
  { pictures, data, visitor, clientOf }: PreviewInput,
): SiteResponse | Promise<SiteResponse> | undefined {
  const request = previewRequestAt(path);
  const preview = request === undefined ? null : previewNamed(request.page, data);
  if (request === undefined || preview === null) return undefined;
  const headers = request.fingerprint === previewFingerprint(preview) ? CURRENT_HEADERS : OUTDATED_HEADERS;
  const known = pictures.cached(preview);
  if (known !== undefined) return pictureOf(known, headers);
  return pictures.draw(preview, clientOf(visitor)).then((png) => (png === null ? BUSY : pictureOf(png, headers)));
}

function pictureOf(png: Buffer, headers: Readonly<Record<string, string>>): SiteResponse {
  return { status: 200, contentType: 'image/png', body: png, headers };
}
