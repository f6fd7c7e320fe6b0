/**
 * Long texts in addresses. The server rejects URLs beyond 16 KiB, so from 6 KiB on a query moves to
 * the fragment, which is never sent: `#z=` and the deflated text in base64url.
 */

const unpackedByText = new Map<string, string>();
const packedByText = new Map<string, string>();

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const piped = new Blob([bytes])
    .stream()
    .pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array<ArrayBuffer>>);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

const base64url = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
};

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

/** Fragment of a text, without `#`. */
export async function pack(text: string): Promise<string> {
  const known = packedByText.get(text);
  if (known !== undefined) return known;
  const fragment = `z=${base64url(await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw')))}`;
  packedByText.set(text, fragment);
  unpackedByText.set(fragment, text);
  return fragment;
}

/** Cached text of a fragment; undefined if it has none. */
export const packedText = (fragment: string): string | undefined => unpackedByText.get(fragment.replace(/^#/, ''));

/** Unpacks a fragment into the cache; a damaged one has no text. */
export async function unpackFromHash(hash: string): Promise<void> {
  const fragment = hash.replace(/^#/, '');
  if (!fragment.startsWith('z=') || unpackedByText.has(fragment)) return;
  try {
    const text = new TextDecoder().decode(
      await through(bytesOf(fragment.slice(2)), new DecompressionStream('deflate-raw')),
    );
    unpackedByText.set(fragment, text);
    packedByText.set(text, fragment);
  } catch {
    // The page then shows no query.
  }
}
