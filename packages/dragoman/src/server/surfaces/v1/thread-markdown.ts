import type { AssistantMessage, AssistantPart, Json, Message, UserMessage } from '../../../events/index.ts'
import type { Thread } from '../../../threads/index.ts'

/** The heading above the messages. */
export function threadHeading({ title, agent, createdAt, updatedAt }: Thread): string {
  const name = escapeInline(title ?? 'Conversation')
  return `# ${name}\n\nAgent ${agent} · begun ${formatMinute(createdAt)} · last change ${formatMinute(updatedAt)}\n`
}

/** A message under a heading with its role and time (ISO 8601). */
export function messageToMarkdown(message: Message, at: string): string {
  const heading = message.role === 'user' ? 'User' : 'Assistant'
  const pieces = message.role === 'user' ? userParts(message.parts) : assistantParts(message)
  return [`\n## ${heading} · ${formatMinute(at)}\n`, ...pieces.map((piece) => `\n${piece}\n`)].join('')
}

function userParts(parts: UserMessage['parts']): string[] {
  return parts.map((part) =>
    part.type === 'text'
      ? closeOpenMarkup(part.text)
      : `*File:* ${inlineCode(part.filename ?? 'without a name')} (${inlineCode(part.mediaType)})`,
  )
}

function assistantParts({ parts, status, failure }: AssistantMessage): string[] {
  const pieces = parts.flatMap(partToMarkdown)
  if (failure) return [...pieces, `*It failed:* ${escapeInline(failure.message)}`]
  if (status === 'cancelled') return [...pieces, '*It was stopped here.*']
  return status === 'finished' ? pieces : [...pieces, '*It has not ended yet.*']
}

function partToMarkdown(part: AssistantPart): string[] {
  switch (part.type) {
    case 'step':
      return []
    case 'text':
      return part.text === '' ? [] : [closeOpenMarkup(part.text)]
    case 'reasoning':
      return part.text === '' ? [] : [details('Reasoning', codeBlock(part.text))]
    case 'tool':
      return [callToMarkdown(part)]
    case 'data':
      return [details(`Data: ${part.name}`, codeBlock(pretty(part.value), 'json'))]
    case 'source':
      return [sourceToMarkdown(part)]
    case 'file':
      return part.kind === 'output' ? [`*File:* ${inlineCode(part.url)} (${inlineCode(part.mediaType)})`] : []
    case 'custom':
      return []
    case 'user':
      return ['**User, meanwhile:**', ...userParts(part.input)]
  }
}

function sourceToMarkdown({ url, title, filename }: Extract<AssistantPart, { type: 'source' }>): string {
  const name = title ?? filename
  return [
    `*Source:*`,
    ...(name === undefined ? [] : [escapeInline(name)]),
    ...(url === undefined ? [] : [inlineCode(url)]),
  ].join(' ')
}

function callToMarkdown(part: Extract<AssistantPart, { type: 'tool' }>): string {
  const input = part.input === undefined ? codeBlock(part.inputText) : codeBlock(pretty(part.input), 'json')
  return [`**Tool** ${inlineCode(part.tool)}`, input, outcomeToMarkdown(part)].join('\n\n')
}

function outcomeToMarkdown({
  state,
  output,
  text,
  failure,
}: Extract<AssistantPart, { type: 'tool' }>): string {
  switch (state) {
    case 'returned':
      return `It returned:\n\n${codeBlock(text ?? pretty(output ?? null))}`
    case 'failed':
      return `It failed: ${escapeInline(failure?.message ?? '')}`
    case 'asked':
      return 'It waits for an answer.'
    case 'input':
    case 'called':
    case 'answered':
    case 'executing':
      return 'It has not ended.'
  }
}

/** A collapsed block. Its content must be fenced, so that it cannot close the block. */
function details(summary: string, fencedText: string): string {
  return `<details><summary>${summary.replaceAll(/[&<>]/g, ' ')}</summary>\n\n${fencedText}\n\n</details>`
}

/** A code block, in a fence longer than any in the text. */
function codeBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(text) + 1))
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

function inlineCode(text: string): string {
  const ticks = '`'.repeat(longestBacktickRun(text) + 1)
  const room = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${ticks}${room}${text.replaceAll(/\s+/g, ' ')}${room}${ticks}`
}

function longestBacktickRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, row) => Math.max(most, row.length), 0)
}

const FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))(.*)$/
/** The start of HTML that would swallow the rest: a comment, a script, an unclosed element. */
const HTML = /^( {0,3})<(?=[!?/a-z])/i

/** Keeps Markdown as written, but closes an open fence and escapes HTML at the start of a line outside fences. */
function closeOpenMarkup(text: string): string {
  let open = ''
  const lines = text.split(/\r?\n/).map((line) => {
    const [, fence = '', rest = ''] = FENCE.exec(line) ?? []
    if (open !== '') {
      if (fence.startsWith(open) && rest.trim() === '') open = ''
      return line
    }
    if (fence !== '' && !(fence.startsWith('`') && rest.includes('`'))) open = fence
    return line.replace(HTML, '$1\\<')
  })
  return [...lines, ...(open === '' ? [] : [open])].join('\n')
}

/** On one line, with Markdown's special characters escaped. */
function escapeInline(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>#|~]/g, '\\$&')
    .trim()
}

function pretty(value: Json): string {
  return JSON.stringify(value, null, 2)
}

/** To the minute, in UTC. */
function formatMinute(at: string): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? at : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
