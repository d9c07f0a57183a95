import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import { canonicalJson } from '../../events/index.ts'
import { readConversation, type Conversation, type Outcome } from './conversation.ts'
import { introducesItself, introduction } from './introduction.ts'
import type { Language } from './language.ts'
import {
  changeOf,
  isOfOthers,
  lifeWork,
  offers,
  partsOf,
  skills,
  useOf,
  work,
  type Intent,
  type Wish,
} from './plans/index.ts'
import { remainder } from './remainder.ts'
import { talk } from './talk.ts'

/** One use of a tool, as the model asks for it. */
export type Call = { readonly id: string; readonly tool: string; readonly input: string }

type Tools = NonNullable<LanguageModelV4CallOptions['tools']>

/** What the model has to say in one step. */
export type Reply = { readonly reasoning: string; readonly calls: readonly Call[]; readonly text: string }

/** More than this of a request is not read: nobody asks for a job in so many words. */
const LONGEST_READ = 2000

/** Decides on calls or an answer. The same prompt and tools give the same reply. */
export function reply({ prompt, tools, toolChoice }: LanguageModelV4CallOptions): Reply {
  const conversation = readConversation(prompt)
  const offered = toolChoice?.type === 'none' ? [] : (tools ?? [])
  const names = new Set(offered.map(({ name }) => name))
  const begun = lifeWork(conversation, names) ?? work(conversation, names)
  const { outcomes, said } = conversation
  if (begun?.alone) return { reasoning: '', calls: [], text: remainder(begun.words, said) }

  if (begun && begun.steps.length > 0 && (said === '' || said.trim() === begun.lead)) {
    const { steps, thought, lead = '' } = begun
    return { reasoning: thought, calls: callsOf(steps, conversation), text: remainder(lead, said) }
  }
  if (outcomes.length > 0 || begun?.words) {
    const words = begun?.words || outcomes.map((outcome) => tell(outcome, conversation.language)).join('\n\n')
    return { reasoning: '', calls: [], text: answer(conversation, words) }
  }

  const plan = said === '' ? planned(conversation, offered) : []
  if (plan.length > 0) {
    const steps = plan.map(({ tool, intent }) => ({ tool, input: intent.input }))
    const thoughts = [...new Set(plan.map(({ intent }) => intent.thought))]
    const reasoning = thoughts.join(conversation.language === 'zh' ? '' : ' ')
    return { reasoning, calls: callsOf(steps, conversation), text: '' }
  }

  const known = offers.filter((offer) => offered.some((tool) => tool.name === offer.tool))
  const { thought, words } = talk(conversation, known, offered)
  return { reasoning: said === '' ? thought : '', calls: [], text: answer(conversation, words) }
}

type Step = { readonly tool: string; readonly input: Intent['input'] }

function callsOf(steps: readonly Step[], { calls }: Conversation): Call[] {
  return steps.map(({ tool, input }, index) => ({
    id: `offline_call_${calls + index + 1}`,
    tool,
    input: JSON.stringify(input),
  }))
}

type Planned = { readonly tool: string; readonly intent: Intent }

/** One call for each wish that some rule understands, but never the same call twice. */
function planned({ request, language, context, state }: Conversation, offered: Tools): Planned[] {
  const plans = new Map<string, Planned>()
  const others = offered.filter((tool) => tool.type === 'function').filter(({ name }) => isOfOthers(name))
  const isAssistant = offered.some(({ name }) => name === 'current_time')
  const shared = offered.some(({ name }) => name === 'update_state') ? state : undefined
  for (const words of wishes(squeezed(request.slice(0, LONGEST_READ)))) {
    for (const part of isAssistant || others.length > 0 ? partsOf(words) : [words]) {
      const use = useOf(part, language, others, request)
      const plan =
        understood({ words: part, language, context }, offered) ??
        (use?.isGuess === false ? use : (changeOf(part, language, shared) ?? use))
      if (plan) plans.set(`${plan.tool} ${canonicalJson(plan.intent.input)}`, plan)
    }
  }
  return [...plans.values()]
}

/** Without long runs of spaces: there are many ways to part one among the words of a rule, and each would be tried. */
function squeezed(words: string): string {
  return words.replaceAll(/\s+/g, (run) => (run.includes('\n') ? '\n' : ' '))
}

function understood(wish: Omit<Wish, 'required'>, offered: Tools): Planned | undefined {
  for (const skill of skills) {
    const tool = offered.find((each) => each.name === skill.tool)
    const required = tool?.type === 'function' ? (tool.inputSchema.required ?? []) : []
    const intent = tool && skill.read({ ...wish, required })
    if (intent) return { tool: skill.tool, intent }
  }
  return undefined
}

/** "Search X and list Y" is two wishes, "research and development jobs" is one: the next has to begin with a verb of its own. */
const englishVerb = /(?=(?:please\s+|can you\s+)?(?:list|show|search|find|look)\b)/.source
const chineseVerb = /(?=(?:请|再|帮我)*(?:列出|列一下|显示|查看|看看|看一下|搜|查找|查一下|找))/.source
const english = new RegExp(
  `(?:\\s*[,;.]\\s*|\\s+)(?:(?:and|then|also|plus)\\s+)+${englishVerb}|[.;?!\\n]\\s*${englishVerb}`,
  'i',
)
const chinese = new RegExp(
  `(?:[，,；;。！？\\n]\\s*(?:(?:并且|并|然后|再|同时|另外|顺便)\\s*)?|(?:并且|并|然后|再|同时|以及|和|还有)\\s*)${chineseVerb}`,
)

function wishes(request: string): string[] {
  return request
    .split(english)
    .flatMap((wish) => wish.split(chinese))
    .filter((wish) => wish.trim() !== '')
}

/** The answer, or what is left of it after a crash; who speaks is said at the end of a thread's first. */
function answer({ introduced, language, said }: Conversation, words: string): string {
  return remainder(
    introduced || introducesItself(words) ? words : `${words}\n\n${introduction[language]}`,
    said,
  )
}

/** A tool may return a whole file; an answer does not. */
const LONGEST_QUOTE = 8000

function tell(outcome: Outcome, language: Language): string {
  const { tool, ok } = outcome
  const text = quoted(outcome.text)
  if (!ok) {
    const [sentence, full, colon] = {
      en: [`The tool ${tool} failed`, '.', ': '],
      zh: [`工具 ${tool} 执行失败`, '。', '：'],
    }[language]
    return text === '' ? `${sentence}${full}` : `${sentence}${colon}${text}`
  }
  if (text === '')
    return language === 'zh' ? `工具 ${tool} 没有返回内容。` : `The tool ${tool} returned nothing.`

  const skill = skills.find((known) => known.tool === tool)
  if (skill) return skill.tell({ ...outcome, text }, language)
  return `${language === 'zh' ? `${tool} 返回：` : `${tool} returned:`}\n\n${text}`
}

function quoted(text: string): string {
  const trimmed = text.trim()
  return trimmed.length > LONGEST_QUOTE ? `${trimmed.slice(0, LONGEST_QUOTE).toWellFormed()} …` : trimmed
}
