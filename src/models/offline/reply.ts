import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import { canonicalJson } from '../../events/index.ts'
import { readConversation, type Conversation, type Outcome } from './conversation.ts'
import { introduction } from './introduction.ts'
import { skills, type Intent, type Skill } from './plans/index.ts'
import { remainder } from './remainder.ts'
import { talk } from './talk.ts'

/** One use of a tool, as the model asks for it. */
export type Call = { readonly id: string; readonly tool: string; readonly input: string }

/** What the model has to say in one step. */
export type Reply = { readonly reasoning: string; readonly calls: readonly Call[]; readonly text: string }

/** More than this of a request is not read: nobody asks for a job in so many words. */
const LONGEST_READ = 2000

/** Decides on calls or an answer. The same prompt and tools give the same reply. */
export function reply({ prompt, tools, toolChoice }: LanguageModelV4CallOptions): Reply {
  const conversation = readConversation(prompt)
  const offered = toolChoice?.type === 'none' ? [] : (tools ?? [])
  const known = skills.filter((skill) => offered.some((tool) => tool.name === skill.tool))

  if (conversation.outcomes.length > 0)
    return { reasoning: '', calls: [], text: answer(conversation, told(conversation)) }

  const plan = conversation.said === '' ? planned(conversation, known) : []
  if (plan.length > 0) {
    const calls = plan.map(({ skill, intent }, index) => ({
      id: `offline_call_${conversation.calls + index + 1}`,
      tool: skill.tool,
      input: JSON.stringify(intent.input),
    }))
    return { reasoning: plan.map(({ intent }) => intent.thought).join(' '), calls, text: '' }
  }

  const { thought, words } = talk(conversation, known, offered)
  return { reasoning: conversation.said === '' ? thought : '', calls: [], text: answer(conversation, words) }
}

type Planned = { readonly skill: Skill; readonly intent: Intent }

/** One call for each wish that some skill understands, but never the same call twice. */
function planned(conversation: Conversation, known: readonly Skill[]): Planned[] {
  const { language, context } = conversation
  const plans = new Map<string, Planned>()
  for (const words of wishes(conversation.request.slice(0, LONGEST_READ))) {
    const plan = understand(known, (skill) => skill.read({ words, language, context }))
    if (plan) plans.set(`${plan.skill.tool} ${canonicalJson(plan.intent.input)}`, plan)
  }
  return [...plans.values()]
}

function understand(
  known: readonly Skill[],
  read: (skill: Skill) => Intent | undefined,
): Planned | undefined {
  for (const skill of known) {
    const intent = read(skill)
    if (intent) return { skill, intent }
  }
  return undefined
}

/** "Search X and list Y" is two wishes, "research and development jobs" is one: the next has to begin with a verb of its own. */
const english =
  /(?:\s*[,;.]\s*|\s+)(?:(?:and|then|also|plus)\s+)+(?=(?:please\s+|can you\s+)?(?:list|show|search|find|look)\b)|[.;?!\n]\s*(?=(?:please\s+|can you\s+)?(?:list|show|search|find|look)\b)/i
const chinese =
  /(?:[，,；;。！？\n]\s*(?:并且|并|然后|再|同时|另外|顺便)?|并且|并|然后|再|同时|以及|和|还有)\s*(?=(?:请|再|帮我)*(?:列出|列一下|显示|查看|看看|看一下|搜|查找|查一下|找))/

function wishes(request: string): string[] {
  return request
    .split(english)
    .flatMap((wish) => wish.split(chinese))
    .filter((wish) => wish.trim() !== '')
}

/** The answer, or what is left of it after a crash; who speaks is said at the end of a thread's first. */
function answer({ introduced, language, said }: Conversation, words: string): string {
  return remainder(introduced ? words : `${words}\n\n${introduction[language]}`, said)
}

function told({ outcomes, language }: Conversation): string {
  return outcomes.map((outcome) => tell(outcome, language)).join('\n\n')
}

const LONGEST_QUOTE = 2000

function tell(outcome: Outcome, language: Conversation['language']): string {
  const words = quoted(outcome.text)
  if (!outcome.ok) {
    const sentence = { en: `The tool ${outcome.tool} failed`, zh: `工具 ${outcome.tool} 执行失败` }[language]
    const end = { en: ['.', ': '], zh: ['。', '：'] }[language]
    return words === '' ? `${sentence}${end[0]}` : `${sentence}${end[1]}${words}`
  }
  if (words === '') {
    return { en: `The tool ${outcome.tool} returned nothing.`, zh: `工具 ${outcome.tool} 没有返回内容。` }[
      language
    ]
  }
  const skill = skills.find((known) => known.tool === outcome.tool)
  if (skill) return skill.tell({ ...outcome, text: words }, language)
  return `${{ en: `${outcome.tool} returned:`, zh: `${outcome.tool} 返回：` }[language]}\n\n${words}`
}

function quoted(text: string): string {
  const trimmed = text.trim()
  return trimmed.length > LONGEST_QUOTE ? `${trimmed.slice(0, LONGEST_QUOTE).toWellFormed()} …` : trimmed
}
