import { html } from 'hono/html'

import type { Markup } from '../html-page.ts'

export type HomeLanguage = 'en' | 'zh'

type Example = {
  readonly title: string
  readonly description: string
  readonly command: string
  readonly zh?: { readonly title: string; readonly description: string }
}

export type HomeAgent = {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly examples: ((origin: string) => readonly Example[]) | undefined
  /** What the agent lacks on this machine. Undefined if it lacks nothing. */
  readonly condition:
    | (() => Promise<{ readonly available: boolean; readonly notes: readonly string[] }>)
    | undefined
  /** The model that answers now, and what a real model needs if it is the demo model. */
  readonly model: () => { readonly name: string; readonly missing?: Readonly<Record<HomeLanguage, string>> }
}

const texts = {
  en: {
    running: 'The server is running.',
    model: 'Model: ',
    agents: 'Agents',
    off: 'Not ready: ',
    chat: 'Chat',
    connect: 'Connect a client',
    message: 'Hello',
    anyRun: 'any run, in any format',
    next: 'Next',
    routes: 'All routes',
    forPrograms: 'OpenAPI',
    doctor: 'checks this machine.',
  },
  zh: {
    running: '服务已启动。',
    model: '模型：',
    agents: '智能体',
    off: '尚未就绪：',
    chat: '对话',
    connect: '连接客户端',
    message: '你好',
    anyRun: '任何运行，任何格式',
    next: '下一步',
    routes: '全部接口',
    forPrograms: 'OpenAPI',
    doctor: '检查本机环境。',
  },
} as const

/** The language of a browser: the first one of `Accept-Language` that the page has. */
export function homeLanguage(acceptLanguage = ''): HomeLanguage {
  return /(?:^|[\s,])(?:en|zh)\b/i.exec(acceptLanguage.slice(0, 200))?.[0].endsWith('zh') ? 'zh' : 'en'
}

/** One screen: the agents with commands that work here, what is missing, and where to continue. */
export async function homePage(
  { version, agents }: { readonly version: string; readonly agents: readonly HomeAgent[] },
  { origin, language }: { readonly origin: string; readonly language: HomeLanguage },
): Promise<Markup> {
  const text = texts[language]
  const choices = agents.map(({ model }) => model())
  const missing = choices.find((choice) => choice.missing)?.missing?.[language]
  const models = [...new Set(choices.map(({ name }) => name))].join(', ')
  const [first] = agents
  return html`<h1>dragoman</h1>
    <p class="quiet">${version} · ${text.running} ${missing ? '' : text.model + models}</p>
    ${missing ? html`<p class="notice" role="status">${missing}</p>` : ''}
    <h2>${text.agents}</h2>
    ${await Promise.all(agents.map((agent) => agentDetails(agent, origin, language)))}
    <h2>${text.connect}</h2>
    <dl>
      <dt>useChat</dt>
      <dd><code>${origin}/${first?.id ?? 'AGENT'}/chat</code></dd>
      <dt>AG-UI</dt>
      <dd><code>${origin}/ag-ui/${first?.id ?? 'AGENT'}</code></dd>
      <dt>CopilotKit</dt>
      <dd><code>${origin}/copilotkit</code></dd>
      <dt>HTTP</dt>
      <dd><code>${origin}/v1</code> <span class="quiet">${text.anyRun}</span></dd>
    </dl>
    <h2>${text.next}</h2>
    <p>
      <a href="/docs">${text.routes}</a> · <a href="/openapi.json">${text.forPrograms}</a> ·
      <code>dragoman doctor</code> <span class="quiet">${text.doctor}</span>
    </p>`
}

async function agentDetails(agent: HomeAgent, origin: string, language: HomeLanguage): Promise<Markup> {
  const { name, description } = agent
  const text = texts[language]
  const { available, notes } = (await agent.condition?.()) ?? { available: true, notes: [] }
  return html`<details>
    <summary><strong>${name}</strong><span class="quiet" lang="en">${description}</span></summary>
    ${available ? '' : html`<p class="notice">${text.off}<span lang="en">${notes.join(' ')}</span></p>`}
    ${examplesOf(agent, origin, language).map(
      ({ title, description: words, command }) =>
        html`<h3>${title}</h3>
          <p>${words}</p>
          <pre tabindex="0"><code>${command}</code></pre>`,
    )}
  </details>`
}

/** An agent without examples gets one: a message as `useChat` sends it. */
function examplesOf({ id, examples }: HomeAgent, origin: string, language: HomeLanguage): readonly Example[] {
  const own = examples?.(origin) ?? []
  if (own.length > 0)
    return own.map(({ command, zh, ...english }) =>
      Object.assign({ command }, language === 'zh' && zh ? zh : english),
    )
  const { chat, message } = texts[language]
  const body = {
    id: 'my-chat',
    messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: message }] }],
  }
  return [{ title: chat, description: '', command: curlPost(`${origin}/${id}/chat`, body) }]
}

/** Builds curl commands for `AgentModule.examples`. */
export function exampleCommands(origin: string): { post(path: string, body: object): string } {
  return { post: (path, body) => curlPost(`${origin}${path}`, body) }
}

/** A curl command that posts JSON. Spaces in the JSON let a narrow page wrap it between words. */
function curlPost(url: string, body: object): string {
  const spaced = JSON.stringify(body, null, 1).replaceAll(/\n\s*/g, ' ')
  return `curl -N ${url} \\\n  -H 'content-type: application/json' \\\n  -d '${spaced}'`
}
