import type { TextPart } from '../files/part-of-text.ts'
import { inUserTurn, workOnText } from '../files/text-work.ts'
import { readTextBytes } from '../workspace/read-text.ts'
import type { WorkspacePath } from '../workspace/resolve-workspace-path.ts'

type ReadOptions = {
  readonly userId: string
  readonly signal: AbortSignal
  /** In characters. */
  readonly maxLength: number
  /** Which lines: those after the first `offset`, at most `limit`. */
  readonly offset?: number
  readonly limit?: number
}

/** A text file for a client. */
type FileText = TextPart & { readonly path: string }

/** Reads lines of a text file for a client, at most so many characters. @throws as `readTextBytes` */
export async function readFileText(
  place: WorkspacePath,
  { userId, signal, maxLength, offset = 0, limit = Infinity }: ReadOptions,
): Promise<FileText> {
  return inUserTurn(userId, signal, async () => {
    const { bytes } = await readTextBytes(place)
    const input = { bytes, offset, limit, maxLength }
    const part = await workOnText(userId, bytes.length, { name: 'part', input })
    return { path: place.displayPath, ...part }
  })
}
