import type { DemoConversation, DemoLanguage, DemoOutcome, DemoReply } from 'dragoman/agents'
import { canonicalJson } from 'dragoman/events'
import { birthDeed } from './birth-words.ts'
import { birthStays, careFor, listeningTo } from './care-words.ts'
import { birthForm, chartDeed, showChart } from './chart-words.ts'
import { dayDeed } from './day-words.ts'
import type { Deed, Phrase } from './deed.ts'
import { deletionDeed } from './deletion-words.ts'
import { memoryDeed } from './memory-words.ts'
import { readSystem } from './read-system.ts'
import { searchDeed } from './search-words.ts'
import { saysNeed, tell } from './tell.ts'

/** Without any of these the agent can do nothing for its user here. */
const OWN = ['show_bazi_chart', 'request_info', 'show_almanac', 'list_memories']

/** Wishes that are read as such: more than these nobody has at once. */
const MOST_WISHES = 6

/**
 * What is to be done next, and once there is nothing, what came of it. Whatever a tool lacks birth data for brings the form. Words of danger
 * never come here: the agent's input guardrail answers them. Undefined where the rules understand no wish.
 */
export function reply(conversation: DemoConversation): DemoReply | undefined {
  const { language, outcomes, answered, tools } = conversation
  const offered = new Set(tools.map(({ name }) => name))
  if (!OWN.some((tool) => offered.has(tool))) return undefined
  const care = outcomes.length > 0 ? undefined : careIn(conversation)
  if (care) return { text: care[language], introduction: false }

  const deeds = deedsOf(conversation).filter(({ tool }) => offered.has(tool))
  const needs = outcomes.some(saysNeed) && offered.has(birthForm.tool) ? [birthForm] : []
  const all = [...deeds, ...needs]
  if (all.length === 0) return formThanks(conversation) ?? listening(conversation)
  const open = all.filter((deed) => !outcomes.some((outcome) => isOf(outcome, deed)))
  const lead = open.flatMap((deed) => (deed.lead ? [deed.lead[language]] : [])).join('\n\n')
  const isBegun = answered !== '' && answered.trim() !== lead
  if (open.length === 0 || isBegun) return { text: told(outcomes, language) }
  return {
    calls: open.map(({ tool, input }) => ({ tool, input })),
    text: lead,
    thought: open.map(({ thought }) => thought[language]).join(language === 'zh' ? '' : ' '),
  }
}

/** What is to be kept, forgotten or looked for, a birth and a form are served, whatever they speak of. */
function careIn(conversation: DemoConversation): Phrase | undefined {
  const { request, system } = conversation
  const { today } = readSystem(system)
  const words = request.slice(0, 2000)
  const care = careFor(words)
  if (!care || savedForm(conversation) !== undefined) return birthStays(words)
  const isServed = wishesOf(words).some(
    (wish) => deletionDeed({ words: wish }) ?? memoryDeed({ words: wish, today }) ?? searchDeed(wish),
  )
  return isServed || birthDeed({ words, today }) ? undefined : care
}

/** Nor is who is sad told whom they talk to: the words say it. */
function listening({ request, outcomes, language }: DemoConversation): DemoReply | undefined {
  const heard = outcomes.length > 0 ? undefined : listeningTo(request)
  return heard && { text: heard[language], introduction: false }
}

function isOf({ tool, input }: DemoOutcome, deed: Deed): boolean {
  return tool === deed.tool && canonicalJson(input) === canonicalJson(deed.input)
}

/** One for each wish, never the same twice. A form that came with the words is gone on with, and counts before a birth in them. */
function deedsOf(conversation: DemoConversation): Deed[] {
  const { request, previousRequest = '' } = conversation
  const { today, lacksBirth } = readSystem(conversation.system)
  const isBirthKept = savedForm(conversation) === 'birth'
  const found = new Map<string, Deed>()
  // A birth may take several sentences.
  const whole = birthDeed({ words: request.slice(0, 2000), today, lacksBirth })
  for (const words of wishesOf(request)) {
    const asked = { words, today, lacksBirth }
    const birth = isBirthKept || !birthDeed(asked) ? undefined : whole
    const deed =
      deletionDeed(asked) ??
      memoryDeed(asked) ??
      searchDeed(words) ??
      birth ??
      dayDeed(asked) ??
      chartDeed(asked)
    if (deed) found.set(`${deed.tool} ${canonicalJson(deed.input)}`, deed)
  }
  if (found.size > 0 || !isBirthKept) return [...found.values()]
  // What the form was opened for.
  const wish = chartDeed({ words: previousRequest, today })
  return [wish && wish.tool !== birthForm.tool ? wish : showChart]
}

/** Sentences, and what comes after “and then”. What is to be remembered is one wish, however long. */
function wishesOf(request: string): string[] {
  return request
    .slice(0, 2000)
    .split(/[。！？!?；;\n]+|(?<=[a-z\d]{2})\.\s+|\s*[,，]?\s*(?:and then|然后|顺便)\s*/iu)
    .map((wish) => wish.trim())
    .filter((wish) => wish !== '')
    .slice(0, MOST_WISHES)
}

function savedForm({ context }: DemoConversation): string | undefined {
  return /^\[Context: The user has filled in the form "(\w+)"/m.exec(context.join('\n'))?.[1]
}

function formThanks(conversation: DemoConversation): DemoReply | undefined {
  if (savedForm(conversation) === undefined) return undefined
  const text = {
    en: 'Thank you, that is saved. You can see, change and delete it in your profile at any time.',
    zh: '谢谢你愿意告诉我，已经存好了。你随时可以在个人资料里查看、修改或删除。',
  }[conversation.language]
  return { text }
}

/** What lacked birth data is not told beside the form that asks for them. */
function told(outcomes: readonly DemoOutcome[], language: DemoLanguage): string {
  const asks = outcomes.some(({ tool }) => tool === birthForm.tool)
  return outcomes
    .filter((outcome) => !(asks && saysNeed(outcome)))
    .map((outcome) => tell(outcome, language))
    .join('\n\n')
}
