import { decodeText, readTextBytes } from './read-text.ts'
import type { WorkspacePath } from './resolve-workspace-path.ts'

/** A text file, whole. */
export async function readText(place: WorkspacePath): Promise<{ text: string; stamp: string }> {
  const { bytes, stamp } = await readTextBytes(place)
  return { text: decodeText(bytes).text, stamp }
}
