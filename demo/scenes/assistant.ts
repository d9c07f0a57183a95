import { HttpAgent } from '@ag-ui/client'

import { announce, check, say } from '../say.ts'
import type { Server } from '../server.ts'

const addTodo = {
  name: 'addTodo',
  description: 'Adds an item to the todo list',
  parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

type Frame = { readonly type: string; readonly delta?: string; readonly [field: string]: unknown }

/** Asks the assistant for the time, for a sum, and to add an item to the page's list, which only the page can do. */
export async function askAssistant({ url }: Server): Promise<void> {
  announce(
    'The assistant in a page',
    `AG-UI’s own client sends POST ${url}/ag-ui/assistant and prints the events as they arrive.`,
    'The page has a list and a tool addTodo for it. The run waits for the result of the tool,',
    'and continues in the next request of the page.',
  )
  const list: string[] = []
  const agent = new HttpAgent({ url: `${url}/ag-ui/assistant` })
  const ask = async (words: string): Promise<string> => {
    say(`> ${words}\n`)
    const before = agent.messages.length
    agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: words })
    await turn(agent)
    for (let calls = pending(agent); calls.length > 0; calls = pending(agent)) {
      for (const { id, function: called } of calls) {
        const { text } = JSON.parse(called.arguments) as { text: string }
        list.push(text)
        say(`  (the page puts “${text}” on its list, and says so)`)
        const content = JSON.stringify({ items: list.length })
        agent.addMessage({ id: crypto.randomUUID(), role: 'tool', toolCallId: id, content })
      }
      await turn(agent)
    }
    say()
    return JSON.stringify(agent.messages.slice(before))
  }

  const clock = await ask('What time is it in Tokyo?')
  check(clock.includes('Asia/Tokyo'), 'It should have looked at the clock there.')
  check((await ask('What is 8% of 250?')).includes('= 20'), 'It should have been calculated.')
  await ask('Add milk to my todo list')
  check((await ask('0.1 + 0.2 等于多少？')).includes('= 0.3'), 'It should have been calculated.')
  await ask('把茶叶加到待办清单')
  check(list.join() === 'milk,茶叶', `The list should have been filled: ${list.join()}`)
}

/** One request of the page's. Prints what comes: words on, all else a line each, without what is the same in all. */
async function turn(agent: HttpAgent): Promise<void> {
  let isInWords = false
  const print = ({ event }: { event: object }): void => {
    const { type, timestamp: _, ...said } = event as Frame
    if (QUIET.has(type)) return
    if (type === 'TEXT_MESSAGE_CONTENT') process.stdout.write(`${isInWords ? '' : `  ${type} `}${said.delta}`)
    else say(`${isInWords ? '\n' : ''}  ${type} ${JSON.stringify(said)}`)
    isInWords = type === 'TEXT_MESSAGE_CONTENT'
  }
  const { newMessages } = await agent.runAgent({ tools: [addTodo] }, { onEvent: print })
  check(newMessages.length > 0, 'It should have said something.')
}

/** What says only where things begin and end, or what the page has sent itself. */
const QUIET = new Set([
  'MESSAGES_SNAPSHOT',
  'STATE_SNAPSHOT',
  'STEP_STARTED',
  'STEP_FINISHED',
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_END',
  'REASONING_START',
  'REASONING_MESSAGE_START',
  'REASONING_MESSAGE_CONTENT',
  'REASONING_MESSAGE_END',
  'REASONING_END',
])

/** Calls of the page's tool that it has not answered. */
function pending({ messages }: HttpAgent) {
  const answered = new Set(messages.flatMap((each) => (each.role === 'tool' ? [each.toolCallId] : [])))
  return messages
    .flatMap((each) => (each.role === 'assistant' ? (each.toolCalls ?? []) : []))
    .filter(({ id, function: { name } }) => name === addTodo.name && !answered.has(id))
}
