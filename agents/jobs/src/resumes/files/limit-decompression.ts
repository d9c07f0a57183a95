/**
 * Counts what the platform's streams unpack from now on, for PDF.js unpacks with them and without measure: V8 does
 * not count the memory. `tooMuch` is called as soon as it is more than `most` since `restart` was called.
 */
export function limitDecompression(most: number, tooMuch: () => void): { restart(): void } {
  let size = 0
  const Platform = globalThis.DecompressionStream
  const counting = function (format: ConstructorParameters<typeof Platform>[0]): DecompressionStream {
    const { readable, writable } = new Platform(format)
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, control) {
        size += chunk.byteLength
        if (size > most) tooMuch()
        control.enqueue(chunk)
      },
    })
    return { writable, readable: readable.pipeThrough(counter) }
  }
  globalThis.DecompressionStream = counting as unknown as typeof DecompressionStream
  return {
    restart: () => {
      size = 0
    },
  }
}
