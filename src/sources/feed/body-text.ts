/** The text of a body whose encoding may be another than it should be. */

/**
 * Reads a body by its byte order mark, else by the charset of its media type, else as UTF-8. A byte that means nothing
 * there becomes U+FFFD, so that one broken name spoils no prices.
 */
export function bodyText(body: Uint8Array, contentType: string): string {
  const charset = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType)?.[1];
  return decoderOf(encodingOfByteOrderMark(body) ?? charset ?? 'utf-8').decode(body);
}

function encodingOfByteOrderMark([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder('utf-8');
  }
}
