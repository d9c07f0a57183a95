import { ServiceError } from 'dragoman/errors'
import { toolResult, type ToolResult } from 'dragoman/agents'
import { survivesEncoding, encode, type Encoding } from '../workspace/encoding.ts'
import { shortPath } from '../workspace/file-error.ts'
import { putFile } from '../workspace/put-file.ts'
import type { WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { MAX_TEXT_BYTES, formatSize, type TextFile } from '../workspace/read-text.ts'
import { countLines, formatDiff, unifiedDiff } from './unified-diff.ts'

/** Called right before a file is written. `before` is undefined if there is none. */
export type BeforeWrite = (before: Uint8Array | undefined, after: Uint8Array) => Promise<void>

/** Puts a new file there. */
export async function createFile(
  place: WorkspacePath,
  content: string,
  beforeWrite?: BeforeWrite,
): Promise<{ stamp: string; result: ToolResult }> {
  const encoding: Encoding = content.startsWith('\ufeff') ? 'utf-8-bom' : 'utf-8'
  const text = content.replace(/^\ufeff/, '')
  const bytes = encodeWithin(place, text, encoding)
  await beforeWrite?.(undefined, bytes)
  const stamp = await putFile(place, bytes)
  const lines = countLines(text)
  return {
    stamp,
    result: toolResult({
      output: { path: place.displayPath, created: true, bytes: bytes.length, lines },
      text: `Created ${place.displayPath}: ${lines} ${lines === 1 ? 'line' : 'lines'}, ${bytes.length} bytes.`,
    }),
  }
}

/** Replaces the text of a file and keeps its encoding and BOM. */
export async function changeFile(
  place: WorkspacePath,
  old: TextFile,
  content: string,
  beforeWrite?: BeforeWrite,
): Promise<{ stamp: string; result: ToolResult }> {
  const { displayPath } = place
  if (!survivesEncoding(old.text, old.encoding, old.bytes)) {
    const why = 'holds bytes that are no text, and that would be lost. Change it by a command.'
    throw new ServiceError('invalid-input', `${shortPath(displayPath)} ${why}`)
  }
  const text = content.replace(/^\ufeff/, '')
  const bytes = encodeWithin(place, text, old.encoding)
  const file = { path: displayPath, created: false, bytes: bytes.length, lines: countLines(text) }
  if (Buffer.compare(bytes, old.bytes) === 0) {
    const output = { ...file, diff: '', added: 0, removed: 0, truncated: false }
    return {
      stamp: old.stamp,
      result: toolResult({ output, text: `${displayPath} is as it should be: nothing was changed.` }),
    }
  }
  const difference = await unifiedDiff(old.text, text, [displayPath, displayPath])
  await beforeWrite?.(old.bytes, bytes)
  const stamp = await putFile(place, bytes, old.stamp)
  const output = { ...file, ...difference }
  return {
    stamp,
    result: toolResult({
      output,
      text: `Changed ${displayPath} (${bytes.length} bytes): ${formatDiff(difference)}`,
    }),
  }
}

function encodeWithin({ displayPath }: WorkspacePath, text: string, encoding: Encoding): Uint8Array {
  const bytes = encode(text, encoding)
  if (bytes.length <= MAX_TEXT_BYTES) return bytes
  const sentence =
    `${shortPath(displayPath)} would have ${formatSize(bytes.length)}; at most ` +
    `${formatSize(MAX_TEXT_BYTES)} are written.`
  throw new ServiceError('too-large', sentence)
}
