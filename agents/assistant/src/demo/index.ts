import type {
  DemoConversation,
  DemoExample,
  DemoLanguage,
  DemoOutcome,
  DemoReply,
  DemoScript,
  DemoTool,
} from 'dragoman/agents'
import { canonicalJson } from 'dragoman/events'
import { calculation } from './calculation.ts'
import { delegation } from './delegation.ts'
import { fetching } from './fetching.ts'
import { useOf } from './page-tools.ts'
import { partsOf } from './parts-of.ts'
import { recollection } from './recollection.ts'
import { changeOf, sharedState } from './state.ts'
import { time } from './time.ts'
import type { Intent, ToolRule } from './tool-rule.ts'
import { wishesOf } from './wishes.ts'

/** A wish that fits several is for the one that asks most narrowly. */
const rules: readonly ToolRule[] = [fetching, recollection, time, calculation, delegation]

const state: DemoExample = {
  call: 'update_state',
  example: {
    en: 'Change what the page shares with me, by the names of its fields: “set the theme to dark”',
    zh: '按字段名称修改页面共享的状态：“把 theme 改成 dark”',
  },
}

const own = [...rules, state]

/** What the demo model does for the assistant: with its own tools, and with those of the page. */
export const demo: DemoScript = [{ examples: (tools) => [...own, ...examplesOf(strangers(tools))], reply }]

/** The tools that are known only by what they say of themselves: the page's, or another server's. */
function strangers(tools: readonly DemoTool[]): DemoTool[] {
  return tools.filter(({ name }) => !own.some(({ call }) => call === name))
}

function examplesOf(tools: readonly DemoTool[]): DemoExample[] {
  const names = tools.map(({ name }) => name).join(', ')
  const example = {
    en: `I also call these tools, where your words are those of their names: ${names}.`,
    zh: `你的话与工具的名称或说明相符时，我还会调用：${names}。`,
  }
  return tools.map(({ name }) => ({ call: name, example }))
}

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
function planned({ request, language, system, tools }: DemoConversation): Plan[] {
  const offered = new Set(tools.map(({ name }) => name))
  const others = strangers(tools)
  const shared = offered.has('update_state') ? sharedState(system) : undefined
  const plans = wishesOf(request)
    .flatMap(partsOf)
    .flatMap((words) => {
      const use = useOf(words, language, others, request)
      const change = (): Plan | undefined => changeOf(words, language, shared) ?? use
      return understood(words, language, offered) ?? (use?.isGuess === false ? use : change()) ?? []
    })
  return [...new Map(plans.map((plan) => [`${plan.tool} ${canonicalJson(plan.input)}`, plan])).values()]
}

function understood(words: string, language: DemoLanguage, offered: ReadonlySet<string>): Plan | undefined {
  for (const { call, read } of rules) {
    const intent = offered.has(call) ? read({ words, language }) : undefined
    if (intent) return { tool: call, ...intent }
  }
  return undefined
}

function tell(outcome: DemoOutcome, language: DemoLanguage): string {
  const { tool, ok, quote, summary } = outcome
  const rule = ok && quote !== '' ? rules.find(({ call }) => call === tool) : undefined
  return rule?.tell({ ...outcome, text: quote }, language) ?? summary
}
