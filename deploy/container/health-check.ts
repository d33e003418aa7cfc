/**
 * The health check of the image: whether `serve` answers. It asks `/livez`, not `/api/v1/health`: that is 503 while
 * prices are too old, and a restart makes no price newer.
 */
const HOST = process.env.HOST ?? '0.0.0.0';
const [anyAddress, thisMachine] = HOST.includes(':') ? ['::', '[::1]'] : ['0.0.0.0', '127.0.0.1'];
const host = HOST === anyAddress ? thisMachine : HOST.includes(':') ? `[${HOST}]` : HOST;
const url = `http://${host}:${process.env.PORT ?? 8080}/livez`;
try {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(4_000) });
  if (status !== 200) throw new Error(`status ${status}`);
} catch (error) {
  const { message, cause } = error as Error;
  console.error(`${url}: ${(cause as Error | undefined)?.message ?? message}`);
  process.exitCode = 1;
}

export {};
