import type { EngineHost, ToolFile } from '../agents/index.ts'
import { isServiceError, ServiceError } from '../errors.ts'
import { fileIdOf, fileUrl, type FileEvent, type Run } from '../events/index.ts'
import type { RunFiles } from './ports.ts'
import type { RunContext } from './run-context.ts'

type Owner = Pick<Run, 'userId' | 'threadId'>

/** The files of a run, for its engine. */
export function createHostFiles(
  run: Owner,
  files: RunFiles | undefined,
  signal: AbortSignal,
): Pick<EngineHost, 'saveFile' | 'readFile'> {
  return {
    async saveFile(file) {
      if (!files) throw new ServiceError('unavailable', 'This server stores no files.')
      return fileUrl((await files.save(run, file)).id)
    },
    async readFile(url, maxBytes) {
      if (!files) throw new ServiceError('unavailable', 'This server stores no files.')
      const id = fileIdOf(url)
      const { userId } = run
      return id === undefined
        ? files.fetch(url, { userId, signal, maxBytes })
        : files.read(userId, id, maxBytes)
    },
  }
}

/** A file as a tool gave it, whatever its types demand: a text is its content too. */
function readToolFile(file: unknown): Partial<ToolFile> & Pick<ToolFile, 'mediaType'> {
  const { mediaType, filename, content } = (file ?? {}) as { readonly [field in keyof ToolFile]?: unknown }
  const isText = typeof content === 'string'
  const bytes = isText ? Buffer.from(content) : content
  return {
    mediaType: typeof mediaType === 'string' ? mediaType : isText ? 'text/plain' : 'application/octet-stream',
    ...(typeof filename === 'string' && { filename }),
    ...((bytes instanceof Uint8Array || bytes instanceof URL) && { content: bytes }),
  }
}

/** The files of a call's result, stored, and a line of each for those who see texts only. */
export async function saveToolFiles(
  callId: string,
  files: readonly ToolFile[] = [],
  { run, ports, control }: Pick<RunContext, 'run' | 'ports' | 'control'>,
): Promise<{ readonly events: readonly FileEvent[]; readonly lines: readonly string[] }> {
  const events: FileEvent[] = []
  const lines: string[] = []
  const { saveFile } = createHostFiles(run, ports.files, control.signal)
  for (const file of Array.isArray(files) ? (files as readonly unknown[]) : [files]) {
    const { mediaType, filename, content } = readToolFile(file)
    const name = filename ?? mediaType
    try {
      if (content === undefined)
        throw new ServiceError('tool-failed', 'Its content is no Uint8Array, URL or text.')
      const url =
        content instanceof URL
          ? content.href
          : await saveFile({ mediaType, content, ...(filename !== undefined && { filename }) })
      const named = filename !== undefined && { filename }
      events.push({ type: 'file', url, mediaType, kind: 'output', ...named, callId })
      lines.push(`[File: ${name}, ${url}]`)
    } catch (error) {
      if (!isServiceError(error)) throw error
      lines.push(`[File: ${name} was not kept. ${error.message}]`)
    }
  }
  return { events, lines }
}
