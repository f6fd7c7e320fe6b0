/** Downloads streams of the server and texts of the page. */

interface Picker {
  showSaveFilePicker?(options: {
    readonly suggestedName: string;
  }): Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;
}

/**
 * Streams to disk where the browser supports it, otherwise through memory. @param onBytes gets the
 * bytes received so far
 */
export async function saveStream(answer: Response, name: string, onBytes: (bytes: number) => void): Promise<void> {
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
  const picker = (globalThis as Picker).showSaveFilePicker;
  if (picker !== undefined) {
    const file = await picker({ suggestedName: name });
    await counted.pipeTo(await file.createWritable());
    return;
  }
  saveBlob(await new Response(counted).blob(), name);
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
