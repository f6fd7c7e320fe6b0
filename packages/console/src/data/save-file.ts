/** Downloads streams of the server and texts of the page. */

interface Picker {
  showSaveFilePicker?(options: {
    readonly suggestedName: string;
  }): Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;
}

/**
 * Streams a response to disk where the browser supports it, otherwise through memory. The file is
 * chosen before the request, because browsers open their dialog only just after a click.
 * @param onBytes gets the bytes received so far
 * @returns false if the user chose no file
 */
export async function saveStream(
  request: () => Promise<Response>,
  name: string,
  onBytes: (bytes: number) => void,
): Promise<boolean> {
  const { showSaveFilePicker: picker } = globalThis as Picker;
  const file = await picker?.({ suggestedName: name }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') return null;
    throw error;
  });
  if (file === null) return false;
  const answer = await request();
  let bytes = 0;
  const counted = answer.body!.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.length;
        onBytes(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  if (file === undefined) saveBlob(await new Response(counted).blob(), name);
  else await counted.pipeTo(await file.createWritable());
  return true;
}

export const saveText = (text: string, name: string): void => saveBlob(new Blob([text], { type: 'text/plain' }), name);

function saveBlob(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The click starts the download; the address may be revoked once it is read.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
