import { canonicalJson, isJsonObject, type Json } from 'dragoman/events'
import type { DemoConversation, DemoLanguage, DemoOutcome, DemoReply, DemoScript } from 'dragoman/agents'
import { analytics } from './analytics.ts'
import { list } from './list.ts'
import { prescore } from './prescore.ts'
import { resumes } from './resumes.ts'
import { search } from './search.ts'
import type { Intent, ToolRule, Wish } from './tool-rule.ts'
import { versions } from './versions.ts'
import { wishesOf } from './wishes.ts'

/** A wish that fits several is for the one that asks most narrowly. */
const rules: readonly ToolRule[] = [versions, prescore, ...resumes, list, analytics, search]

/** What the demo model does for the jobs agent. */
export const demo: DemoScript = [{ examples: rules.map((rule) => ({ ...rule, readOnly: true })), reply }]

function reply(conversation: DemoConversation): DemoReply | undefined {
  const { outcomes, answered, language } = conversation
  if (outcomes.length > 0) return { text: outcomes.map((outcome) => tell(outcome, language)).join('\n\n') }
  const plans = answered === '' ? planned(conversation) : []
  const thoughts = new Set(plans.map(({ thought }) => thought))
  return {
    calls: plans.map(({ tool, input }) => ({ tool, input })),
    thought: [...thoughts].join(language === 'zh' ? '' : ' '),
  }
}

type Plan = Intent & { readonly tool: string }

/** One call for each wish that some rule understands, but never the same call twice. */
function planned(conversation: DemoConversation): Plan[] {
  const plans = wishesOf(conversation.request).flatMap((words) => understood(words, conversation) ?? [])
  return [...new Map(plans.map((plan) => [`${plan.tool} ${canonicalJson(plan.input)}`, plan])).values()]
}

function understood(words: string, { language, context, tools }: DemoConversation): Plan | undefined {
  for (const { call, read } of rules) {
    const tool = tools.find(({ name }) => name === call)
    const intent = tool && read({ words, language, context, required: requiredOf(tool.inputSchema) })
    if (intent) return { tool: call, ...intent }
  }
  return undefined
}

function requiredOf(schema: Json): Wish['required'] {
  const required = isJsonObject(schema) ? schema['required'] : undefined
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
}

function tell(outcome: DemoOutcome, language: DemoLanguage): string {
  const { tool, ok, quote, summary } = outcome
  const rule = ok && quote !== '' ? rules.find(({ call }) => call === tool) : undefined
  return rule?.tell({ ...outcome, text: quote }, language) ?? summary
}
