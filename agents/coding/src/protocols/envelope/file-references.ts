import { isJsonObject, type Json, type Run } from 'dragoman/events'

/** The referenced files of the run's message without their content. */
export function fileReferences({ request: { context } }: Run): readonly Json[] {
  const files = isJsonObject(context) ? context['files'] : undefined
  if (!Array.isArray(files)) return []
  return (files as readonly Json[]).flatMap((file) => {
    if (!isJsonObject(file) || typeof file['path'] !== 'string') return []
    const { text: _text, entries: _entries, ...reference } = file
    return [reference]
  })
}
