import type { DemoRequest, DemoScript, DemoTool } from 'dragoman/agents'
import { isJsonObject } from 'dragoman/events'

const OWN_TOOLS = new Set(
  'ask_agent calculate current_time fetch_page search_conversations update_state'.split(' '),
)

const ZONES: Readonly<Record<string, RegExp>> = {
  'America/New_York': /new york|纽约/i,
  'Asia/Shanghai': /shanghai|beijing|上海|北京/i,
  'Asia/Tokyo': /tokyo|东京/i,
  'Europe/Berlin': /berlin|柏林/i,
  'Europe/London': /london|伦敦/i,
}

/** What the demo model does for the assistant: with its own tools, and with those of the page. */
export const demo: DemoScript = [
  {
    example: { en: 'What is 0.1 + 0.2?', zh: '0.1 + 0.2 等于多少？' },
    when: {
      en: /\b(?:what is|calculate)\s+(\d[\d\s.()]*(?:%\s*of|[-+*/^])[\d\s.()+*/^-]*)/i,
      zh: /(\d[\d\s.()]{0,20}[-+*/^][\d\s.()+*/^-]{0,40})(?:=|等于|是多少)/,
    },
    call: 'calculate',
    input: ([, expression = '']) => ({ expression: expression.trim() }),
  },
  {
    example: { en: 'What time is it in Tokyo?', zh: '东京现在几点？' },
    when: /\bwhat time\b|几点/i,
    call: 'current_time',
    input: ({ input }) => {
      const zone = Object.keys(ZONES).find((name) => ZONES[name]?.test(input))
      return zone === undefined ? {} : { zone }
    },
  },
  {
    example: { en: 'Ask the jobs agent to list my jobs', zh: '让求职智能体列出我保存的职位' },
    when: {
      en: /^ask the (?<agent>jobs|coding) agent to (?<task>.+)/i,
      zh: /^请?让(?<agent>求职|编程)智能体(?<task>.+)/,
    },
    call: 'ask_agent',
    input: ({ groups: { agent = '', task = '' } = {} }) => ({
      agent: /coding|编程/i.test(agent) ? 'coding' : 'jobs',
      task,
    }),
    say: withoutTags,
  },
  {
    example: { en: 'Read https://example.com', zh: '读一下 https://example.com' },
    when: /https?:\/\/[^\s，。）)"”]+/i,
    call: 'fetch_page',
    input: ([url]) => ({ url }),
    say: withoutTags,
  },
  {
    example: { en: 'Set theme to dark', zh: '把 theme 改成 dark' },
    when: {
      en: /\bset (?:the )?(?<field>\w+) to (?<value>\w+)/i,
      zh: /把\s*(?<field>\w+)\s*改成\s*(?<value>\w+)/,
    },
    call: 'update_state',
    input: ({ groups: { field = '', value = '' } = {} }) => ({
      patch: [{ op: 'replace', path: `/${field}`, value }],
    }),
  },
  {
    example: { en: 'Add milk to my todo list', zh: '把牛奶加到待办清单' },
    when: {
      en: /"([^"]+)"|“([^“”]+)”|\b(?:add|put) (.{1,200}?) (?:to|on)\b/i,
      zh: /「([^「」]+)」|把([^把\n]+?)[加放]到/,
    },
    call: (request) => pageTool(request)?.name,
    input: ([, ...texts], request) => {
      const field = textField(pageTool(request))
      return field === undefined ? {} : { [field]: texts.find((text) => text !== undefined) ?? '' }
    },
  },
]

/** The tool of the page whose name is in the message, or the only one. */
function pageTool({ message, tools }: DemoRequest): DemoTool | undefined {
  const others = tools.filter(({ name }) => !OWN_TOOLS.has(name))
  const words = message.toLowerCase()
  const named = others.find(({ name }) =>
    name.split(/(?=[A-Z])|[^a-z\d]+/i).every((part) => words.includes(part.toLowerCase())),
  )
  return named ?? (others.length === 1 ? others[0] : undefined)
}

/** The first property of a tool's input that is a text. */
function textField(tool: DemoTool | undefined): string | undefined {
  const properties = isJsonObject(tool?.inputSchema) ? tool.inputSchema['properties'] : undefined
  if (!isJsonObject(properties)) return undefined
  return Object.entries(properties).find(
    ([, schema]) => isJsonObject(schema) && schema['type'] === 'string',
  )?.[0]
}

/** Tools mark other people's words with tags for the model. */
function withoutTags(text: string): string {
  return text.replaceAll(/^<\/?(?:answer|page)>\n?/gm, '').trim()
}
