type Part = { readonly type: string; readonly output?: { readonly type: string; readonly value?: unknown } }
type Message = { readonly role: string; readonly content: string | readonly Part[] }

/** A file in the request of a model, as far as all versions agree. */
export type PromptFile = {
  readonly type: string
  readonly data: { readonly type: string; readonly data?: unknown; readonly url?: URL }
  readonly mediaType: string
  readonly filename?: string
}
type Replacement = { readonly type: string } | undefined

/**
 * The prompt with other parts in place of its files: in messages, and in the outcomes of calls. `replace` gets one file
 * at a time, the newest first.
 */
export async function mapPromptFiles<M extends Message>(
  prompt: readonly M[],
  replace: (file: PromptFile, role: string) => Replacement | Promise<Replacement>,
): Promise<M[]> {
  const mapPart = async (part: Part, role: string): Promise<Replacement> => {
    if (part.type === 'file' || part.type === 'reasoning-file')
      return replace(part as unknown as PromptFile, role)
    const { output } = part
    if (output?.type !== 'content' || !Array.isArray(output.value)) return part
    const value = await mapParts(output.value as Part[], role)
    return { ...part, output: textOutput(value) ?? { ...output, value } } as Part
  }
  const mapParts = async (parts: readonly Part[], role: string): Promise<unknown[]> => {
    const mapped = await mapNewestFirst(parts, (part) => mapPart(part, role))
    return mapped.filter((part) => part !== undefined)
  }
  return mapNewestFirst(prompt, async (message) => {
    if (typeof message.content === 'string') return message
    return { ...message, content: await mapParts(message.content, message.role) }
  })
}

async function mapNewestFirst<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<R[]> {
  const mapped: R[] = []
  for (const item of items.toReversed()) mapped.push(await map(item))
  return mapped.toReversed()
}

/** An outcome without files: some packages would write the list of its texts. */
function textOutput(
  parts: readonly unknown[],
): { readonly type: 'text'; readonly value: string } | undefined {
  const texts = parts as readonly { readonly type: string; readonly text: string }[]
  if (texts.some(({ type }) => type !== 'text')) return undefined
  return { type: 'text', value: texts.map(({ text }) => text).join('\n') }
}

/** Why a model does not get a file at this place. */
export const REPEATED_FILE = 'The same file follows, so its content is left out here.'

/** Names a file for a model that does not get it. */
export function nameFile({ filename, mediaType }: Omit<PromptFile, 'type' | 'data'>, reason: string): string {
  return `[File: ${filename === undefined ? mediaType : `${filename} (${mediaType})`}. ${reason}]`
}
