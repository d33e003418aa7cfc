/** Decodes a body whose encoding may differ from the declared one. */

/**
 * Decodes a body by its byte order mark, else by the charset of its media type, else as UTF-8. An invalid byte becomes
 * U+FFFD, so that one broken name does not cost the prices.
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
