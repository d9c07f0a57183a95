import { openFile } from '../workspace/open-file.ts'
import { fileError } from '../workspace/file-error.ts'
import type { Encoding } from '../workspace/encoding.ts'
import type { WorkspacePath } from '../workspace/resolve-workspace-path.ts'
import { fileStamp } from '../workspace/file-stamp.ts'
import { MAX_SMALL_SIZE, NeedsIsolation } from './needs-isolation.ts'
import { readLines, type Lines } from './read-lines.ts'
import { streamFileText } from './stream-file-text.ts'

/** Of a larger file the lines are not counted, in bytes. */
const MAX_COUNTED_BYTES = 64 * 1024 * 1024

type ReadRequest = { readonly place: WorkspacePath; readonly from: number; readonly most: number }
export type FilePart = {
  readonly lines: Lines
  readonly size: number
  readonly encoding: Encoding
  readonly stamp: string
}

/** Reads lines of a text file, however large it is. @throws as `openFile` and `streamFileText`; `NeedsIsolation` */
export async function readPart({ place, from, most }: ReadRequest, isIsolated: boolean): Promise<FilePart> {
  const { displayPath } = place
  await using file = await openFile(place)
  const found = await file.stat({ bigint: true })
  const size = Number(found.size)
  if (size > MAX_SMALL_SIZE && !isIsolated) throw new NeedsIsolation()
  const { encoding, text } = await streamFileText(file, { displayPath, size })
  const lines = await readLines(text, { from, most, counts: size <= MAX_COUNTED_BYTES }).catch(
    (error: unknown) => {
      throw fileError(displayPath, error)
    },
  )
  return { lines, size, encoding, stamp: fileStamp(found) }
}
