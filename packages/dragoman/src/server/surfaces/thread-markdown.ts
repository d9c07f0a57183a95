import type { AssistantMessage, AssistantPart, Json, Message, UserMessage } from '../../events/index.ts'
import type { Thread } from '../../threads/index.ts'

/** What stands over the messages. */
export function headOf({ title, agent, createdAt, updatedAt }: Thread): string {
  const name = inline(title ?? 'Conversation')
  return `# ${name}\n\nAgent ${agent} · begun ${minute(createdAt)} · last change ${minute(updatedAt)}\n`
}

/** A message under a heading that says whose it is and when it was said (ISO 8601). */
export function messageInMarkdown(message: Message, at: string): string {
  const heading = message.role === 'user' ? 'User' : 'Assistant'
  const pieces = message.role === 'user' ? ofUser(message.parts) : ofAssistant(message)
  return [`\n## ${heading} · ${minute(at)}\n`, ...pieces.map((piece) => `\n${piece}\n`)].join('')
}

function ofUser(parts: UserMessage['parts']): string[] {
  return parts.map((part) =>
    part.type === 'text'
      ? closed(part.text)
      : `*File:* ${code(part.filename ?? 'without a name')} (${code(part.mediaType)})`,
  )
}

function ofAssistant({ parts, status, failure }: AssistantMessage): string[] {
  const said = parts.flatMap(ofPart)
  if (failure) return [...said, `*It failed:* ${inline(failure.message)}`]
  if (status === 'cancelled') return [...said, '*It was stopped here.*']
  return status === 'finished' ? said : [...said, '*It has not ended yet.*']
}

function ofPart(part: AssistantPart): string[] {
  switch (part.type) {
    case 'step':
      return []
    case 'text':
      return part.text === '' ? [] : [closed(part.text)]
    case 'reasoning':
      return part.text === '' ? [] : [folded('Reasoning', fenced(part.text))]
    case 'tool':
      return [ofCall(part)]
    case 'data':
      return [folded(`Data: ${part.name}`, fenced(pretty(part.value), 'json'))]
    case 'user':
      return ['**User, meanwhile:**', ...ofUser(part.input)]
  }
}

function ofCall(part: Extract<AssistantPart, { type: 'tool' }>): string {
  const input = part.input === undefined ? fenced(part.inputText) : fenced(pretty(part.input), 'json')
  return [`**Tool** ${code(part.tool)}`, input, outcomeOf(part)].join('\n\n')
}

function outcomeOf({ state, output, text, failure }: Extract<AssistantPart, { type: 'tool' }>): string {
  switch (state) {
    case 'returned':
      return `It returned:\n\n${fenced(text ?? pretty(output ?? null))}`
    case 'failed':
      return `It failed: ${inline(failure?.message ?? '')}`
    case 'asked':
      return 'It waits for an answer.'
    case 'input':
    case 'called':
    case 'answered':
    case 'executing':
      return 'It has not ended.'
  }
}

/** Opened by a click where HTML is shown. What is folded must be fenced, so that it cannot open what is folded. */
function folded(summary: string, fencedText: string): string {
  return `<details><summary>${summary.replaceAll(/[&<>]/g, ' ')}</summary>\n\n${fencedText}\n\n</details>`
}

/** A block of code, in a fence longer than any that stands in it. */
function fenced(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longest(text) + 1))
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

function code(text: string): string {
  const ticks = '`'.repeat(longest(text) + 1)
  const room = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${ticks}${room}${text.replaceAll(/\s+/g, ' ')}${room}${ticks}`
}

/** The longest row of backticks. */
function longest(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, row) => Math.max(most, row.length), 0)
}

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/
/** Where HTML may begin that swallows all that comes after it: a comment, a script, an element that is never ended. */
const HTML = /^( {0,3})<(?=[!?/a-z])/i

/**
 * What somebody wrote in Markdown, as they wrote it, but so that it ends where it ends: a fence that was left open is closed, and no line outside a
 * fence begins HTML.
 */
function closed(text: string): string {
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

/** On one line, and without signs that Markdown would read. */
function inline(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>#|~]/g, '\\$&')
    .trim()
}

function pretty(value: Json): string {
  return JSON.stringify(value, null, 2)
}

/** To the minute, by the clock of Greenwich. */
function minute(at: string): string {
  const time = new Date(at)
  return Number.isNaN(time.getTime()) ? at : `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
