import { forkServer } from './fork-server.ts'
import { ask, read, inParallel } from './readers.ts'
import { prose } from './bench-model.ts'

/** Measures bytes per word on disk, before and after a log is packed, for 100 runs of 1,000 words of prose. */
export async function measurePackedLogs(): Promise<string> {
  const [runs, tokens] = [100, 1000]
  const server = await forkServer('spine', { TOKENS: tokens, PACE: 50, PROSE: 1 })
  await inParallel(runs, () => read(ask(server.url)))
  const { disk, packed } = await server.end()
  const pieces = Array.from({ length: tokens }, (_none, index) => prose[index % prose.length] ?? '')
  const text = Buffer.byteLength(pieces.join('')) / tokens
  const each = (bytes: number): string => (bytes / (runs * tokens)).toFixed(1)
  return (
    `bytes a token of prose on the disk: ${text.toFixed(1)} of text, ${each(disk)} with all rows; ` +
    `its log once packed ${each(packed)}, ${(packed / (runs * tokens) / text).toFixed(2)} × the text`
  )
}
