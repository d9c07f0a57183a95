import { announce, check, say } from '../say.ts'
import type { Server } from '../server.ts'
import type { Pair } from './judging.ts'

const QUESTION = {
  messages: [{ role: 'user', content: '帮我搜索软件工程师职位', timestamp: '2024-01-22T10:00:00Z' }],
  context: { activeFilters: { location: 'San Francisco', remote: true } },
}
/** After so many frames in a row that only go on with a text, its words are enough. */
const MAX_SHOWN_DELTAS = 3

/** The agent is asked, and its answer is printed frame by frame, as it comes. */
export async function askStreaming({ url }: Server): Promise<void> {
  const body = JSON.stringify(QUESTION)
  announce(
    'The jobs agent is asked',
    'What a terminal would send, and the frames of the answer as they come:',
  )
  say(`curl -N ${url}/jobs/chat -H 'content-type: application/json' \\\n  -d '${body}'\n`)
  const response = await fetch(`${url}/jobs/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const printer = framePrinter()
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of response.body ?? []) {
    const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) printer(frame)
  }
  say(`\nThe run was ${response.headers.get('x-run-id')}, in ${response.headers.get('x-conversation-id')}.`)
  check(response.ok && rest === '', 'The answer should have come whole.')
}

function framePrinter(): (frame: string) => void {
  let deltas = 0
  return (frame) => {
    // A comment, which keeps a slow connection open.
    if (frame.startsWith(':')) return
    const { delta } = JSON.parse(frame.replace(/^data: /, '')) as { delta?: string }
    const isMore = delta !== undefined && deltas >= MAX_SHOWN_DELTAS
    if (isMore)
      process.stdout.write(deltas === MAX_SHOWN_DELTAS ? `(words of more such frames:) ${delta}` : delta)
    else say(`${deltas > MAX_SHOWN_DELTAS ? '\n' : ''}${frame}`)
    deltas = delta === undefined ? 0 : deltas + 1
  }
}

type Whole = { readonly content: string; readonly finishReason: string }

/** Two more questions, answered whole. */
export async function askWhole({ send }: Server, { jobId, resumeId }: Pair): Promise<void> {
  announce(
    'The chat once more',
    'Now answered whole: POST /jobs/chat with options.stream false. The first question has context.jobId and resumeId.',
  )
  const questions = [
    { words: '这个职位适合我吗？', context: { jobId, resumeId } },
    { words: 'show my statistics', context: {} },
  ]
  for (const { words, context } of questions) {
    const messages = [{ role: 'user', content: words }]
    const { content, finishReason } = await send<Whole>('POST', '/jobs/chat', {
      messages,
      context,
      options: { stream: false },
    })
    say(`> ${words}\n\n${content.replaceAll(/^(?=.)/gm, '  ')}`)
    say()
    check(content !== '' && finishReason === 'stop', `“${words}” should have been answered whole.`)
  }
}
