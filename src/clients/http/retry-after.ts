/** Reads a `Retry-After` header, in milliseconds from now; `null` = missing or invalid. Source: RFC 9110, 10.2.3. */
export function parseRetryAfter(header: string, now = Date.now()): number | null {
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
