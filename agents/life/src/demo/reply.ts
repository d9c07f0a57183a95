import { canonicalJson } from '../../../../events/index.ts'
import type { Conversation, Outcome } from '../../conversation.ts'
import type { Language, Phrase } from '../../language.ts'
import { recollection } from '../assistant/recollection.ts'
import type { Work } from '../coding/work.ts'
import { birthDeed } from './birth-words.ts'
import { birthStays, careFor, listeningTo } from './care-words.ts'
import { birthForm, chartDeed, showChart } from './chart-words.ts'
import { crisisWords, showsCrisis } from '../../../../crisis.ts'
import { dayDeed } from './day-words.ts'
import type { Deed } from './deed.ts'
import { memoryDeed } from './memory-words.ts'
import { saysNeed, tell } from './tell.ts'

/** By these the life agent is known: no other has them. */
const OWN = ['show_bazi_chart', 'request_info', 'show_almanac', 'list_memories']

/** Wishes that are read as such: more than these nobody has at once. */
const MOST_WISHES = 6

/**
 * What is to be done next for whom the life agent talks to, and once there is nothing, what came of it. Whatever a tool lacks birth data for
 * brings the form; where somebody's words show signs of harm to themselves there is care, and no tool. Undefined where the rules
 * understand no wish.
 */
export function lifeWork(conversation: Conversation, offered: ReadonlySet<string>): Work | undefined {
  const { request, language, outcomes } = conversation
  if (!OWN.some((tool) => offered.has(tool))) return undefined
  if (showsCrisis(request)) return { steps: [], thought: '', words: crisisWords[language], alone: true }

  const care = outcomes.length > 0 ? undefined : careIn(conversation)
  if (care) return { steps: [], thought: '', words: care[language], alone: true }

  const deeds = deedsOf(conversation).filter(({ tool }) => offered.has(tool))
  const needs = outcomes.some(saysNeed) && offered.has(birthForm.tool) ? [birthForm] : []
  const all = [...deeds, ...needs]
  if (all.length === 0) return formThanks(conversation) ?? listening(conversation)
  const open = all.filter((deed) => !outcomes.some((outcome) => isOf(outcome, deed)))
  const lead = open.flatMap((deed) => (deed.lead ? [deed.lead[language]] : [])).join('\n\n')
  return {
    steps: open.map(({ tool, input }) => ({ tool, input })),
    ...(lead !== '' && { lead }),
    thought: open.map(({ thought }) => thought[language]).join(language === 'zh' ? '' : ' '),
    words: told(outcomes, language),
  }
}

/** What is to be kept, forgotten or looked for, a birth and a form are served, whatever they speak of. */
function careIn(conversation: Conversation): Phrase | undefined {
  const { request, today } = conversation
  const words = request.slice(0, 2000)
  const care = careFor(words)
  if (!care || savedForm(conversation) !== undefined) return birthStays(words)
  const isServed = wishesOf(words).some((wish) => memoryDeed({ words: wish, today }) ?? searchDeed(wish))
  return isServed || birthDeed({ words, today }) ? undefined : care
}

/** Nor is who is sad told whom they talk to: the words say it. */
function listening({ request, outcomes, language }: Conversation): Work | undefined {
  const heard = outcomes.length > 0 ? undefined : listeningTo(request)
  return heard && { steps: [], thought: '', words: heard[language], alone: true }
}

function isOf({ tool, input }: Outcome, deed: Deed): boolean {
  return tool === deed.tool && canonicalJson(input as Deed['input']) === canonicalJson(deed.input)
}

/** One for each wish, never the same twice. A form that came with the words is gone on with, and counts before a birth in them. */
function deedsOf(conversation: Conversation): Deed[] {
  const { request, before, today, lacksBirth = false } = conversation
  const isBirthKept = savedForm(conversation) === 'birth'
  const found = new Map<string, Deed>()
  // A birth may take several sentences.
  const whole = birthDeed({ words: request.slice(0, 2000), today, lacksBirth })
  for (const words of wishesOf(request)) {
    const asked = { words, today, lacksBirth }
    const birth = isBirthKept || !birthDeed(asked) ? undefined : whole
    const deed = memoryDeed(asked) ?? searchDeed(words) ?? birth ?? dayDeed(asked) ?? chartDeed(asked)
    if (deed) found.set(`${deed.tool} ${canonicalJson(deed.input)}`, deed)
  }
  if (found.size > 0 || !isBirthKept) return [...found.values()]
  // What the form was opened for.
  const wish = chartDeed({ words: before ?? '', today })
  return [wish && wish.tool !== birthForm.tool ? wish : showChart]
}

function searchDeed(words: string): Deed | undefined {
  const found = recollection.read({ words, language: 'en', context: [], required: [] })
  const query = found?.input['words']
  if (query === undefined) return undefined
  const thought = { en: 'I will look through what was said before.', zh: '我来查找以前说过的话。' }
  return { tool: 'search_db', input: { query }, thought }
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

function savedForm({ context }: Conversation): string | undefined {
  return /^\[Context: The user has filled in the form "(\w+)"/m.exec(context.join('\n'))?.[1]
}

function formThanks(conversation: Conversation): Work | undefined {
  if (savedForm(conversation) === undefined) return undefined
  const words = {
    en: 'Thank you, that is saved. You can see, change and delete it in your profile at any time.',
    zh: '谢谢你愿意告诉我，已经存好了。你随时可以在个人资料里查看、修改或删除。',
  }[conversation.language]
  return { steps: [], thought: '', words }
}

/** What lacked birth data is not told beside the form that asks for them. */
function told(outcomes: readonly Outcome[], language: Language): string {
  const asks = outcomes.some(({ tool }) => tool === birthForm.tool)
  return outcomes
    .filter((outcome) => !(asks && saysNeed(outcome)))
    .map((outcome) => tell(outcome, language))
    .join('\n\n')
}
