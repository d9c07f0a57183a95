import { announce, joinNames, check, say } from '../say.ts'
import type { Server } from '../server.ts'

const FORM = {
  info_type: 'birth',
  birthDate: '1990-05-15',
  birthTime: '14:30',
  birthPlace: '成都',
  gender: 'female',
}
/** Of what is said, so many lines are enough. */
const MAX_SHOWN_LINES = 9

type Card = { readonly cardType?: string; readonly text: string }
type Whole = {
  readonly content: string
  readonly toolCalls?: readonly { readonly toolName: string; readonly result: Card }[]
}
type Greeting = { readonly greeting: string; readonly fortune_hint: string; readonly action_tip: string }

/** Shows the life agent: its greeting, a form, the chart of its values, and a memory that it stores and deletes. */
export async function talkOfLife({ url, get, send }: Server): Promise<void> {
  announce(
    'The life agent',
    'No model here either: code computes the greeting and the chart, and the built-in rules describe them.',
    'Each answer is whole:',
    `POST ${url}/api/v1/chat/v5/stream, in one conversation, with options.stream false.`,
  )
  const { greeting, fortune_hint: hint, action_tip: tip } = await get<Greeting>('/api/fortune/greeting')
  say(`GET ${url}/api/fortune/greeting\n  ${greeting}\n  ${hint}\n  ${tip}\n`)
  const ask = async (message: string, form?: object): Promise<Whole> => {
    const body = { message, conversation_id: 'demo-life', ...(form && { form }), options: { stream: false } }
    const answer = await send<Whole>('POST', '/api/v1/chat/v5/stream', body)
    say(`> ${message}${form ? `\n  form: ${JSON.stringify(form)}` : ''}\n`)
    say(`  (cards: ${joinNames(cardsOf(answer))})`)
    const lines = answer.content.split('\n').filter((line) => line !== '')
    for (const line of lines.slice(0, MAX_SHOWN_LINES)) say(`  ${line}`)
    say(lines.length > MAX_SHOWN_LINES ? `  … ${lines.length - MAX_SHOWN_LINES} lines more\n` : '')
    return answer
  }

  const formAnswer = await ask('看看我的八字')
  check(
    cardsOf(formAnswer).join() === 'need_info,collect_form',
    'A form should have been opened, and no chart made up.',
  )
  const chartAnswer = await ask('填好了', FORM)
  check(cardsOf(chartAnswer).join() === 'bazi_chart', 'The chart should have been shown.')
  for (const pillar of ['庚午', '辛巳', '庚辰', '癸未'])
    check(chartAnswer.content.includes(pillar), `${pillar} should have been named.`)
  await ask('Remember that I like hiking')
  const memoryAnswer = await ask('What do you remember about me?')
  check(memoryAnswer.content.includes('I like hiking'), 'It should have been remembered.')
  await ask('Forget that I like hiking')
  const { total } = await get<{ readonly total: number }>('/life/memories')
  check(total === 0, 'It should have been forgotten.')
  say(`GET ${url}/life/memories: ${total}`)
}

function cardsOf({ toolCalls = [] }: Whole): string[] {
  return toolCalls.flatMap(({ result: { cardType } }) => cardType ?? [])
}
