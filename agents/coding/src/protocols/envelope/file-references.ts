import { isJsonObject, type Json, type Run } from 'dragoman/events'
import type { FileReference, FileReferences } from './wire.ts'

/** The referenced files of the run's message without their content. None: undefined. */
export function fileReferences({ request: { context } }: Run): FileReferences | undefined {
  const found = isJsonObject(context) ? context['files'] : undefined
  if (!Array.isArray(found)) return undefined
  const files = (found as readonly Json[]).flatMap((file): readonly FileReference[] => {
    if (!isJsonObject(file)) return []
    const { text: _text, entries: _entries, path, size, ...reference } = file
    return typeof path === 'string' ? [{ path, size: typeof size === 'number' ? size : 0, ...reference }] : []
  })
  return files.length > 0 ? { files } : undefined
}
