import { ServiceError } from 'dragoman/errors'
import { toolResult, type ToolResult } from 'dragoman/agents'
import { comesBack, encode, type Encoding } from '../workspace/encoding.ts'
import { brief } from '../workspace/file-error.ts'
import { putFile } from '../workspace/put-file.ts'
import type { Place } from '../workspace/place.ts'
import { MAX_TEXT_BYTES, sizeOf, type TextFile } from '../workspace/read-text.ts'
import { linesOf, formatDiff, unifiedDiff } from './unified-diff.ts'

/** Puts a new file there. */
export async function createFile(
  place: Place,
  content: string,
): Promise<{ stamp: string; result: ToolResult }> {
  const encoding: Encoding = content.startsWith('\ufeff') ? 'utf-8-bom' : 'utf-8'
  const text = content.replace(/^\ufeff/, '')
  const bytes = encoded(place, text, encoding)
  const stamp = await putFile(place, bytes)
  const lines = linesOf(text)
  return {
    stamp,
    result: toolResult({
      output: { path: place.shown, created: true, bytes: bytes.length, lines },
      text: `Created ${place.shown}: ${lines} ${lines === 1 ? 'line' : 'lines'}, ${bytes.length} bytes.`,
    }),
  }
}

/** Puts another text in the place of the one that was read, written as that was: also with its BOM, or without. */
export async function changeFile(
  place: Place,
  old: TextFile,
  content: string,
): Promise<{ stamp: string; result: ToolResult }> {
  const { shown } = place
  if (!comesBack(old.text, old.encoding, old.bytes)) {
    const why = 'holds bytes that are no text, and that would be lost. Change it by a command.'
    throw new ServiceError('invalid-input', `${brief(shown)} ${why}`)
  }
  const text = content.replace(/^\ufeff/, '')
  const bytes = encoded(place, text, old.encoding)
  const said = { path: shown, created: false, bytes: bytes.length, lines: linesOf(text) }
  if (Buffer.compare(bytes, old.bytes) === 0) {
    const output = { ...said, diff: '', added: 0, removed: 0, truncated: false }
    return {
      stamp: old.stamp,
      result: toolResult({ output, text: `${shown} is as it should be: nothing was changed.` }),
    }
  }
  const told = await unifiedDiff(old.text, text, [shown, shown])
  const stamp = await putFile(place, bytes, old.stamp)
  const output = { ...said, ...told }
  return {
    stamp,
    result: toolResult({ output, text: `Changed ${shown} (${bytes.length} bytes): ${formatDiff(told)}` }),
  }
}

function encoded({ shown }: Place, text: string, encoding: Encoding): Uint8Array {
  const bytes = encode(text, encoding)
  if (bytes.length <= MAX_TEXT_BYTES) return bytes
  const sentence = `${brief(shown)} would have ${sizeOf(bytes.length)}; at most ${sizeOf(MAX_TEXT_BYTES)} are written.`
  throw new ServiceError('too-large', sentence)
}
