import { countLines } from '../files/unified-diff.ts'
import { encodingNames } from '../workspace/encoding.ts'
import { readText } from '../workspace/read-text.ts'
import type { WorkspacePath } from '../workspace/resolve-workspace-path.ts'

/** A text file for a client: `content` is its beginning. */
export type FileText = {
  readonly path: string
  readonly content: string
  readonly totalLines: number
  readonly truncated: boolean
  readonly encoding: string
}

/** Reads a text file for a client, at most so many characters. @throws as `readText` */
export async function readFileText(place: WorkspacePath, maxLength: number): Promise<FileText> {
  const { text, encoding } = await readText(place)
  return {
    path: place.displayPath,
    // No character is cut in two.
    content: text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, ''),
    totalLines: countLines(text),
    truncated: text.length > maxLength,
    encoding: encodingNames[encoding],
  }
}
