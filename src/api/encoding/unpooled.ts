/**
 * Bytes to keep, after `room` unset bytes: a copy, unless they have their memory for themselves. Node cuts buffers of
 * up to 32 KB out of pieces of 64 KB, and each keeps its whole piece in memory: a cached body of 300 bytes would cost
 * 64 KB. Whoever passes bytes does not change them afterwards.
 */
export function unpooled(bytes: Buffer, room = 0): Buffer {
  if (room === 0 && bytes.length === bytes.buffer.byteLength) return bytes;
  const copy = Buffer.allocUnsafeSlow(room + bytes.length);
  bytes.copy(copy, room);
  return copy;
}
