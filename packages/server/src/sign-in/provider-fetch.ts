/** Requests to sign-in providers. */

const timeout = 10_000;
const maxBytes = 1024 * 1024;

/**
 * Fetches from a provider: with a timeout, without following redirects, and with a limited body.
 * The operator chose the address, so private ones are allowed.
 */
export async function providerFetch(url: string, options: RequestInit = {}): Promise<Response> {
  const signals = [AbortSignal.timeout(timeout), ...(options.signal ? [options.signal] : [])];
  const response = await fetch(url, { ...options, redirect: 'manual', signal: AbortSignal.any(signals) });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (length > maxBytes) throw new Error(`the response of ${new URL(url).host} is longer than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  const bodyless = status === 204 || status === 304;
  return new Response(bodyless ? null : Buffer.concat(chunks), { status, headers });
}
